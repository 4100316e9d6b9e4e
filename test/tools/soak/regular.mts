import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { processUsage } from '../bench/processUsage.mts';
import { openDatabase } from '../../harness/database/database.mts';
import { installN8n } from '../../harness/n8n/install.mts';
import { packPack, startN8n } from '../../harness/n8n/n8n.mts';
import { freePorts } from '../../harness/n8n/process.mts';
import { SOAK_ENV, type Target } from './target.mts';

/** How often n8n is killed while deliveries come in. */
const KILLS = 5;
/** How often n8n is started after one kill, at most. */
const STARTS = 6;

/** One n8n on SQLite that is killed and started again at the same address and on the same database. */
export async function startRegular(say: (line: string) => void): Promise<Target> {
	const folder = mkdtempSync(join(tmpdir(), 'card-treasury-soak-'));
	const installation = await installN8n(say);
	const tarball = await packPack(folder);
	const [port] = await freePorts(1);
	const first = await startN8n(installation, tarball, { port, env: SOAK_ENV });
	const { userFolder } = first;
	let current = first;
	let failedStarts = 0;
	/** As whatever supervises n8n does: one that ends while it starts is started again. */
	const startAgain = async () => {
		for (let left = STARTS - 1; ; left--) {
			try {
				return await startN8n(installation, tarball, { port, env: SOAK_ENV, userFolder });
			} catch (error) {
				if (left === 0) throw error;
				failedStarts += 1;
				say(`n8n has not started, and is started again: ${String(error)}`);
			}
		}
	};
	const kill = async () => {
		await current.end('SIGKILL');
		current = await startAgain();
	};
	return {
		n8n: () => current,
		oneProcess: true,
		kills: Array.from({ length: KILLS }, () => ({ what: 'n8n', run: kill })),
		killExecuting: kill,
		// It does so whenever it starts.
		recover: async () => undefined,
		failedStarts: () => failedStarts,
		cutOffStatus: 'crashed',
		noticesWithinMs: 20_000,
		memory(): Record<string, number> {
			const usage = processUsage(current.pid);
			return usage ? { n8n: usage.rssBytes } : {};
		},
		openDatabase: async () => await openDatabase(userFolder),
		async close() {
			if (current !== first) await current.stop();
			await first.stop();
			rmSync(folder, { recursive: true, force: true });
		},
	};
}
