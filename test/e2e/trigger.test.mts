import { parse } from 'flatted';
import type { IRunExecutionData } from 'n8n-workflow';

import { lockDatabase } from '../harness/database/database.mts';
import { BY_WORKFLOW, expectOwnOutputs, OK, send } from '../harness/n8n/deliveries.mts';
import { endedExecutions } from '../harness/n8n/executions.mts';
import { noOp, respond } from '../harness/n8n/nodes.mts';
import { credential, scenario, useN8n } from '../harness/n8n/useN8n.mts';
import { publishWorkflow } from '../harness/n8n/workflows.mts';
import { sampleEvent } from '../simulator/index.mts';

useN8n();

const CLEARED = { events: ['cards.cleared'] };

describe('events', () => {
	it('arrive unchanged on their own output, and name their execution in its custom data', async () => {
		const { n8n } = scenario;
		const [row] = await expectOwnOutputs(n8n, credential);
		const { data } = (await n8n.rest('GET', `/rest/executions/${row!.id}`)) as { data: string };
		expect((parse(data) as IRunExecutionData).resultData.metadata).toMatchObject({
			event: expect.any(String),
			operation_id: expect.any(String),
			trace_id: expect.any(String),
		});
	});

	it('start no execution if they are not chosen or have a wrong key, which is not logged', async () => {
		const { n8n } = scenario;
		const workflow = await publishWorkflow(n8n, credential, CLEARED);
		const forged = { webhookKey: 'wrong-key' };
		expect(await send(workflow, sampleEvent('cards.refund'))).toMatchObject(OK);
		expect((await send(workflow, sampleEvent('cards.authorization'))).status).toBe(501);
		expect((await send(workflow, sampleEvent('cards.cleared'), forged)).status).toBe(401);
		expect(n8n.log()).toContain('refused a delivery with 401');
		expect(n8n.log()).not.toContain('wrong-key');
		expect(await send(workflow, sampleEvent('cards.cleared'))).toMatchObject(OK);
		expect(await endedExecutions(n8n, workflow, 1)).toHaveLength(1);
	});

	it.each([
		['only events', CLEARED],
		[
			'also authorizations that it asks about',
			{ events: ['cards.cleared', 'cards.authorization'], ...BY_WORKFLOW },
		],
	])('are acknowledged once n8n can store them, by a trigger of %s', async (_, parameters) => {
		const { n8n } = scenario;
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
