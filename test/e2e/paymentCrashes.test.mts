import { startChain, type Chain, type ChainNode } from '../harness/n8n/chain.mts';
import {
	hitSecondWallet,
	itemsOf,
	paid,
	pay,
	payments,
	publishPayments,
	retry,
	statusesOf,
	withWindow,
} from '../harness/n8n/payments.mts';
import { eventually, executions, type Reference } from '../harness/n8n/scenario.mts';
import { scenario, useN8n } from '../harness/n8n/useN8n.mts';
import { until } from '../simulator/until.mts';
import { amounts, simulator } from '../simulator/useSimulator.mts';

/** Payments after n8n was killed in the middle of a batch, with one transfer executed but not answered. */

useN8n();

const ITEMS = itemsOf(15, 3);
const ALL = ITEMS.map(({ amount }) => amount).sort();
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

const keys = () => simulator.requests.map(({ headers }) => headers['idempotency-key']);

describe.each([
	['without saved progress', false],
	['with saved progress', true],
])('execution killed %s', (_, saveExecutionProgress) => {
	const workflow = { saveExecutionProgress };

	it('sends the rest in a retry, and repeats what is open under its key', async () => {
		const { chain, id } = await killed({ chosen: open, workflow });
		expect(statusesOf(await retry(chain, id, 2))).toEqual(ITEMS.map(() => 'SUCCESS'));
		expect(amounts().sort()).toEqual(ALL);
		expect(new Set(keys()).size).toBe(ITEMS.length);
	});
});

describe('execution killed whose references an earlier node makes', () => {
	const made = {
		between: [naming],
		parameters: { paymentReference: '={{ $json.name }}' },
	};

	it('sends nothing in a retry without saved progress, which makes them anew', async () => {
		const { chain, id } = await killed({ chosen: open, ...made });
		const before = simulator.requests.length;
		for (const count of [2, 3]) {
			const { failure } = await retry(chain, id, count);
			expect(failure.message).toContain(
				'Payment Reference or the credential has changed since this item was sent',
			);
		}
		expect(simulator.requests).toHaveLength(before);
	});

	it('sends the rest in a retry with saved progress, which still has them', async () => {
		const workflow = { saveExecutionProgress: true };
		const { chain, id } = await killed({ chosen: open, workflow, ...made });
		expect(statusesOf(await retry(chain, id, 2))).toEqual(ITEMS.map(() => 'SUCCESS'));
		expect(amounts().sort()).toEqual(ALL);
		expect(new Set(keys()).size).toBe(ITEMS.length);
	});
});

it('a killed execution is refused while the Idempotency Window is empty, and so is a new one', async () => {
	const { chain, id } = await killed({ settings: { onError: 'continueRegularOutput' } });
	const before = simulator.requests.length;
	const unknown = ITEMS.map(({ amount }) => ({
		outcome: 'unknown',
		payment_reference: `INV-${amount}`,
	}));
	expect(paid(await retry(chain, id, 2))).toMatchObject(unknown);
	expect(paid(await pay(chain, ITEMS, 3))).toMatchObject(unknown);
	expect(simulator.requests).toHaveLength(before);
});
