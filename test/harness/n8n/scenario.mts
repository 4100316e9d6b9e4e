import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { installN8n } from './install.mts';
import { installPack, newUserFolder, packPack, startN8n } from './n8n.mts';

export type Scenario = Awaited<ReturnType<typeof startScenario>>;

interface ScenarioOptions {
	/** Folder of n8n's data, which stays. The package in it is replaced. Default: a new one, removed at the end. */
	userFolder?: string;
	port?: number;
	tarball?: string;
	onProgress?: (line: string) => void;
}

/**
 * Starts the real n8n with the package; a test can restart it on the same database.
 * @param env for n8n, at every start
 */
export async function startScenario(
	env: Record<string, string> = {},
	{
		userFolder: kept,
		port,
		tarball: given,
		onProgress = (line) => void process.stdout.write(`${line}\n`),
	}: ScenarioOptions = {},
) {
	const folder = mkdtempSync(join(tmpdir(), 'card-treasury-scenario-'));
	const host = await installN8n(onProgress);
	onProgress('Building and packing the nodes …');
	const tarball = given ?? (await packPack(folder));
	onProgress('Installing the nodes in n8n …');
	const userFolder = kept ?? join(folder, 'user-folder');
	await (kept === undefined ? newUserFolder : installPack)(userFolder, tarball);
	onProgress('Starting n8n …');
	const n8n = await startN8n(host, { userFolder, port, env });
	const restart = async (signal?: 'SIGTERM' | 'SIGKILL') => {
		await n8n.end(signal);
		await n8n.start();
	};
	return {
		n8n,
		/** Ends n8n and starts it again at the same address and on the same database. */
		restart,
		async update(other: string): Promise<void> {
			await n8n.end();
			await installPack(userFolder, other);
			await n8n.start();
		},
		async close(): Promise<void> {
			await n8n.end();
			rmSync(folder, { recursive: true, force: true });
		},
	};
}
