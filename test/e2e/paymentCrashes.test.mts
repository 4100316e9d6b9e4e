import { startChain, type Chain, type ChainNode } from '../harness/n8n/chain.mts';
import { cutOff } from '../harness/n8n/cuts.mts';
import {
	hitSecondWallet,
	itemsOf,
	paid,
	pay,
	payments,
	publishPayments,
	retry,
	withWindow,
} from '../harness/n8n/payments.mts';
import { eventually, executions, type Reference } from '../harness/n8n/scenario.mts';
import { credential, scenario, useN8n } from '../harness/n8n/useN8n.mts';
import { until } from '../simulator/until.mts';
import { amounts, simulator } from '../simulator/useSimulator.mts';

/** Payments after n8n was killed in the middle of a batch, with one transfer executed but not answered. */

/** n8n waits three seconds for its executions after SIGTERM. */
useN8n(() => ({ N8N_GRACEFUL_SHUTDOWN_TIMEOUT: '3' }));

/** Number of payments of a batch: more than the two parts that can be in flight at this rate. */
const COUNT = 40;
/** Size of a part. Nothing of the first one is settled, because its third transfer is not answered. */
const PART = 10;
let open: Reference;

beforeAll(async () => {
	open = await withWindow(24);
});

/** Node that gives each item a new reference in each run. */
const naming: ChainNode = {
	name: 'Naming',
	type: 'n8n-nodes-base.code',
	typeVersion: 2,
	parameters: {
		jsCode: `return $input.all().map(({ json }) => ({ json: { ...json, name: String(Math.random()) } }));`,
	},
};

type Options = Parameters<typeof publishPayments>[1] & { parameters?: object };

const CONTINUE = { onError: 'continueRegularOutput' };
const made = { between: [naming], parameters: { paymentReference: '={{ $json.name }}' } };
const SAVED = { saveExecutionProgress: true };
/** Workflows that are killed while they pay. */
const KILLED: Record<string, Options> = {
	'without saved progress': { settings: CONTINUE },
	'with saved progress': { settings: CONTINUE, workflow: SAVED },
	'new references': { ...made },
	'new references, saved progress': { ...made, settings: CONTINUE, workflow: SAVED },
};

/** Items of a workflow, whose amounts no other workflow pays. */
const itemsFor = (name: string) => {
	const from = Object.keys(KILLED).indexOf(name) * 100;
	return itemsOf(COUNT, 3).map((item) => ({ ...item, amount: String(from + Number(item.amount)) }));
};

describe('payments after a crash of n8n', () => {
	describe('execution killed in the middle of a batch', () => {
		const killed: Record<string, { chain: Chain; id: string }> = {};
		let before: Array<string | undefined>;
		const paidOf = (name: string) =>
			itemsFor(name).filter(({ amount }) => [...before, ...amounts()].includes(amount)).length;

		/** All are killed at once, because n8n takes long to start. */
		beforeAll(async () => {
			before = [];
			hitSecondWallet({ kind: 'slow-after', delayMs: 600_000, times: Object.keys(KILLED).length });
			const chains: Array<[name: string, chain: Chain]> = [];
			for (const [name, { parameters, ...options }] of Object.entries(KILLED))
				chains.push([
					name,
					await publishPayments(payments({ requestsPerSecond: 4 }, parameters), {
						chosen: open,
						...options,
					}),
				]);
			await Promise.all(
				chains.map(
					async ([name, chain]) => await startChain(scenario.n8n, chain, { items: itemsFor(name) }),
				),
			);
			await until(() => chains.every(([name]) => paidOf(name) >= 4), 30_000);
			await scenario.kill();
			for (const [name, chain] of chains) {
				expect(paidOf(name)).toBeLessThan(2 * PART - 2);
				const { id } = await eventually(async () => {
					const [row] = await executions(scenario.n8n, chain);
					return row?.status === 'crashed' && row;
				});
				killed[name] = { chain, id };
			}
			before = amounts();
		}, 180_000);

		/** Expects the parts in flight as unknown, the others with this status, and no payment twice. */
		function expectRest(items: Array<Record<string, unknown>>, status: string): void {
			expect(items).toHaveLength(COUNT);
			for (const item of items.slice(0, PART)) expect(item).toMatchObject({ outcome: 'unknown' });
			for (const item of items.slice(2 * PART)) expect(item).toMatchObject({ status });
			const all = [...before, ...amounts()];
			expect(new Set(all).size).toBe(all.length);
		}

		it.each(['without saved progress', 'with saved progress'])(
			'is completed by a retry, except for what was in flight, which stays unknown: %s',
			async (name) => {
				const { chain, id } = killed[name]!;
				expectRest(paid(await retry(chain, id, 2)), 'SUCCESS');
				expectRest(paid(await pay(chain, itemsFor(name), 3)), 'ALREADY_SENT');
			},
		);

		it('sends nothing in a retry without saved progress, because that makes other references', async () => {
			const { chain, id } = killed['new references']!;
			for (const count of [2, 3]) {
				const { failure } = await retry(chain, id, count);
				expect(failure.message).toContain(
					'Payment Reference has changed since this execution was interrupted',
				);
			}
			expect(simulator.requests).toEqual([]);
		});

		it('sends the rest in a retry with saved progress, because that has the same references', async () => {
			const { chain, id } = killed['new references, saved progress']!;
			expectRest(paid(await retry(chain, id, 2)), 'SUCCESS');
		});
	});

	it.each(['SIGKILL', 'SIGTERM'] as const)(
		'a batch cut off by %s is completed by a retry and a new execution, except for what was in flight',
		async (signal) => {
			simulator.settings.latencyMs = 300;
			const { retried, anew, before, executed, twice, untrue } = await cutOff({
				n8n: () => scenario.n8n,
				simulator,
				credential,
				count: 150,
				after: 45,
				cut: async () =>
					signal === 'SIGKILL' ? await scenario.kill() : await scenario.restart('SIGTERM'),
			});
			expect({ twice, untrue }).toEqual({ twice: 0, untrue: [] });
			expect(before).toBeLessThan(150);
			expect(retried!.alreadySent).toBeGreaterThan(0);
			expect(retried!.done).toBeGreaterThan(0);
			expect(anew.unknown).toBeLessThanOrEqual(8 * PART);
			expect(anew.done + anew.alreadySent + anew.unknown).toBe(150);
			expect(executed).toBeGreaterThanOrEqual(150 - anew.unknown);
		},
	);
});
