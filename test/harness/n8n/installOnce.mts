import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

import { listen } from '../../simulator/listen.mts';
import type { Progress } from './command.mts';

/** Returns the folder for one-time installations, and creates it if it is missing. */
export function cacheFolder(): string {
	const { CARD_TREASURY_CACHE, XDG_CACHE_HOME } = process.env;
	const folder =
		CARD_TREASURY_CACHE ||
		join(XDG_CACHE_HOME || join(homedir(), '.cache'), 'n8n-nodes-card-treasury');
	mkdirSync(folder, { recursive: true });
	return folder;
}

interface Target {
	folder: string;
	name: string;
	/** Throws if the installed program does not run. */
	check: () => Promise<void>;
	onProgress: Progress;
}

/** Runs `install` in the folder unless it has completed there before. A folder filled by hand is kept if it runs. */
export async function installOnce(
	{ folder, name, check, onProgress }: Target,
	install: () => Promise<void>,
): Promise<void> {
	const complete = join(folder, '.complete');
	const begun = join(folder, '.begun');
	if (existsSync(complete)) return;
	const sayWaiting = () => onProgress(`Waiting for another process that is installing ${name} …`);
	await exclusively(folder, sayWaiting, async () => {
		if (existsSync(complete)) return;
		const runs = async () =>
			await check().then(
				() => true,
				() => false,
			);
		const filledByHand = existsSync(folder) && !existsSync(begun);
		if (!filledByHand || !(await runs())) {
			// npm accepts a package folder that has a package.json, so nothing incomplete may remain.
			rmSync(folder, { recursive: true, force: true });
			mkdirSync(folder, { recursive: true });
			writeFileSync(begun, '');
			await install();
			await check();
		}
		writeFileSync(complete, '');
	});
}

/**
 * Runs `work` while no other process of this machine does so for the same folder. A port represents the folder, because
 * the operating system grants it to one process and frees it when that process ends.
 */
async function exclusively(folder: string, onWait: () => void, work: () => Promise<void>) {
	// Below the range of ephemeral ports.
	const port = 20_000 + (createHash('sha256').update(folder).digest().readUInt32BE() % 10_000);
	const take = async () =>
		await listen(createServer(), port).catch((error: NodeJS.ErrnoException) => {
			if (error.code !== 'EADDRINUSE') throw error;
		});
	let lock = await take();
	if (!lock) onWait();
	while (!lock) {
		await wait(500);
		lock = await take();
	}
	try {
		await work();
	} finally {
		await lock.close();
	}
}
