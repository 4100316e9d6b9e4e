import { openDatabase } from '../harness/database/database.mts';
import { createCredential, simulatorKeys } from '../harness/n8n/credentials.mts';
import { ended, endedExecutions, executions, outputsOf } from '../harness/n8n/executions.mts';
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
} from '../harness/n8n/payments.mts';
import { scenario, useN8n } from '../harness/n8n/useN8n.mts';
import { startChain } from '../harness/n8n/workflows.mts';
import { IDS } from '../simulator/index.mts';
import { until } from '../simulator/until.mts';
import { amounts, simulator } from '../simulator/useSimulator.mts';

/** Payments in new executions: each is executed once under its reference. */

useN8n();

const CONTINUE = { settings: { onError: 'continueRegularOutput' } };
const amountsUpTo = (count: number) => itemsOf(count).map(({ amount }) => amount);
/** Amounts of the executed payments, smallest first. */
const executed = () => amounts().sort((left, right) => Number(left) - Number(right));

/** Runs statements on n8n's database while n8n uses it. */
async function inDatabase(...statements: string[]): Promise<void> {
	const database = await openDatabase(scenario.n8n.userFolder);
	for (const sql of statements) await database.query(sql);
	await database.close();
}

describe('payments in new executions', () => {
	it('what an earlier execution sent is already sent, and the rest is sent', async () => {
		const chain = await publishPayments();
		const first = await pay(chain, itemsOf(2));
		expect(outcomesOf(first)).toEqual(['done', 'done']);
		const second = await pay(chain, itemsOf(3), 2);
		expect(outcomesOf(second)).toEqual(['already_sent', 'already_sent', 'done']);
		expect(paid(second)[0]).toMatchObject({
			payment_reference: 'INV-1',
			transaction_hash: null,
			idempotency_key: paid(first)[0]!.idempotency_key,
		});
		expect(second.hints(PAYER)).toEqual(['1 done, 2 already sent.']);
		expect(executed()).toEqual(['1', '2', '3']);
		expect(simulator.requests).toHaveLength(3);
	});

	it('two executions at once send each payment once', async () => {
		const chain = await publishPayments(payments(), CONTINUE);
		const start = async () => await startChain(chain, { items: itemsOf(25) });
		await Promise.all([start(), start()]);
		const rows = await endedExecutions(scenario.n8n, chain, 2);
		const both = await Promise.all(
			rows.map(async ({ id }) => (await outputsOf(scenario.n8n, id, PAYER))![0]!),
		);
		const pairs = both[0]!.map((one, at) => [one.outcome, both[1]![at]!.outcome].sort());
		for (const pair of pairs) expect(['already_sent,done', 'done,unknown']).toContain(pair.join());
		expect(executed()).toEqual(amountsUpTo(25));
		expect(simulator.requests.length - simulator.rateLimit.rejected).toBe(25);
	});

	it.each([
		['Stop', {}],
		['the timeout of the workflow', { executionTimeout: 3 }],
	])(
		'after %s no further payment leaves, and a new execution sends all but the part in flight',
		async (_, workflow) => {
			const chain = await publishPayments(payments(), { ...CONTINUE, workflow });
			const items = itemsOf(60, 3);
			hitSecondWallet({ kind: 'slow-after', delayMs: 600_000 });
			await startChain(chain, { items });
			await until(() => amounts().length > 12, 30_000);
			const [running] = await executions(scenario.n8n, chain);
			if (!('executionTimeout' in workflow))
				await scenario.n8n.rest('POST', `/rest/executions/${running!.id}/stop`);
			expect((await ended(scenario.n8n, chain, 1)).status).toBe('canceled');
			expect(amounts().length).toBeLessThan(60);
			await change(chain, {}, { executionTimeout: 600 });
			const again = await pay(chain, items, 2);
			expect(outcomesOf(again).slice(0, 10)).toEqual(Array(10).fill('unknown'));
			expect(paid(again)[2]!.error).toContain('INV-3 was sent before');
			expect(outcomesOf(again).slice(10).sort().join()).toMatch(/^(already_sent,)+(done,?)+$/);
			expect(executed()).toEqual(amountsUpTo(60));
		},
	);

	it("nothing is sent while n8n's database does not record, and all is sent later", async () => {
		const chain = await publishPayments();
		const changes = ['INSERT', 'UPDATE'];
		const broken = "BEGIN SELECT RAISE(ABORT, 'broken on purpose'); END";
		await inDatabase(
			...changes.map(
				(each) => `CREATE TRIGGER no_${each} BEFORE ${each} ON processed_data ${broken}`,
			),
		);
		try {
			const { failure } = await pay(chain, itemsOf(2));
			expect(failure.message).toContain("n8n's database did not answer");
			expect(simulator.requests).toEqual([]);
		} finally {
			await inDatabase(...changes.map((each) => `DROP TRIGGER no_${each}`));
		}
		expect(outcomesOf(await pay(chain, itemsOf(2), 2))).toEqual(['done', 'done']);
	});

	it('what binaryMode "combined" keeps from leaving is not sent, and sent once that is removed', async () => {
		const chain = await publishPayments(payments(), {
			...CONTINUE,
			workflow: { binaryMode: 'combined' },
		});
		expect(paid(await pay(chain, itemsOf(1)))).toMatchObject([
			{ outcome: 'not_sent', error: expect.stringContaining('n8n could not send the request') },
		]);
		expect(simulator.requests).toEqual([]);
		await change(chain, {}, { binaryMode: 'separate' });
		expect(outcomesOf(await pay(chain, itemsOf(1), 2))).toEqual(['done']);
	});
});

describe('On Error', () => {
	const sent = expect.objectContaining({ outcome: 'done', amount: '1' });
	const rejected = expect.objectContaining({
		outcome: 'rejected',
		summary: expect.stringContaining('Rejected: 2 of the native coin from wal-0002'),
		payment_reference: 'b',
		http_status: 412,
	});
	const unread = expect.objectContaining({ outcome: 'not_sent', payment_reference: 'c' });

	it.each([
		['continueRegularOutput', [[sent, rejected, unread]]],
		['continueErrorOutput', [[sent], [rejected, unread]]],
	])('%s: each item fails by itself, with its fields', async (onError, outputs) => {
		const amount = "={{ $json.amount ?? $('Nowhere').first().json.value }}";
		const parameters = payments({ amount, paymentReference: '={{ $json.name }}' });
		const chain = await publishPayments(parameters, { settings: { onError } });
		hitSecondWallet({ kind: 'status', status: 412 });
		const ran = await pay(chain, [
			{ amount: '1', name: 'a' },
			{ amount: '2', name: 'b', wallet: IDS.secondWallet },
			{ name: 'c' },
		]);
		expect(ran.outputs(PAYER)).toEqual(outputs);
		expect(amounts()).toEqual(['1']);
	});

	it.each([
		['continueRegularOutput', 0],
		['continueErrorOutput', 1],
	])('%s: no item leaves as done if the credential cannot be read', async (onError, output) => {
		const chosen = await createCredential(scenario.n8n, simulatorKeys(simulator));
		await inDatabase(`UPDATE credentials_entity SET data = 'damaged' WHERE id = '${chosen.id}'`);
		const chain = await publishPayments(payments(), { chosen, settings: { onError } });
		const outputs = (await pay(chain, itemsOf(2))).outputs(PAYER)!;
		expect(outputs.flat()).toHaveLength(2);
		expect(outputs[output]).toMatchObject([{ outcome: 'not_sent' }, { outcome: 'not_sent' }]);
	});
});
