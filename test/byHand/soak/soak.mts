import { parseArgs } from 'node:util';

import { printMeasured, type Table } from '../measured.mts';
import type { Tool } from '../tool.mts';
import { soakActions } from './actions.mts';
import { soakDeliveries } from './deliveries.mts';
import { startQueue } from './queue.mts';
import { startRegular } from './regular.mts';
import type { Target } from './target.mts';
import type { Verdict } from './verdict.mts';

/** Runs all parts of a soak on a target and closes it. */
async function soakTarget(target: Target, deliveries: number): Promise<Table[]> {
	const parts: Record<string, () => Promise<Verdict>> = {
		Deliveries: async () => await soakDeliveries(target, deliveries),
		Writes: async () => await soakActions(target),
	};
	const tables: Table[] = [];
	try {
		for (const [caption, run] of Object.entries(parts)) {
			const { facts, faults } = await run();
			tables.push({
				caption,
				rows: [...facts, ...faults.map((fault) => ['**Fault**', fault] as const)].map(
					([Counted, Result]) => ({ Counted, Result }),
				),
			});
			if (faults.length > 0) process.exitCode = 1;
		}
	} finally {
		await target.close();
	}
	return tables;
}

const MODES: Record<string, (deliveries: number) => Promise<Table[]>> = {
	regular: async (deliveries) => await soakTarget(await startRegular(), deliveries),
	proxy: async (deliveries) => await soakTarget(await startRegular(true), deliveries),
	queue: async (deliveries) => await soakTarget(await startQueue(), deliveries),
};

/** Sends deliveries and writes while parts are killed, and compares what both sides know. */
export const soak: Tool = {
	usage: `[regular|proxy|queue] [--deliveries 10000]
  Sends deliveries to the real n8n, and has it write to the simulated service, while parts are killed with SIGKILL and
  started again: n8n itself five times; in queue mode each worker, each webhook process, PostgreSQL and Redis once.
  Then compares what the sender and the service know with what n8n has stored. 10,000 deliveries at 15 per second take
  about 15 minutes. With "proxy", deliveries go through docs/haproxy.cfg.`,
	async run(args, command) {
		const { values, positionals } = parseArgs({
			args,
			allowPositionals: true,
			options: { deliveries: { type: 'string', default: '10000' } },
		});
		const [mode = 'regular'] = positionals;
		const deliveries = Number(values.deliveries);
		const measure = MODES[mode];
		if (!measure || !(deliveries > 0)) return false;
		await printMeasured(`${command} ${mode}`, async () => await measure(deliveries));
		return true;
	},
};
