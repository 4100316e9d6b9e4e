import { spawn } from 'node:child_process';
import { appendFileSync, writeFileSync } from 'node:fs';

export type Progress = (line: string) => void;

export interface CommandOptions {
	env?: Record<string, string>;
	timeoutMs?: number;
	/** File that receives all output. */
	logFile?: string;
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
	options: CommandOptions = {},
): Promise<string> {
	const { env = {}, timeoutMs, logFile, onProgress } = options;
	const began = Date.now();
	let output = '';
	if (logFile) writeFileSync(logFile, '');
	const alive = setInterval(
		() => onProgress?.(`  ${secondsSince(began)} s  ${lastLine(output)}`),
		5_000,
	);
	try {
		await new Promise<void>((resolve, reject) => {
			const child = spawn(command, args, {
				cwd,
				env: { ...settingsOfTheUser(), ...env },
				stdio: ['ignore', 'pipe', 'pipe'],
				timeout: timeoutMs,
				// On Windows npm is a script, which needs a shell.
				shell: process.platform === 'win32',
			});
			const keep = (chunk: Buffer) => {
				output += String(chunk);
				if (logFile) appendFileSync(logFile, chunk);
			};
			child.stdout.on('data', keep);
			child.stderr.on('data', keep);
			child.on('error', reject);
			child.on('close', (code, signal) =>
				code === 0
					? resolve()
					: reject(failure(`${command} ${args.join(' ')}`, cwd, code ?? signal, output, logFile)),
			);
		});
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

function failure(
	command: string,
	cwd: string,
	end: unknown,
	output: string,
	logFile?: string,
): Error {
	const shown = output
		.split('\n')
		.filter((line) => !/npm http (fetch|cache)/.test(line))
		.join('\n')
		.slice(-3_000);
	const where = logFile ? `\nThe whole output is in ${logFile}` : '';
	return new Error(`"${command}" in ${cwd} ended with ${end}:\n${shown}${where}`);
}

const secondsSince = (began: number) => Math.round((Date.now() - began) / 1_000);

const lastLine = (output: string) => output.trimEnd().split('\n').at(-1)!.slice(0, 100);
