import { requestOf } from '../harness/fixtures.mts';
import { ended } from '../harness/n8n/executions.mts';
import { calledTrigger, callWorkflow, cardTreasury, splitItems } from '../harness/n8n/nodes.mts';
import {
	change,
	hitSecondWallet,
	itemsOf,
	outcomesOf,
	paid,
	pay,
	PAYER,
	payments,
	publishPayments,
	retry,
} from '../harness/n8n/payments.mts';
import { credential, scenario, useN8n } from '../harness/n8n/useN8n.mts';
import { publishChain } from '../harness/n8n/workflows.mts';
import { IDS } from '../simulator/index.mts';
import { amounts, simulator } from '../simulator/useSimulator.mts';

/** Payments of an execution that is run again by n8n: Retry On Fail, Retry, and the Retry of a parent workflow. */

useN8n();

const rejectSecondWallet = (times = 1) => hitSecondWallet({ kind: 'status', status: 412, times });
/** Executes the payment, and answers so that nobody knows. */
const leaveUnknown = () => hitSecondWallet({ kind: 'status', status: 409, effect: true });
const executed = () => amounts().sort();

describe('Retry after a partial failure', () => {
	it('returns what was accepted, and sends the rest', async () => {
		const chain = await publishPayments();
		rejectSecondWallet();
		const failed = await pay(chain, itemsOf(3, 2));
		expect(failed.failure.description).toMatch(/done, 1 rejected/);
		const retried = await retry(chain, failed.id, 2);
		expect(paid(retried)).toMatchObject([
			{
				outcome: 'done',
				amount: '1',
				repeated: true,
				transaction_hash: expect.stringMatching(/^0x/),
			},
			{ outcome: 'done', amount: '2' },
			{ outcome: 'done', amount: '3' },
		]);
		expect(executed()).toEqual(['1', '2', '3']);
		expect(simulator.requests).toHaveLength(4);
	});

	it('sends nothing twice if the original is retried twice', async () => {
		const chain = await publishPayments();
		simulator.faults.add({ kind: 'status', status: 412, times: 3 });
		const { id } = await pay(chain, itemsOf(3, 3));
		simulator.faults.clear();
		rejectSecondWallet();
		expect((await retry(chain, id, 2)).status).toBe('error');
		// The stored original does not know what its first retry has sent.
		const second = await retry(chain, id, 3);
		expect(outcomesOf(second)).toEqual(['already_sent', 'already_sent', 'done']);
		expect(executed()).toEqual(['1', '2', '3']);
	});

	it('sends the items that were corrected in the saved workflow', async () => {
		const chain = await publishPayments(payments({ walletId: '={{ $json.wallet }}' }));
		const items = [
			{ amount: '1', wallet: IDS.wallet },
			{ amount: '2', wallet: 'mistyped' },
		];
		const failed = await pay(chain, items);
		expect(failed.failure.message).toContain('Wallet not found');
		await change(chain, { parameters: payments({ walletId: IDS.wallet }) });
		const retried = await retry(chain, failed.id, 2, 'currently saved');
		expect(paid(retried)).toMatchObject([{ repeated: true }, { outcome: 'done', amount: '2' }]);
		expect(executed()).toEqual(['1', '2']);
	});

	it('pays nothing if the references were edited', async () => {
		const chain = await publishPayments();
		rejectSecondWallet();
		const { id } = await pay(chain, itemsOf(2, 2));
		await change(chain, { parameters: payments({ paymentReference: '=NEW-{{ $json.amount }}' }) });
		const { failure } = await retry(chain, id, 2, 'currently saved');
		expect(failure.message).toContain('NEW-1 is new to this execution');
		expect(executed()).toEqual(['1']);
	});

	it('shows what was accepted even if a guard refuses it now', async () => {
		const chain = await publishPayments();
		rejectSecondWallet();
		const { id } = await pay(chain, itemsOf(2, 2));
		const settings = { onError: 'continueRegularOutput' };
		await change(chain, { ...settings, parameters: payments({ maximumAmount: '0.5' }) });
		expect(paid(await retry(chain, id, 2, 'currently saved'))).toMatchObject([
			{ outcome: 'done', repeated: true },
			{ outcome: 'not_sent', error: expect.stringContaining('Maximum Amount') },
		]);
		expect(executed()).toEqual(['1']);
	});
});

describe('payment of unknown outcome', () => {
	it('is refused by Retry and by a new execution', async () => {
		const chain = await publishPayments();
		leaveUnknown();
		const { id, failure } = await pay(chain, itemsOf(1, 1));
		expect(failure.description).toContain('1 unknown');
		for (const refused of [await retry(chain, id, 2), await pay(chain, itemsOf(1, 1), 3)])
			expect(refused.failure.message).toContain('INV-1 was sent before');
		expect(simulator.requests).toHaveLength(1);
	});
});

describe('Retry On Fail', () => {
	it('sends what was rejected again, and nothing else', async () => {
		rejectSecondWallet(2);
		const chain = await publishPayments(payments(), {
			settings: { retryOnFail: true, maxTries: 5, waitBetweenTries: 100 },
		});
		expect(outcomesOf(await pay(chain, itemsOf(5, 2)))).toEqual(Array(5).fill('done'));
		expect(executed()).toEqual(['1', '2', '3', '4', '5']);
		expect(simulator.requests).toHaveLength(5 + 2);
	});
});

describe('Endpoint: Request', () => {
	it('sends a write once in its execution after an unknown outcome, and again in a new one', async () => {
		const body = '={{ JSON.stringify({ to: $json.to, amount: Number($json.amount) }) }}';
		const chain = await publishPayments(requestOf(body), {
			settings: { retryOnFail: true, maxTries: 2, waitBetweenTries: 100 },
		});
		simulator.faults.add({ kind: 'reset-after' });
		const items = [{ amount: '1', to: payments().to }];
		const { id, failure } = await pay(chain, items);
		expect(failure.message).toContain('This execution has sent it before');
		expect((await retry(chain, id, 2)).failure.message).toBe(failure.message);
		expect(simulator.requests).toHaveLength(1);
		expect(outcomesOf(await pay(chain, items, 3))).toEqual(['done']);
		expect(executed()).toEqual(['1', '1']);
	});
});

describe('Retry of a parent workflow', () => {
	it('sends only what its sub-workflow has not sent', async () => {
		const child = await publishChain(scenario.n8n, [cardTreasury(payments(), credential)], {
			attachments: [{ node: calledTrigger, into: PAYER, as: 'main' }],
		});
		const parent = await publishChain(scenario.n8n, [splitItems, callWorkflow(child.id)]);
		rejectSecondWallet();
		const failed = await pay(parent, itemsOf(3, 2));
		expect(failed.status).toBe('error');
		expect((await retry(parent, failed.id, 2)).status).toBe('success');
		const [first, second] = outcomesOf(await ended(scenario.n8n, child, 2));
		expect([first, second]).toEqual(['already_sent', 'done']);
		expect(executed()).toEqual(['1', '2', '3']);
	});
});
