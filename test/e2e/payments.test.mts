import { openDatabase } from '../harness/database/database.mts';
import { startChain } from '../harness/n8n/chain.mts';
import {
	change,
	hitSecondWallet,
	itemsOf,
	paid,
	pay,
	PAYER,
	payments,
	publishPayments,
	statusesOf,
} from '../harness/n8n/payments.mts';
import { ended } from '../harness/n8n/runNode.mts';
import {
	createCredential,
	eventually,
	executions,
	simulatorKeys,
} from '../harness/n8n/scenario.mts';
import { scenario, useN8n } from '../harness/n8n/useN8n.mts';
import { until } from '../simulator/until.mts';
import { amounts, simulator } from '../simulator/useSimulator.mts';

/** Payments in new executions: each is executed once under its reference. */

useN8n();

describe('payments in new executions', () => {
	describe('new execution', () => {
		it('answers ALREADY_SENT for what an earlier one paid, and sends the rest', async () => {
			const chain = await publishPayments();
			const first = await pay(chain, itemsOf(2));
			expect(statusesOf(first)).toEqual(['SUCCESS', 'SUCCESS']);
			expect(paid(first)[0]).toMatchObject({ payment_reference: 'INV-1', amount: '1' });
			expect(first.hints(PAYER).join()).toContain('This node remembers no payments yet');
			const second = await pay(chain, itemsOf(3), 2);
			expect(second.hints(PAYER).join()).not.toContain('remembers no payments');
			expect(statusesOf(second)).toEqual(['ALREADY_SENT', 'ALREADY_SENT', 'SUCCESS']);
			expect(paid(second)[0]).toMatchObject({
				payment_reference: 'INV-1',
				transaction_hash: null,
				trace_id: null,
				idempotency_key: paid(first)[0]!.idempotency_key,
			});
			expect(second.hints(PAYER).join()).toContain('accepted in an earlier execution');
			expect(amounts().sort()).toEqual(['1', '2', '3']);
			expect(simulator.requests).toHaveLength(3);
		});

		it('is refused while another execution sends the same payment', async () => {
			const chain = await publishPayments();
			simulator.faults.add({ kind: 'slow-after', delayMs: 600_000 });
			await startChain(scenario.n8n, chain, { items: itemsOf(1) });
			await until(() => amounts().length === 1, 30_000);
			await startChain(scenario.n8n, chain, { items: itemsOf(1) });
			const [first, second] = await eventually(async () => {
				const rows = await executions(scenario.n8n, chain);
				return rows[1]?.status === 'error' && rows;
			});
			expect(first!.status).toBe('running');
			await scenario.n8n.rest('POST', `/rest/executions/${first!.id}/stop`);
			const { id, failure } = await ended(scenario.n8n, chain, 2);
			expect(id).toBe(second!.id);
			expect(failure.message).toContain(
				'Payment Reference is being sent by another run at this moment',
			);
			expect(simulator.requests).toHaveLength(1);
		});

		it('pays what binaryMode "combined" has kept from being sent, once that is removed', async () => {
			const chain = await publishPayments(payments(), { workflow: { binaryMode: 'combined' } });
			const refused = await pay(chain, itemsOf(1));
			expect(refused.failure.message).toContain('n8n could not add the API key');
			expect(refused.failure.message).not.toContain('Outcome unknown');
			expect(simulator.requests).toHaveLength(0);
			await change(chain, {}, { binaryMode: 'separate' });
			expect(statusesOf(await pay(chain, itemsOf(1), 2))).toEqual(['SUCCESS']);
			expect(amounts()).toEqual(['1']);
		});

		it('pays what was rejected before', async () => {
			const chain = await publishPayments();
			hitSecondWallet({ kind: 'status', status: 412 });
			const rejected = await pay(chain, itemsOf(1, 1));
			expect(rejected.status).toBe('error');
			expect(statusesOf(await pay(chain, itemsOf(1, 1), 2))).toEqual(['SUCCESS']);
			expect(amounts()).toEqual(['1']);
		});

		it("sends nothing while n8n's database cannot record the payments", async () => {
			const chain = await publishPayments();
			const database = await openDatabase(scenario.n8n.userFolder);
			const broken = "BEGIN SELECT RAISE(ABORT, 'broken on purpose'); END";
			try {
				for (const change of ['INSERT', 'UPDATE'])
					await database.query(
						`CREATE TRIGGER no_${change} BEFORE ${change} ON processed_data ${broken}`,
					);
				const { status, failure } = await pay(chain, itemsOf(2));
				expect(status).toBe('error');
				expect(failure.message).toContain("n8n's database did not record the payments");
				expect(simulator.requests).toEqual([]);
			} finally {
				for (const change of ['INSERT', 'UPDATE'])
					await database.query(`DROP TRIGGER IF EXISTS no_${change}`);
				await database.close();
			}
			expect(statusesOf(await pay(chain, itemsOf(2), 2))).toEqual(['SUCCESS', 'SUCCESS']);
		});
	});

	describe('stopped execution', () => {
		it('leaves what was not sent to a new execution, which refuses what may have been executed', async () => {
			const chain = await publishPayments(payments({ requestsPerSecond: 5 }), {
				settings: { onError: 'continueRegularOutput' },
			});
			const items = itemsOf(30, 3);
			hitSecondWallet({ kind: 'slow-after', delayMs: 600_000 });
			await startChain(scenario.n8n, chain, { items });
			await until(() => amounts().length >= 6, 30_000);
			const [running] = await executions(scenario.n8n, chain);
			await scenario.n8n.rest('POST', `/rest/executions/${running!.id}/stop`);
			await ended(scenario.n8n, chain, 1);
			expect(amounts().length).toBeLessThan(30);
			const again = paid(await pay(chain, items, 2));
			expect(again[2]).toMatchObject({ outcome: 'unknown', payment_reference: 'INV-3' });
			expect(again[2]!.error).toContain('was sent before: its outcome is open or FAILED');
			expect(again[0]).toMatchObject({ status: 'ALREADY_SENT' });
			expect(again.at(-1)).toMatchObject({ status: 'SUCCESS' });
			expect(amounts().sort()).toEqual(items.map(({ amount }) => amount).sort());
		});

		it('sends no more payments after the timeout of the workflow', async () => {
			const chain = await publishPayments(payments(), { workflow: { executionTimeout: 2 } });
			expect((await pay(chain, itemsOf(60))).status).toBe('canceled');
			expect(simulator.requests.length).toBeGreaterThan(0);
			expect(simulator.requests.length).toBeLessThan(60);
		});
	});

	describe('Continue On Fail', () => {
		it('fails each item if the credential cannot be read', async () => {
			const unreadable = await createCredential(scenario.n8n, simulatorKeys(simulator));
			const database = await openDatabase(scenario.n8n.userFolder);
			const sql = "UPDATE credentials_entity SET data = 'damaged' WHERE id = ?";
			await database.query(sql, unreadable.id).finally(async () => await database.close());
			const failed = expect.objectContaining({ error: expect.any(String), outcome: 'not_sent' });
			for (const [onError, outputs] of [
				['continueRegularOutput', [[failed, failed]]],
				['continueErrorOutput', [[], [failed, failed]]],
			] as const) {
				const chain = await publishPayments(payments(), {
					chosen: unreadable,
					settings: { onError },
				});
				const execution = await pay(chain, itemsOf(2));
				expect(execution.status).toBe('success');
				expect(execution.outputs(PAYER)).toEqual(outputs);
			}
			expect(simulator.requests).toEqual([]);
		});

		it('fails only the item whose expression throws', async () => {
			const throwing = "={{ $json.amount ?? $('Nowhere').first().json.value }}";
			const parameters = payments({}, { amount: throwing, paymentReference: '={{ $json.name }}' });
			const chain = await publishPayments(parameters, {
				settings: { onError: 'continueErrorOutput' },
			});
			const items = [{ amount: '1', name: 'a' }, { name: 'b' }, { amount: '3', name: 'c' }];
			const [sent, failed] = (await pay(chain, items)).outputs(PAYER)!;
			expect(sent!.map(({ amount }) => amount)).toEqual(['1', '3']);
			expect(failed).toMatchObject([{ error: expect.any(String), outcome: 'not_sent' }]);
			expect(amounts()).toEqual(['1', '3']);
		});
	});

	it('a node with a low rate does not delay another workflow', async () => {
		const slow = await publishPayments(payments({ requestsPerSecond: 0.1 }));
		const other = await publishPayments();
		await startChain(scenario.n8n, slow, { items: itemsOf(3) });
		await until(() => amounts().length > 0, 30_000);
		expect((await pay(other, [{ amount: '7' }])).status).toBe('success');
		const [running] = await executions(scenario.n8n, slow);
		expect(running!.status).toBe('running');
		// The next transfer would follow ten seconds after the first.
		expect(amounts().slice(0, 2)).toEqual(['1', '7']);
		await scenario.n8n.rest('POST', `/rest/executions/${running!.id}/stop`);
		await ended(scenario.n8n, slow, 1);
	});
});
