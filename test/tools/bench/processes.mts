import lodash from 'lodash';

import { publishChain, startChain } from '../../harness/n8n/chain.mts';
import { createCredential, endedExecutions, simulatorKeys } from '../../harness/n8n/scenario.mts';
import { startQueueMode } from '../../harness/queue/queueMode.mts';
import { workerOf } from '../../harness/queue/runs.mts';
import { items, keysOf, transfer, upTo } from '../../harness/queue/transfers.mts';
import { startSimulator, type Simulator } from '../../simulator/index.mts';
import type { Benchmark } from './benchmark.mts';
import { timeChart } from './chart.mts';
import { percent } from './ladder.mts';

const TRANSFERS = 600;
/** Executions for each worker, so that n8n's queue gives every one of them work. */
const EXECUTIONS_EACH = 3;
/** §8 */
const LIMIT = 15;
const PARTS = ['2', '4'] as const;

/** Several processes on one limit, while one batch of transfers went out. */
interface Shared {
	/** Of the workers, how many had work. */
	working: number;
	/** Different transfers in the ledger of the service. */
	transfers: number;
	/** In the ledger more than once. */
	twice: number;
	failed: number;
	/** From the first request to the last. */
	seconds: number;
	/** In each second. */
	executed: number[];
	rejected: number[];
}

const TEXT = [
	`n8n in queue mode, with PostgreSQL and Redis; ${TRANSFERS} transfers in ${EXECUTIONS_EACH} executions for each worker, all started at once, and no setting that says how many workers there are. The limit of ${LIMIT} requests in any second (§8) is shared by all of them, but a worker sees only its own requests and the service's 429s.`,
];

/** What workers that know nothing of each other make of one limit. */
export const processes: Benchmark<Shared> = {
	name: 'processes',
	title: `Several processes on one limit of ${LIMIT} per second`,
	parts: PARTS,
	async measure(part, { say }) {
		const workers = Number(part);
		const simulator = await startSimulator({ latencyMs: 100 });
		try {
			const queue = await startQueueMode({ moreWorkers: workers - 2 });
			try {
				const credential = await createCredential(queue.n8n, simulatorKeys(simulator));
				const executions = EXECUTIONS_EACH * workers;
				const chain = await publishChain(queue.n8n, [
					items(TRANSFERS / executions),
					transfer(credential),
				]);
				say(`${TRANSFERS} transfers by ${workers} workers …`);
				await Promise.all(upTo(executions).map(async () => await startChain(queue.n8n, chain)));
				const rows = await endedExecutions(queue.n8n, chain, executions);
				return {
					working: new Set(rows.map(({ id }) => workerOf(queue, id))).size,
					failed: rows.filter(({ status }) => status !== 'success').length,
					...witnessed(simulator),
				};
			} finally {
				await queue.close();
			}
		} finally {
			await simulator.close();
		}
	},
	present(measured) {
		const parts = PARTS.flatMap((part) =>
			measured[part] ? [{ part, shared: measured[part] }] : [],
		);
		return {
			inShort: parts.map(({ part, shared }) => inShort(part, shared)).join(' '),
			text: TEXT,
			tables: [
				{
					caption: `${TRANSFERS} transfers`,
					headings: [
						'Workers',
						'Executed',
						'Executed twice',
						'Executions that failed',
						'Rejected (429)',
						'Seconds',
						'Share of the limit',
					],
					rows: parts.map(({ part, shared }) => row(part, shared)),
				},
			],
			charts: parts.map(({ part, shared }) => ({
				name: `benchmark-processes-${part}`,
				alternative: `Requests in each second by ${part} workers, executed and rejected`,
				svg: timeChart(
					`Requests in each second: ${part} workers on one limit`,
					[
						{ label: 'executed', values: shared.executed },
						{ label: 'rejected (429)', values: shared.rejected },
					],
					{ seconds: 1, unit: '/s', limit: { value: LIMIT, label: `limit ${LIMIT}/s` } },
				),
			})),
		};
	},
};

function witnessed(simulator: Simulator) {
	const keys = keysOf(simulator, 'wallet.transfer');
	const [first, last] = [simulator.requests[0]!.at, simulator.requests.at(-1)!.at];
	const inEachSecond = (wanted: (status: number | undefined) => boolean) => {
		const counts = Array.from({ length: Math.floor((last - first) / 1_000) + 1 }, () => 0);
		for (const { at, status } of simulator.requests)
			if (wanted(status)) counts[Math.floor((at - first) / 1_000)]! += 1;
		return counts;
	};
	return {
		transfers: new Set(keys).size,
		twice: keys.length - new Set(keys).size,
		seconds: (last - first) / 1_000,
		executed: inEachSecond((status) => status !== 429),
		rejected: inEachSecond((status) => status === 429),
	};
}

function inShort(part: string, { transfers, twice, failed, seconds, rejected }: Shared): string {
	const rejections = lodash.sum(rejected);
	return `${part} workers executed ${transfers} of ${TRANSFERS} transfers at ${percent(transfers / seconds / LIMIT)} of the limit; ${rejections} requests (${percent(rejections / (rejections + transfers))}) were rejected with 429 and sent again, ${failed} executions failed, and ${twice} transfers were executed twice.`;
}

function row(part: string, { working, transfers, twice, failed, seconds, rejected }: Shared) {
	const rejections = lodash.sum(rejected);
	return [
		working === Number(part) ? part : `${part} (${working} had work)`,
		`${transfers} of ${TRANSFERS}`,
		String(twice),
		String(failed),
		`${rejections} (${percent(rejections / (rejections + transfers))})`,
		seconds.toFixed(1),
		percent(transfers / seconds / LIMIT),
	];
}
