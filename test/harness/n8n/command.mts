import { spawn } from 'node:child_process';
import { once } from 'node:events';

export type Progress = (line: string) => void;

interface CommandOptions {
	env?: Record<string, string>;
	timeoutMs?: number;
	/** Called about every five seconds with a line of progress. */
	onProgress?: Progress;
}

/**
 * Runs a command to its end and returns its output.
 * @throws Error with the end of the output if it fails
 */
export async function run(
	command: string,
	args: string[],
	cwd: string,
	{ env, timeoutMs, onProgress }: CommandOptions = {},
): Promise<string> {
	const began = Date.now();
	let output = '';
	const alive = setInterval(() => {
		const seconds = Math.round((Date.now() - began) / 1_000);
		onProgress?.(`  ${seconds} s  ${output.trimEnd().split('\n').at(-1)!.slice(0, 100)}`);
	}, 5_000);
	try {
		const child = spawn(command, args, {
			cwd,
			env: { ...settingsOfTheUser(), ...env },
			stdio: ['ignore', 'pipe', 'pipe'],
			timeout: timeoutMs,
			// On Windows npm is a script, which needs a shell.
			shell: process.platform === 'win32',
		});
		const keep = (chunk: Buffer) => (output += String(chunk));
		child.stdout.on('data', keep);
		child.stderr.on('data', keep);
		const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
		if (code !== 0) {
			const called = `"${command} ${args.join(' ')}" in ${cwd}`;
			throw new Error(`${called} ended with ${code ?? signal}:\n${endOf(output)}`);
		}
		return output;
	} finally {
		clearInterval(alive);
	}
}

/** Arguments of every npm call. npm logs its requests, so that progress can be shown. */
export const NPM_ARGUMENTS = ['--no-audit', '--no-fund', '--legacy-peer-deps', '--loglevel=http'];

/**
 * Environment without the variables that npm exports about the running script's project. The user's settings (registry,
 * proxy, certificates) remain. Jest's NODE_ENV is removed, because it would change what is installed.
 */
function settingsOfTheUser(): NodeJS.ProcessEnv {
	const ofTheProject =
		/^(npm_(package|lifecycle|config_(local_prefix|ignore_scripts|legacy_peer_deps))|NODE_ENV$|JEST_)/i;
	return Object.fromEntries(
		Object.entries(process.env).filter(([name]) => !ofTheProject.test(name)),
	);
}

const endOf = (output: string) =>
	output
		.split('\n')
		.filter((line) => !/npm http (fetch|cache)/.test(line))
		.join('\n')
		.slice(-3_000);
