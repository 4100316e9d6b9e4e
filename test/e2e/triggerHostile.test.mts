import { Agent } from 'undici';

import { hostileDeliveries } from '../harness/deliveries/hostileDeliveries.mts';
import { post } from '../harness/deliveries/post.mts';
import { eventually } from '../harness/n8n/executions.mts';
import { credential, scenario, useN8n } from '../harness/n8n/useN8n.mts';
import { publishWorkflow } from '../harness/n8n/workflows.mts';
import { DEFAULT_WEBHOOK_KEY, EVENT_NAMES, sampleEvent } from '../simulator/index.mts';

useN8n();

describe('hostile deliveries', () => {
	it('are refused, or start one execution each, as listed, on one connection', async () => {
		const { n8n } = scenario;
		const parameters = { events: [...EVENT_NAMES, 'other'] };
		const workflow = await publishWorkflow(n8n, credential, parameters);
		const dispatcher = new Agent({ connections: 1 });
		const wrong: string[] = [];
		let delivered = 0;
		for (const { name, fate, body, headers } of hostileDeliveries(DEFAULT_WEBHOOK_KEY)) {
			const answer = await post(workflow.url, body, { headers, dispatcher });
			const isRight = {
				unauthenticated: answer.status === 401 && answer.json?.code === 'AUTH',
				refused: [400, 422].includes(answer.status) && Boolean(answer.json?.message),
				delivered: answer.status === 200,
			}[fate];
			if (fate === 'delivered') delivered++;
			if (!isRight) wrong.push(`${fate}: ${name} → ${answer.status} ${answer.text.slice(0, 100)}`);
		}
		expect(wrong).toEqual([]);
		await post(workflow.url, sampleEvent('cards.cleared'), { dispatcher });
		await dispatcher.destroy();
		const filter = encodeURIComponent(JSON.stringify({ workflowId: workflow.id }));
		const count = async () =>
			Number((await n8n.rest('GET', `/rest/executions?filter=${filter}`)).count);
		await eventually(async () => (await count()) >= delivered + 1);
		expect(await count()).toBe(delivered + 1);
	});
});
