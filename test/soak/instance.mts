import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { installN8n } from '../n8n/install.mts';
import { packPack, startN8n, type RunningN8n } from '../n8n/n8n.mts';
import { freePorts } from '../n8n/process.mts';

/** When n8n was gone, on the clock of `performance.now()`: from its end until it was ready again. */
export interface Outage {
	from: number;
	to: number;
}

/** One n8n that is killed and started again at the same address and on the same database. */
export interface SoakedN8n {
	n8n: RunningN8n;
	outages: Outage[];
	kill(): Promise<void>;
	close(): Promise<void>;
}

/** Every execution is a witness, so none may be pruned (n8n keeps 10,000 by default). */
const ENV = { EXECUTIONS_DATA_PRUNE: 'false', N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true' };

export async function startSoakedN8n(say: (line: string) => void): Promise<SoakedN8n> {
	const folder = mkdtempSync(join(tmpdir(), 'card-treasury-soak-'));
	const installation = await installN8n(say);
	const tarball = await packPack(folder);
	const [port] = await freePorts(1);
	const first = await startN8n(installation, tarball, { port, env: ENV });
	const soaked: SoakedN8n = {
		n8n: first,
		outages: [],
		async kill() {
			const from = performance.now();
			await soaked.n8n.end('SIGKILL');
			soaked.n8n = await startN8n(installation, tarball, { port, env: ENV, userFolder: first.userFolder });
			soaked.outages.push({ from, to: performance.now() });
		},
		async close() {
			if (soaked.n8n !== first) await soaked.n8n.stop();
			await first.stop();
			rmSync(folder, { recursive: true, force: true });
		},
	};
	return soaked;
}
