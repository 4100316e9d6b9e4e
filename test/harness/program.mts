import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

import { listen } from '../simulator/listen.mts';

/** Program that a test ends and starts again, on the same port and folder. */
export type Program = ReturnType<typeof programOf>;

interface Recipe {
	name: string;
	spawn(): ChildProcess;
	/** True if it answers; false or a rejection while it starts. */
	isReady(): Promise<boolean>;
	startsWithinMs: number;
}

/** Maximum number of starts. n8n 2.41 can fail one after a crash, and a killed server's lock stays for a moment. */
const STARTS = 6;

export function programOf({ name, spawn: spawnIt, isReady, startsWithinMs }: Recipe) {
	let child: ChildProcess | undefined;
	let log = '';
	const keep = (chunk: unknown) => (log += String(chunk));
	const program = {
		log: () => log,
		get pid() {
			return child?.pid ?? 0;
		},
		/** Starts it and waits until it is ready; does nothing while it runs. @throws with the end of its log */
		async start(): Promise<void> {
			if (child && runs(child)) return;
			for (let starts = 1; ; starts++) {
				child = spawnIt().on('error', keep);
				child.stdout?.on('data', keep);
				child.stderr?.on('data', keep);
				const until = Date.now() + startsWithinMs;
				while (runs(child) && Date.now() < until) {
					if (await isReady().catch(() => false)) return;
					await wait(200);
				}
				const isEnded = !runs(child);
				await program.end();
				if (!isEnded || starts === STARTS)
					throw new Error(`${name} did not start:\n${log.slice(-3_000)}`);
				await wait(500);
			}
		},
		/**
		 * Ends it and waits until it is gone. SIGKILL acts like a power cut, and follows ten seconds after another signal.
		 * Does nothing after the end.
		 */
		async end(signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<void> {
			const ending = child;
			if (!ending || !runs(ending)) return;
			const closed = new Promise((resolve) => ending.once('close', resolve));
			ending.kill(signal);
			const force = setTimeout(() => ending.kill('SIGKILL'), 10_000);
			await closed;
			clearTimeout(force);
		},
	};
	return program;
}

const runs = ({ exitCode, signalCode }: ChildProcess) => exitCode === null && signalCode === null;

/** Part of util-linux, which every Debian has. */
const SETPRIV = '/usr/bin/setpriv';

/**
 * Starts a program and captures its output. On Linux it gets `signal` when its parent is gone, even if the parent was
 * killed.
 */
export function spawnBound(
	command: string,
	args: string[],
	options: SpawnOptions,
	signal: 'KILL' | 'TERM' = 'TERM',
): ChildProcess {
	const bound = existsSync(SETPRIV)
		? [SETPRIV, '--pdeathsig', signal, command, ...args]
		: [command, ...args];
	return spawn(bound[0]!, bound.slice(1), { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
}

export async function freePorts(count: number): Promise<number[]> {
	const all = await Promise.all(Array.from({ length: count }, () => listen(createServer())));
	await Promise.all(all.map(async ({ close }) => await close()));
	return all.map(({ port }) => port);
}
