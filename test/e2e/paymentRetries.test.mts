import { RECIPIENT, requestOf } from '../harness/fixtures.mts';
import { publishChain, type ChainNode } from '../harness/n8n/chain.mts';
import {
	calledTrigger,
	callWorkflow,
	cardTreasury,
	manualTrigger,
	splitItems,
} from '../harness/n8n/nodes.mts';
import {
	change,
	hitSecondWallet,
	itemsOf,
	paid,
	pay,
	PAYER,
	payments,
	publishPayments,
	retry,
	statusesOf,
	withWindow,
} from '../harness/n8n/payments.mts';
import { ended } from '../harness/n8n/runNode.mts';
import { createCredential, simulatorKeys } from '../harness/n8n/scenario.mts';
import { credential, scenario, useN8n } from '../harness/n8n/useN8n.mts';
import { amounts, simulator } from '../simulator/useSimulator.mts';

/** Payments in retries of their execution. */

useN8n();

/** Slow enough that a rejection arrives before the next item is sent, even on a busy machine. */
const SLOWLY = { requestsPerSecond: 2 };
const rejectSecondWallet = () => hitSecondWallet({ kind: 'status', status: 412 });
const keys = () => simulator.requests.map(({ headers }) => headers['idempotency-key']);

describe('retried payments', () => {
	describe('execution retried after a partial failure', () => {
		it('returns accepted outputs again and sends the rest', async () => {
			const chain = await publishPayments(payments(SLOWLY));
			rejectSecondWallet();
			const failed = await pay(chain, itemsOf(3, 2));
			expect(failed.failure.description).toContain(
				'Item 1 was accepted.<br>Item 2 was rejected.<br>Item 3 was not sent.',
			);
			const retried = await retry(chain, failed.id, 2);
			expect(paid(retried)).toMatchObject([
				{ status: 'SUCCESS', amount: '1', repeated: true },
				{ status: 'SUCCESS', amount: '2' },
				{ status: 'SUCCESS', amount: '3' },
			]);
			expect(paid(retried)[0]!.transaction_hash).toMatch(/^0x/);
			expect(paid(retried)[1]).not.toHaveProperty('repeated');
			expect(amounts()).toEqual(['1', '2', '3']);
			expect(simulator.requests).toHaveLength(4);
		});

		it('sends nothing twice when the original is retried twice', async () => {
			const chain = await publishPayments(payments(SLOWLY));
			simulator.faults.add({ kind: 'status', status: 412 });
			const original = await pay(chain, itemsOf(3, 3));
			rejectSecondWallet();
			expect((await retry(chain, original.id, 2)).status).toBe('error');
			expect(amounts()).toEqual(['1', '2']);
			// The stored original still has its first item as rejected and the others as not sent.
			const second = await retry(chain, original.id, 3);
			expect(statusesOf(second)).toEqual(['ALREADY_SENT', 'ALREADY_SENT', 'SUCCESS']);
			expect(amounts()).toEqual(['1', '2', '3']);
		});

		it('sends the corrected items with the currently saved workflow', async () => {
			const chain = await publishPayments(payments(SLOWLY, { walletId: '={{ $json.wallet }}' }));
			const items = [
				{ amount: '1', wallet: 'wal-0001' },
				{ amount: '2', wallet: 'mistyped' },
			];
			const failed = await pay(chain, items);
			expect(failed.failure.message).toContain('Wallet not found');
			await change(chain, { parameters: payments(SLOWLY, { walletId: 'wal-0001' }) });
			const retried = await retry(chain, failed.id, 2, 'currently saved');
			expect(paid(retried)).toMatchObject([{ repeated: true }, { status: 'SUCCESS', amount: '2' }]);
			expect(amounts()).toEqual(['1', '2']);
		});

		it('still reports what was accepted when a guard or a missing credential refuses the retry', async () => {
			const own = await createCredential(scenario.n8n, simulatorKeys(simulator));
			const chain = await publishPayments(payments(SLOWLY), { chosen: own });
			rejectSecondWallet();
			const { id } = await pay(chain, itemsOf(2, 2));
			await change(chain, { parameters: payments({ ...SLOWLY, maximumAmount: '0.5' }) });
			const refused = await retry(chain, id, 2, 'currently saved');
			expect(refused.failure.message).toContain('Maximum Amount');
			expect(refused.failure.description).toContain('Item 1 was accepted.');
			await scenario.n8n.rest('DELETE', `/rest/credentials/${own.id}`);
			const unreadable = await retry(chain, id, 3);
			expect(unreadable.failure.description).toContain('Item 1 was accepted.');
			expect(amounts()).toEqual(['1']);
		});
	});

	it('Retry On Fail sends again only what failed, under the same keys', async () => {
		simulator.faults.add({ kind: 'status', status: 500, effect: true, times: 2 });
		const chain = await publishPayments(payments({ maxAttempts: 1 }), {
			chosen: await withWindow(24),
			settings: { retryOnFail: true, maxTries: 5, waitBetweenTries: 100 },
		});
		expect(statusesOf(await pay(chain, itemsOf(5)))).toEqual(Array(5).fill('SUCCESS'));
		expect(amounts().sort()).toEqual(['1', '2', '3', '4', '5']);
		expect(simulator.requests.length - simulator.rateLimit.rejected).toBe(5 + 2);
		expect(new Set(keys()).size).toBe(5);
	});

	it('a payment of unknown outcome is sent again by Retry under the same key within the Idempotency Window', async () => {
		const chain = await publishPayments(payments({ maxAttempts: 1 }), {
			chosen: await withWindow(24),
		});
		simulator.faults.add({ kind: 'reset-after' });
		const { id, failure } = await pay(chain, itemsOf(1));
		expect(failure.message).toContain('Outcome unknown');
		expect(failure.description).toContain('Open Executions, this run, Retry.');
		expect(statusesOf(await retry(chain, id, 2))).toEqual(['SUCCESS']);
		expect(simulator.requests).toHaveLength(2);
		expect(new Set(keys()).size).toBe(1);
		expect(amounts()).toEqual(['1']);
	});

	describe('request without an idempotency key', () => {
		const request = requestOf(
			`={{ JSON.stringify({ to: "${RECIPIENT}", amount: Number($json.amount) }) }}`,
			{ options: SLOWLY },
		);

		it('is not sent again after acceptance or an unknown outcome', async () => {
			const chain = await publishPayments(request);
			// The first request is only delayed, so that the second one is hit.
			simulator.faults.add({ kind: 'slow-after', delayMs: 1 });
			simulator.faults.add({ kind: 'reset-after' });
			const failed = await pay(chain, itemsOf(2));
			expect(failed.failure.description).toContain(
				'Item 1 was accepted.<br>Item 2 may have been executed.',
			);
			for (const count of [2, 3]) {
				const { failure } = await retry(chain, failed.id, count);
				expect(failure.message).toContain('was sent before, and its outcome is unknown');
			}
			expect(amounts()).toEqual(['1', '2']);
			expect(simulator.requests).toHaveLength(2);
		});
	});

	describe('retried parent of a sub-workflow', () => {
		it('sends only what its sub-workflow has not sent', async () => {
			const child = await publishChain(scenario.n8n, [cardTreasury(payments(SLOWLY), credential)], {
				attachments: [{ node: calledTrigger, into: PAYER, as: 'main' }],
			});
			const parent = await publishChain(scenario.n8n, [splitItems, callWorkflow(child.id)]);
			rejectSecondWallet();
			const failed = await pay(parent, itemsOf(3, 2));
			expect(failed.status).toBe('error');
			expect(amounts()).toEqual(['1']);
			expect((await retry(parent, failed.id, 2)).status).toBe('success');
			expect(statusesOf(await ended(scenario.n8n, child, 2))).toEqual([
				'ALREADY_SENT',
				'SUCCESS',
				'SUCCESS',
			]);
			expect(amounts()).toEqual(['1', '2', '3']);
		});
	});

	it('`n8n execute` waits for payments that the service asked to send later', async () => {
		const items: ChainNode = {
			name: 'Three',
			type: 'n8n-nodes-base.code',
			typeVersion: 2,
			parameters: { jsCode: `return ${JSON.stringify(itemsOf(3).map((json) => ({ json })))};` },
		};
		const chain = await publishChain(scenario.n8n, [items, cardTreasury(payments(), credential)], {
			attachments: [{ node: manualTrigger, into: items.name, as: 'main' }],
		});
		// While all three payments wait, no connection is open. The process must not end then.
		simulator.faults.add({ kind: '429', retryAfter: 2, times: 3 });
		expect(await scenario.command('execute', `--id=${chain.id}`)).toBe(0);
		expect(amounts().sort()).toEqual(['1', '2', '3']);
	});
});
