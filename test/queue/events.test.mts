import {
	answered,
	at,
	BY_WORKFLOW,
	expectOwnOutputs,
	FALLBACK,
	OK,
	send,
} from '../harness/n8n/deliveries.mts';
import { endedExecutions, executions } from '../harness/n8n/executions.mts';
import { noOp, respond, waitSeconds } from '../harness/n8n/nodes.mts';
import { publishWorkflow } from '../harness/n8n/workflows.mts';
import { runsByEvent, workerOf } from '../harness/queue/queueMode.mts';
import { credential, n8n, queue, useQueue } from '../harness/queue/useQueue.mts';
import { sampleEvent } from '../simulator/index.mts';

useQueue();

const CLEARED = { events: ['cards.cleared'] };
const behind = () => [[noOp('Behind')]];

it('events of all 17 kinds arrive on their own output, whichever worker runs them', async () => {
	const rows = await expectOwnOutputs(n8n, credential);
	expect(new Set(rows.map(({ id }) => workerOf(queue, id)))).toEqual(new Set([0, 1]));
});

it('50 repetitions at once run an event at most once in each worker, and a later one ends at the trigger', async () => {
	const workflow = await publishWorkflow(n8n, credential, CLEARED, behind());
	const event = sampleEvent('cards.cleared');
	const copies = await Promise.all(
		Array.from({ length: 50 }, async (_, index) => {
			const { url } = queue.webhooks[index % 2]!;
			return await send(at(workflow, url), event);
		}),
	);
	for (const copy of copies) expect(copy).toMatchObject(OK);
	// Workers that look the key up at the same moment may both find it new.
	const runs = (await runsByEvent(queue, workflow, 50)).get(event.operation_id);
	expect([1, 2]).toContain(runs);
	for (const { url } of queue.webhooks)
		expect(await send(at(workflow, url), event)).toMatchObject(OK);
	expect((await runsByEvent(queue, workflow, 52)).get(event.operation_id)).toBe(runs);
});

it('authorizations by rules are decided by the webhook process even without a worker; their executions run later', async () => {
	const conditions = { amountTo: '100', currencies: 'USD' };
	const rule = [
		{ name: 'small', decision: 'approve', conditions },
		{ name: 'others', decision: 'other', responseCode: '61' },
	];
	const parameters = { events: ['cards.authorization'], rules: { rule } };
	const workflow = await publishWorkflow(n8n, credential, parameters, behind());
	const authorization = (bill_amount: string) =>
		sampleEvent('cards.authorization', { data: { bill_amount } });
	await Promise.all(queue.workers.map(async (worker) => await worker.end()));
	try {
		const big = authorization('100.01');
		expect(await send(workflow, authorization('100.00'))).toMatchObject(answered('00'));
		expect(await send(workflow, big)).toMatchObject(answered('61'));
		expect(await send(workflow, big)).toMatchObject(answered('61'));
		expect((await executions(n8n, workflow)).map(({ status }) => status)).toEqual(['new', 'new']);
	} finally {
		await Promise.all(queue.workers.map(async (worker) => await worker.start()));
	}
	const rows = await endedExecutions(n8n, workflow, 2);
	expect(rows.map(({ status }) => status)).toEqual(['success', 'success']);
});

describe('authorizations by the workflow in queue mode', () => {
	const workflowMode = { events: ['cards.authorization', 'cards.cleared'], ...BY_WORKFLOW };

	it('are answered from either worker while other events are acknowledged', async () => {
		const workflow = await publishWorkflow(n8n, credential, workflowMode, [
			[respond(credential)],
			[waitSeconds('Wait', 20)],
		]);
		for (let n = 0; n < 6; n++) {
			const answer = await send(workflow, sampleEvent('cards.authorization'));
			expect(answer).toMatchObject(answered('00'));
		}
		expect(await send(workflow, sampleEvent('cards.cleared'))).toMatchObject(OK);
		const rows = (await executions(n8n, workflow)).slice(0, 6);
		expect(new Set(rows.map(({ id }) => workerOf(queue, id)))).toEqual(new Set([0, 1]));
	});

	it('get the fallback in time while no worker runs', async () => {
		const workflow = await publishWorkflow(n8n, credential, workflowMode, [[respond(credential)]]);
		await Promise.all(queue.workers.map(async (worker) => await worker.end()));
		try {
			expect(await send(workflow, sampleEvent('cards.authorization'))).toMatchObject(FALLBACK);
		} finally {
			await Promise.all(queue.workers.map(async (worker) => await worker.start()));
		}
	});

	it('share one answer between repetitions in the same process, not between processes', async () => {
		const workflow = await publishWorkflow(n8n, credential, workflowMode, [[respond(credential)]]);
		const event = sampleEvent('cards.authorization');
		const [first, second] = queue.webhooks;
		expect(await send(at(workflow, first.url), event)).toMatchObject(answered('00'));
		expect(await send(at(workflow, first.url), event)).toMatchObject(answered('00'));
		await endedExecutions(n8n, workflow, 1);
		expect(await send(at(workflow, second.url), event)).toMatchObject(answered('00'));
		expect(await endedExecutions(n8n, workflow, 2)).toHaveLength(2);
	});
});
