import fc from 'fast-check';
import { Agent } from 'undici';

import { hostileDeliveries } from '../harness/deliveries/hostileDeliveries.mts';
import { mutate, mutations } from '../harness/deliveries/mutations.mts';
import { post } from '../harness/deliveries/post.mts';
import { send } from '../harness/n8n/deliveries.mts';
import { eventually, publishWorkflow, type TriggerWorkflow } from '../harness/n8n/scenario.mts';
import { credential, scenario, useN8n } from '../harness/n8n/useN8n.mts';
import { DEFAULT_WEBHOOK_KEY, EVENT_NAMES, sampleEvent } from '../simulator/index.mts';

const PARAMETERS = { events: [...EVENT_NAMES, 'other'], options: { ignoreDuplicates: false } };

let dispatcher: Agent;

useN8n();

beforeAll(() => {
	dispatcher = new Agent({ connections: 1 });
});

afterAll(async () => await dispatcher?.destroy());

/** Number of executions once there are at least this many. Additional ones would fail the check of the next event. */
async function executionsAfter(workflow: TriggerWorkflow, atLeast: number): Promise<number> {
	const filter = encodeURIComponent(JSON.stringify({ workflowId: workflow.id }));
	return await eventually(async () => {
		const { count } = await scenario.n8n.rest('GET', `/rest/executions?filter=${filter}`);
		return Number(count) >= atLeast && Number(count);
	});
}

describe('Card Treasury Trigger', () => {
	it('rejects or accepts each hostile delivery as listed, on one connection', async () => {
		const workflow = await publishWorkflow(scenario.n8n, credential, PARAMETERS);
		const wrong: string[] = [];
		let delivered = 0;
		for (const { name, fate, body, headers } of hostileDeliveries(DEFAULT_WEBHOOK_KEY)) {
			const answer = await post(workflow.url, body, { headers, dispatcher });
			const says = `${fate}: ${name} → ${answer.status} ${answer.text.slice(0, 100)}`;
			if (fate === 'unauthenticated' && !(answer.status === 401 && answer.json?.code === 'AUTH'))
				wrong.push(says);
			if (fate === 'refused' && !([400, 422].includes(answer.status) && answer.json?.message))
				wrong.push(says);
			if (fate.startsWith('delivered')) {
				delivered++;
				if (answer.status !== 200) wrong.push(says);
			}
		}
		expect(wrong).toEqual([]);
		await post(workflow.url, sampleEvent('cards.cleared'), { dispatcher });
		expect(await executionsAfter(workflow, delivered + 1)).toBe(delivered + 1);
	});

	it.each([
		[422, 'not JSON', '{', {}],
		[500, 'not gzip, as its header says', '{}', { 'content-encoding': 'gzip' }],
	])('leaves it to n8n to answer %i to a body that is %s', async (status, _, body, headers) => {
		const { url } = await publishWorkflow(scenario.n8n, credential, PARAMETERS);
		const answer = await fetch(url, {
			method: 'POST',
			headers: { 'content-type': 'application/json', ...headers },
			body,
		});
		expect(answer.status).toBe(status);
		expect(await answer.text()).not.toContain('AUTH');
	});

	it('answers 200 to a mutated envelope, or 400 with the name of the field', async () => {
		const workflow = await publishWorkflow(scenario.n8n, credential, PARAMETERS);
		let delivered = 0;
		await fc.assert(
			fc.asyncProperty(fc.constantFrom(...EVENT_NAMES), mutations(), async (name, changes) => {
				const answer = await post(workflow.url, mutate(sampleEvent(name), changes), { dispatcher });
				expect([200, 400]).toContain(answer.status);
				if (answer.status === 200) delivered++;
				else expect(answer.json.message).toMatch(/"(product|event_type|operation_id|data)"|body/);
			}),
			{ numRuns: 200 },
		);
		expect(delivered).toBeGreaterThan(20);
		expect(await executionsAfter(workflow, delivered)).toBe(delivered);
	});

	describe('IP allowlist', () => {
		it('accepts its senders and answers 403 to others, whatever their key', async () => {
			const { n8n } = scenario;
			const statuses = async (ipAllowlist: string) => {
				const workflow = await publishWorkflow(n8n, credential, {
					events: ['cards.cleared'],
					options: { ipAllowlist },
				});
				const status = async (webhookKey?: string) =>
					(
						await send(workflow, sampleEvent('cards.cleared'), {
							...(webhookKey && { webhookKey }),
						})
					).status;
				return [await status(), await status('wrong-key')];
			};
			expect(await statuses('192.0.2.0/24, 2001:db8::/32')).toEqual([403, 403]);
			expect(await statuses('127.0.0.0/8, ::1')).toEqual([200, 401]);
		});
	});
});
