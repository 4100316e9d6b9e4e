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

/** More than the two parts that can be in flight at this rate. */
const ITEMS = itemsOf(40, 3);
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

/** Kills n8n in the middle of the payments and returns the crashed execution. */
async function killed({ parameters, ...options }: Options): Promise<{ chain: Chain; id: string }> {
	const chain = await publishPayments(payments({ requestsPerSecond: 5 }, parameters), options);
	hitSecondWallet({ kind: 'slow-after', delayMs: 600_000 });
	await startChain(scenario.n8n, chain, { items: ITEMS });
	await until(() => amounts().length >= 6, 30_000);
	await scenario.kill();
	expect(amounts().length).toBeLessThan(ITEMS.length);
	const { id } = await eventually(async () => {
		const [row] = await executions(scenario.n8n, chain);
		return row?.status === 'crashed' && row;
	});
	return { chain, id };
}

const CONTINUE = { onError: 'continueRegularOutput' };

/** Expects the parts in flight as unknown, the others with this status, and no payment twice. */
function expectRest(items: Array<Record<string, unknown>>, status: string): void {
	expect(items).toHaveLength(ITEMS.length);
	for (const item of items.slice(0, PART)) expect(item).toMatchObject({ outcome: 'unknown' });
	for (const item of items.slice(2 * PART)) expect(item).toMatchObject({ status });
	expect(new Set(amounts()).size).toBe(amounts().length);
}

describe('payments after a crash of n8n', () => {
	describe.each([
		['without saved progress', false],
		['with saved progress', true],
	])('execution killed %s', (_, saveExecutionProgress) => {
		const workflow = { saveExecutionProgress };

		it('is completed by a retry, except for what was in flight, which stays unknown', async () => {
			const { chain, id } = await killed({ chosen: open, workflow, settings: CONTINUE });
			expectRest(paid(await retry(chain, id, 2)), 'SUCCESS');
			expectRest(paid(await pay(chain, ITEMS, 3)), 'ALREADY_SENT');
		});
	});

	describe('execution killed after an earlier node has made the references', () => {
		const made = {
			between: [naming],
			parameters: { paymentReference: '={{ $json.name }}' },
		};

		it('sends nothing in a retry without saved progress, because that makes other references', async () => {
			const { chain, id } = await killed({ chosen: open, ...made });
			const before = simulator.requests.length;
			for (const count of [2, 3]) {
				const { failure } = await retry(chain, id, count);
				expect(failure.message).toContain(
					'Payment Reference has changed since this execution was interrupted',
				);
			}
			expect(simulator.requests).toHaveLength(before);
		});

		it('sends the rest in a retry with saved progress, because that has the same references', async () => {
			const workflow = { saveExecutionProgress: true };
			const { chain, id } = await killed({ chosen: open, workflow, settings: CONTINUE, ...made });
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
