import { parse } from 'flatted';
import type { IRunExecutionData } from 'n8n-workflow';
import { Agent } from 'undici';

import { lockDatabase } from '../harness/database/database.mts';
import { hostileDeliveries, postRaw } from '../harness/deliveries/hostileDeliveries.mts';
import { BY_WORKFLOW, expectOwnOutputs, OK, send } from '../harness/n8n/deliveries.mts';
import { endedExecutions, outputsOf } from '../harness/n8n/executions.mts';
import { noOp, respond } from '../harness/n8n/nodes.mts';
import { credential, n8n, useN8n } from '../harness/n8n/useN8n.mts';
import { createWorkflow, publishWorkflow, runFrom } from '../harness/n8n/workflows.mts';
import { DEFAULT_WEBHOOK_KEY, EVENT_NAMES, sampleEvent } from '../simulator/index.mts';

useN8n();

const CLEARED = { events: ['cards.cleared'] };

describe('events', () => {
	it('arrive unchanged on their own output, and name their execution in its custom data', async () => {
		const [row] = await expectOwnOutputs(n8n, credential);
		const { data } = await n8n.rest('GET', `/rest/executions/${row!.id}`);
		expect((parse(data) as IRunExecutionData).resultData.metadata).toMatchObject({
			event: expect.any(String),
			operation_id: expect.any(String),
			trace_id: expect.any(String),
		});
	});

	it.each([
		['only events', CLEARED],
		[
			'also authorizations that it asks about',
			{ events: ['cards.cleared', 'cards.authorization'], ...BY_WORKFLOW },
		],
	])('are acknowledged once n8n can store them, by a trigger of %s', async (_, parameters) => {
		const branches = [[noOp('Behind')], [respond(credential)]].slice(0, parameters.events.length);
		const workflow = await publishWorkflow(n8n, credential, parameters, branches);
		const event = sampleEvent('cards.cleared');
		const unlock = await lockDatabase(n8n.userFolder);
		const lost = await send(workflow, event);
		await unlock();
		expect(lost.status).toBeGreaterThanOrEqual(500);
		expect(await send(workflow, event)).toMatchObject(OK);
		const ended = await endedExecutions(n8n, workflow, 1);
		expect(ended.filter(({ status }) => status === 'success')).toHaveLength(1);
	});
});

describe('hostile deliveries', () => {
	it('are refused, or start one execution each, as listed, on one connection', async () => {
		const parameters = { events: [...EVENT_NAMES, 'other'] };
		const workflow = await publishWorkflow(n8n, credential, parameters);
		const dispatcher = new Agent({ connections: 1 });
		const wrong: string[] = [];
		let delivered = 0;
		for (const delivery of hostileDeliveries(DEFAULT_WEBHOOK_KEY)) {
			const { name, fate } = delivery;
			const answer = await postRaw(workflow.url, delivery, dispatcher);
			const isRight = {
				unauthenticated: answer.status === 401 && answer.text.includes('"code":"AUTH"'),
				refused: [400, 422].includes(answer.status) && answer.text.includes('"message":'),
				delivered: answer.status === 200,
			}[fate];
			if (fate === 'delivered') delivered++;
			if (!isRight) wrong.push(`${fate}: ${name} → ${answer.status} ${answer.text.slice(0, 100)}`);
		}
		expect(wrong).toEqual([]);
		await send(workflow, sampleEvent('cards.cleared'), { dispatcher });
		await dispatcher.destroy();
		expect(await endedExecutions(n8n, workflow, delivered + 1)).toHaveLength(delivered + 1);
	});
});

describe('Execute Step', () => {
	it('waits for a real event with the key, as often as it is clicked', async () => {
		const parameters = { ...CLEARED, testEvent: 'real' };
		const workflow = await createWorkflow(n8n, credential, parameters, [[noOp('Behind')]]);
		await runFrom(n8n, workflow, 'Trigger');
		const event = sampleEvent('cards.cleared');
		const test = { url: workflow.testUrl };
		expect((await send(test, event, { webhookKey: 'wrong-key' })).status).toBe(401);
		for (const count of [1, 2]) {
			expect(await send(test, event)).toMatchObject(OK);
			const rows = await endedExecutions(n8n, workflow, count);
			expect(await outputsOf(n8n, rows.at(-1)!.id, 'Behind')).toMatchObject([[event]]);
			await runFrom(n8n, workflow, 'Trigger');
		}
	});
});
