import { endedExecutions, outputsOf } from '../harness/n8n/executions.mts';
import {
	hitSecondWallet,
	itemsOf,
	paid,
	pay,
	PAYER,
	payments,
	publishPayments,
	retry,
} from '../harness/n8n/payments.mts';
import { n8n, scenario, useN8n } from '../harness/n8n/useN8n.mts';
import { changeNode, publish, startChain } from '../harness/n8n/workflows.mts';
import { IDS } from '../simulator/index.mts';
import { until } from '../simulator/until.mts';
import { amounts, simulator } from '../simulator/useSimulator.mts';

/** n8n waits three seconds for its executions after SIGTERM. */
useN8n(() => ({ N8N_GRACEFUL_SHUTDOWN_TIMEOUT: '3' }));

const CONTINUE = { onError: 'continueRegularOutput' };
const amountsUpTo = (count: number) => itemsOf(count).map(({ amount }) => amount);
/** Amounts of the executed payments, smallest first. */
const executed = () => amounts().sort((left, right) => Number(left) - Number(right));
const rejectSecondWallet = () => hitSecondWallet({ kind: 'status', status: 412 });

/** Payments in flight at most: eight parts of ten. */
const IN_FLIGHT = 80;

describe('payments in new executions', () => {
	it('two executions at once send each payment once', async () => {
		const chain = await publishPayments(payments(), CONTINUE);
		const start = async () => await startChain(chain, { items: itemsOf(25) });
		await Promise.all([start(), start()]);
		const rows = await endedExecutions(n8n, chain, 2);
		const both = await Promise.all(
			rows.map(async ({ id }) => (await outputsOf(n8n, id, PAYER))![0]!),
		);
		const pairs = both[0]!.map((one, at) => [one.outcome, both[1]![at]!.outcome].sort());
		for (const pair of pairs) expect(['already_sent,done', 'done,unknown']).toContain(pair.join());
		expect(executed()).toEqual(amountsUpTo(25));
		expect(simulator.requests.length - simulator.rateLimit.rejected).toBe(25);
	});
});

describe('Retry after a partial failure', () => {
	it.each(['original', 'currently saved'] as const)(
		'returns what was accepted, and sends the rest, with the %s workflow',
		async (workflow) => {
			const chain = await publishPayments();
			rejectSecondWallet();
			const failed = await pay(chain, itemsOf(3, 2));
			expect(failed.failure.description).toMatch(/done, 1 rejected/);
			if (workflow !== 'original') {
				const parameters = payments({ walletId: IDS.wallet });
				await publish(n8n, await changeNode(n8n, chain, PAYER, { parameters }));
			}
			expect(paid(await retry(chain, failed.id, 2, workflow))).toMatchObject([
				{ outcome: 'done', repeated: true, transaction_hash: expect.stringMatching(/^0x/) },
				{ outcome: 'done', amount: '2' },
				{ outcome: 'done', amount: '3' },
			]);
			expect(executed()).toEqual(['1', '2', '3']);
			expect(simulator.requests).toHaveLength(4);
		},
	);
});

describe('n8n that is ended in the middle of payments', () => {
	it.each(['SIGKILL', 'SIGTERM'] as const)(
		'300 payments cut off by %s are completed by Retry and a new execution, except for those in flight',
		async (signal) => {
			simulator.settings.latencyMs = 300;
			const chain = await publishPayments(payments(), CONTINUE);
			await startChain(chain, { items: itemsOf(300) });
			await until(() => simulator.ledger.length >= 100, 120_000);
			await scenario.restart(signal);
			expect(simulator.ledger.length).toBeLessThan(300);
			const [cut] = await endedExecutions(n8n, chain, 1);
			const retried = paid(await retry(chain, cut!.id, 2));
			const anew = paid(await pay(chain, itemsOf(300), 3));
			const of = (items: typeof anew, ...outcomes: string[]) =>
				items.filter(({ outcome }) => outcomes.includes(outcome));
			const told = of([...retried, ...anew], 'done', 'already_sent');
			expect(told.filter(({ amount }) => !amounts().includes(amount))).toEqual([]);
			expect(new Set(amounts()).size).toBe(amounts().length);
			expect(of(retried, 'already_sent').length).toBeGreaterThan(0);
			expect(of(retried, 'done').length).toBeGreaterThan(0);
			const { length: unknown } = of(anew, 'unknown');
			expect(unknown).toBeLessThanOrEqual(IN_FLIGHT);
			expect(of(anew, 'done', 'already_sent')).toHaveLength(300 - unknown);
			expect(amounts().length).toBeGreaterThanOrEqual(300 - unknown);
		},
		300_000,
	);
});
