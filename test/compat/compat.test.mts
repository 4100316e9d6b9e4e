import { setTimeout as wait } from 'node:timers/promises';

import { lockDatabase } from '../harness/database/lockDatabase.mts';
import { transferOf } from '../harness/fixtures.mts';
import { publishChain, startChain, type Chain } from '../harness/n8n/chain.mts';
import { BY_WORKFLOW, send } from '../harness/n8n/deliveries.mts';
import { retryExecution } from '../harness/n8n/executions.mts';
import { cardTreasury } from '../harness/n8n/nodes.mts';
import {
	createCredential,
	endedExecutions,
	noOp,
	outputsOf,
	publishWorkflow,
	respond,
	simulatorKeys,
	type TriggerWorkflow,
} from '../harness/n8n/scenario.mts';
import { runEveryWorkflow } from '../harness/workflows/everyWorkflow.mts';
import { harness, useWorkflows } from '../harness/workflows/useWorkflows.mts';
import { sampleEvent, type Attempt } from '../simulator/index.mts';

/** Checks for every supported n8n; `npm run test:compat` makes a column of the table from each run. */

useWorkflows();

const credential = () => harness.credentials.cardTreasuryApi!;

const authorize = async (workflow: TriggerWorkflow, amount: string) =>
	await send(workflow, sampleEvent('cards.authorization', { data: { bill_amount: amount } }));

function expectAnswer({ status, body, error }: Attempt, responseCode: string): void {
	expect({ status, body, error }).toEqual({
		status: 200,
		body: JSON.stringify({ response_code: responseCode }),
		error: undefined,
	});
}

it('Loads: both nodes and the tool', async () => {
	const { n8n } = harness.scenario;
	const types = (await n8n.rest('GET', '/types/nodes.json')) as unknown as Array<{
		name: string;
		version: unknown;
	}>;
	const ours = types.filter(({ name }) => name.startsWith('n8n-nodes-card-treasury.'));
	const wanted = { cardTreasury: 1, cardTreasuryTool: 1, cardTreasuryTrigger: 2 };
	expect(
		Object.fromEntries(ours.map(({ name, version }) => [name.split('.').at(-1), version]).sort()),
	).toEqual(wanted);
});

it('Action: a transfer, not sent again by a second run', async () => {
	const { n8n } = harness.scenario;
	const chain = await publishChain(n8n, [cardTreasury(transferOf('0.000001'), credential())]);
	for (const [run, status] of ['SUCCESS', 'ALREADY_SENT'].entries()) {
		await startChain(n8n, chain);
		expect(await statusesOfRun(chain, run + 1)).toEqual([status]);
	}
	expect(harness.simulator.ledger.map(({ amountText }) => amountText)).toEqual(['0.000001']);
	expect(harness.simulator.requests).toHaveLength(1);
});

it('Action: a transfer of unknown outcome, sent again by Retry', async () => {
	const { n8n } = harness.scenario;
	const data = { ...simulatorKeys(harness.simulator), idempotencyWindowHours: 24 };
	const open = await createCredential(n8n, data);
	const transfer = cardTreasury(transferOf('1', { maxAttempts: 1 }), open);
	const chain = await publishChain(n8n, [transfer]);
	harness.simulator.faults.add({ kind: 'reset-after' });
	await startChain(n8n, chain);
	const [failed] = await endedExecutions(n8n, chain, 1);
	expect(failed!.status).toBe('error');
	await retryExecution(n8n, failed!.id);
	expect(await statusesOfRun(chain, 2)).toEqual(['SUCCESS']);
	const [first, second] = harness.simulator.requests.map(({ headers }) => headers);
	expect(second!['idempotency-key']).toBe(first!['idempotency-key']);
	expect(harness.simulator.ledger).toHaveLength(1);
});

/** Statuses of the payments in the latest of `count` executions. */
async function statusesOfRun(chain: Chain, count: number): Promise<unknown[]> {
	const { n8n } = harness.scenario;
	const { id } = (await endedExecutions(n8n, chain, count)).at(-1)!;
	return ((await outputsOf(n8n, id, 'Card Treasury'))?.[0] ?? []).map(({ status }) => status);
}

it('Delivery: one of two outputs, its copy dropped', async () => {
	const { n8n } = harness.scenario;
	const events = ['cards.cleared', 'virtual_wallets.deposit'];
	const workflow = await publishWorkflow(
		n8n,
		credential(),
		{ events },
		events.map((name) => [noOp(name)]),
	);
	const event = sampleEvent('virtual_wallets.deposit');
	for (const copy of [event, event]) expectAnswer(await send(workflow, copy), 'OK');
	expect((await send(workflow, event, { webhookKey: 'wrong-key' })).status).toEqual(401);
	const rows = await endedExecutions(n8n, workflow, 2);
	expect(rows.map(({ status }) => status)).toEqual(['success', 'success']);
	const outputs = await Promise.all(
		rows.map(async ({ id }) => await outputsOf(n8n, id, 'Trigger')),
	);
	const ids = outputs.map((found) => (found ?? []).map(([item]) => item?.operation_id));
	expect(ids).toEqual([
		[undefined, event.operation_id],
		[undefined, undefined],
	]);
});

it('Authorization: by rules', async () => {
	const { n8n } = harness.scenario;
	const workflow = await publishWorkflow(n8n, credential(), {
		events: ['cards.authorization'],
		rules: {
			rule: [
				{ name: 'small', decision: 'approve', conditions: { amountTo: '100', currencies: 'USD' } },
			],
		},
	});
	expectAnswer(await authorize(workflow, '100.00'), '00');
	expectAnswer(await authorize(workflow, '100.01'), '05');
	expect((await endedExecutions(n8n, workflow, 2)).map(({ status }) => status)).toEqual([
		'success',
		'success',
	]);
});

it('Authorization: by the workflow', async () => {
	const { n8n } = harness.scenario;
	const parameters = {
		events: ['cards.authorization'],
		...BY_WORKFLOW,
	};
	const workflow = await publishWorkflow(n8n, credential(), parameters, [[respond(credential())]]);
	// A cold n8n may miss its first deadlines; the benchmarks measure its speed.
	let answer = await authorize(workflow, '1');
	for (let tries = 1; answer.body?.includes('05') && tries < 10; tries++)
		answer = await authorize(workflow, '1');
	expectAnswer(answer, '00');
});

it('Event stored before it is acknowledged', async () => {
	const { n8n } = harness.scenario;
	const workflow = await publishWorkflow(n8n, credential(), { events: ['cards.cleared'] }, [
		[noOp('Behind')],
	]);
	const unlock = await lockDatabase(n8n.userFolder);
	// Nothing can be stored now, so an acknowledgement would mean an event that was not stored.
	const answer = await Promise.race([send(workflow, sampleEvent('cards.cleared')), wait(5_000)]);
	await unlock();
	expect(answer && answer.status).not.toBe(200);
});

it('The shipped workflows', async () => {
	await runEveryWorkflow(harness);
});
