import type { IRunExecutionData } from 'n8n-workflow';
import { parse } from 'flatted';

import { EVENT_NAMES, sampleEvent } from '../simulator/index.mts';
import { OK, expectOwnOutputs, send } from '../harness/n8n/deliveries.mts';
import { post } from '../harness/deliveries/post.mts';
import { lockDatabase } from '../harness/database/lockDatabase.mts';
import {
	createCredential,
	createWorkflow,
	endedExecutions,
	eventually,
	keys,
	noOp,
	outputsOf,
	publishWorkflow,
	startScenario,
	type Reference,
	type Scenario,
	type TriggerWorkflow,
} from '../harness/n8n/scenario.mts';

let scenario: Scenario;
let credential: Reference;

beforeAll(async () => {
	scenario = await startScenario({ N8N_LOG_LEVEL: 'debug' });
	credential = await createCredential(scenario.n8n, keys());
}, 1_500_000);

afterAll(async () => await scenario?.close());

const decided = (response_code: string) => ({ status: 200, json: { response_code } });

describe('events', () => {
	it('of all 17 kinds land on their own output with their payload; the rest on other', async () => {
		await expectOwnOutputs(scenario.n8n, credential);
	});

	it('that are not chosen are acknowledged, an authorization is left to the default of its card, nothing runs', async () => {
		const { n8n } = scenario;
		const workflow = await publishWorkflow(n8n, credential, { events: ['cards.cleared'] });
		for (const event of [
			sampleEvent('cards.refund'),
			sampleEvent('cards.cleared', { event_type: 'new' }),
		]) {
			expect(await send(workflow, event)).toMatchObject(OK);
		}
		expect(await send(workflow, sampleEvent('cards.authorization'))).toMatchObject({ status: 501 });
		expect(
			await send(workflow, sampleEvent('cards.cleared'), { webhookKey: 'wrong-key' }),
		).toMatchObject({
			status: 401,
			body: expect.stringContaining('"code":"AUTH"'),
		});
		expect(await send(workflow, sampleEvent('cards.cleared'))).toMatchObject(OK);
		expect(await endedExecutions(n8n, workflow, 1)).toHaveLength(1);
	});

	it('not chosen build no isolate, unlike one whose parameters hold an expression', async () => {
		const { n8n } = scenario;
		const isolates = () => n8n.log().split('[IsolatedVmBridge] Initialized').length;
		const builtBy = async (options: object) => {
			const workflow = await publishWorkflow(n8n, credential, {
				events: ['cards.cleared'],
				options,
			});
			const before = isolates();
			for (let n = 0; n < 20; n++)
				expect(await send(workflow, sampleEvent('cards.refund'))).toMatchObject(OK);
			return isolates() - before;
		};
		expect(await builtBy({ maximumAgeSeconds: 600 })).toBe(0);
		expect(await builtBy({ maximumAgeSeconds: '={{ 600 }}' })).toBeGreaterThan(0);
	});

	it('are let in by the old and the new key while both are set, and by the new one only afterwards', async () => {
		const { n8n } = scenario;
		const rotating = await createCredential(n8n, keys('old-key'));
		const workflow = await publishWorkflow(n8n, rotating, { events: ['cards.cleared'] });
		const statuses = async () =>
			await Promise.all(
				['old-key', 'new-key'].map(
					async (webhookKey) =>
						(await send(workflow, sampleEvent('cards.cleared'), { webhookKey })).status,
				),
			);
		const rotate = async (data: object) =>
			await n8n.rest('PATCH', `/rest/credentials/${rotating.id}`, {
				name: rotating.name,
				type: 'cardTreasuryApi',
				data,
			});
		expect(await statuses()).toEqual([200, 401]);
		await rotate(keys('new-key', 'old-key'));
		expect(await statuses()).toEqual([200, 200]);
		await rotate(keys('new-key'));
		expect(await statuses()).toEqual([401, 200]);
	});
});

describe('the test URL', () => {
	const listen = async ({ id }: TriggerWorkflow) =>
		await scenario.n8n.rest('POST', `/rest/workflows/${id}/run`, {
			triggerToStartFrom: { name: 'Trigger' },
		});

	it('asks for the key too, and goes on listening after a refusal', async () => {
		const { n8n } = scenario;
		const workflow = await createWorkflow(n8n, credential, { events: ['cards.cleared'] }, [
			[noOp('Behind')],
		]);
		expect(await listen(workflow)).toEqual({ waitingForWebhook: true });
		const [event, headers] = [
			sampleEvent('cards.cleared'),
			[['content-type', 'application/json']] as Array<[string, string]>,
		];
		expect(await post(workflow.testUrl, event, { key: 'wrong-key' })).toMatchObject({
			status: 401,
			json: { code: 'AUTH' },
		});
		expect(await post(workflow.testUrl, event, { headers })).toMatchObject({
			status: 401,
			json: { code: 'AUTH' },
		});
		expect(await post(workflow.testUrl, event)).toMatchObject(decided('OK'));
		const [row, ...more] = await endedExecutions(n8n, workflow, 1);
		expect([row!.mode, row!.status, more]).toEqual(['manual', 'success', []]);
		expect(await outputsOf(n8n, row!.id, 'Behind')).toMatchObject([[event]]);
		// The same sample again: a test run is never taken for a duplicate.
		await listen(workflow);
		expect(await post(workflow.testUrl, event)).toMatchObject(decided('OK'));
		const again = await endedExecutions(n8n, workflow, 2);
		expect(await outputsOf(n8n, again[1]!.id, 'Behind')).toMatchObject([[event]]);
	});

	it('does not listen without a webhook key, and says why', async () => {
		const workflow = await createWorkflow(
			scenario.n8n,
			await createCredential(scenario.n8n, keys('')),
			{ events: ['cards.cleared'] },
		);
		await expect(listen(workflow)).rejects.toThrow(/no Webhook Key/);
	});
});

describe('a sample event', () => {
	const listen = async (parameters: object) => {
		const workflow = await createWorkflow(scenario.n8n, credential, parameters as any);
		const run = { triggerToStartFrom: { name: 'Trigger' } };
		await scenario.n8n.rest('POST', `/rest/workflows/${workflow.id}/run`, run);
		return workflow;
	};

	it.each(EVENT_NAMES)('of %s starts the test run at once, on its own output', async (name) => {
		const events = [...EVENT_NAMES, 'other'];
		const workflow = await listen({ events, options: { sampleEvent: name } });
		const [row] = await endedExecutions(scenario.n8n, workflow, 1);
		expect([row!.mode, row!.status]).toEqual(['manual', 'success']);
		const outputs = await outputsOf(scenario.n8n, row!.id, 'Trigger');
		expect(outputs!.map((items) => items.length)).toEqual(
			events.map((event) => Number(event === name)),
		);
		const [item] = outputs![events.indexOf(name)]!;
		expect(item!.operation_id).toMatch(/^sample-/);
		expect(item!.delivery.schema_issues).toBeUndefined();
		if (name === 'cards.authorization')
			expect(item!.decision).toMatchObject({ response_code: '05', source: 'default' });
	});

	it('that is not chosen is refused, and a published workflow sends none', async () => {
		const parameters = { events: ['cards.cleared'], options: { sampleEvent: 'cards.refund' } };
		await expect(listen(parameters)).rejects.toThrow(/Sample Event/);
		const workflow = await publishWorkflow(scenario.n8n, credential, {
			events: ['cards.cleared'],
			options: { sampleEvent: 'cards.cleared' },
		});
		expect(await send(workflow, sampleEvent('cards.cleared'))).toMatchObject(OK);
		const rows = await endedExecutions(scenario.n8n, workflow, 1);
		expect(rows.map(({ mode }) => mode)).toEqual(['webhook']);
	});

	it('that cannot come in is logged, and the trigger goes on waiting', async () => {
		const { n8n } = scenario;
		const options = { sampleEvent: 'cards.cleared', ipAllowlist: '192.0.2.1' };
		const workflow = await listen({ events: ['cards.cleared'], options });
		await eventually(async () => /did not reach the test URL.*IP Allowlist/.test(n8n.log()));
		expect(await endedExecutions(n8n, workflow, 0)).toEqual([]);
	});
});

describe('an execution', () => {
	it('can be found by what it is about', async () => {
		const { n8n } = scenario;
		const workflow = await publishWorkflow(n8n, credential, { events: ['cards.cleared'] });
		const event = sampleEvent('cards.cleared');
		expect(await send(workflow, event)).toMatchObject(OK);
		const [row] = await endedExecutions(n8n, workflow, 1);
		const { data } = (await n8n.rest('GET', `/rest/executions/${row!.id}`)) as { data: string };
		expect((parse(data) as IRunExecutionData).resultData.metadata).toMatchObject({
			event: 'cards.cleared',
			operation_id: event.operation_id,
			card_id: event.data.card_id,
		});
	});
});

describe('publishing', () => {
	it.each([
		['without a webhook key', () => keys(''), { events: ['cards.cleared'] }, /no Webhook Key/],
		[
			'with a rule that cannot be read',
			() => keys(),
			{
				events: ['cards.authorization'],
				rules: { rule: [{ name: 'small', conditions: { amountTo: '5 EUR' } }] },
			},
			/small.*Amount To/,
		],
	])('%s fails and says why', async (_, data, parameters, message) => {
		const { n8n } = scenario;
		const reference = await createCredential(n8n, data());
		await expect(publishWorkflow(n8n, reference, parameters)).rejects.toThrow(message);
	});
});

describe('two triggers', () => {
	it('each take an event that comes to both', async () => {
		const { n8n } = scenario;
		const event = sampleEvent('cards.cleared');
		for (let n = 0; n < 2; n++) {
			const workflow = await publishWorkflow(n8n, credential, { events: ['cards.cleared'] }, [
				[noOp('Behind')],
			]);
			expect(await send(workflow, event)).toMatchObject(OK);
			const [row] = await endedExecutions(n8n, workflow, 1);
			expect(await outputsOf(n8n, row!.id, 'Behind')).toMatchObject([[event]]);
		}
	});
});

describe('duplicates', () => {
	it('200 copies at once, and 200 in ten batches: one execution each', async () => {
		const { n8n } = scenario;
		const workflow = await publishWorkflow(n8n, credential, { events: ['cards.cleared'] }, [
			[noOp('Behind')],
		]);
		const copies = async (event: object, count: number) =>
			await Promise.all(Array.from({ length: count }, async () => await send(workflow, event)));
		const atOnce = await copies(sampleEvent('cards.cleared'), 200);
		const event = sampleEvent('cards.cleared');
		const batched = [];
		for (let batch = 0; batch < 10; batch++) batched.push(...(await copies(event, 20)));
		for (const attempt of [...atOnce, ...batched]) expect(attempt).toMatchObject(OK);
		expect(await endedExecutions(n8n, workflow, 2)).toHaveLength(2);
	});

	it('a card blocked, unblocked and blocked again: two executions', async () => {
		const { n8n } = scenario;
		const workflow = await publishWorkflow(n8n, credential, {
			events: ['cards.card_blocked_by_velocity'],
		});
		const blocks = ['2026-11-21T10:00:00.000Z', '2026-11-21T10:05:00.000Z'].map((blocked_at) =>
			sampleEvent('cards.card_blocked_by_velocity', { data: { blocked_at } }),
		);
		expect(blocks[0]!.operation_id).toBe(blocks[1]!.operation_id);
		for (const event of [...blocks, ...blocks])
			expect(await send(workflow, event)).toMatchObject(OK);
		expect(await endedExecutions(n8n, workflow, 2)).toHaveLength(2);
	});
});

describe('an event that n8n cannot store', () => {
	it.each([
		['', { events: ['cards.cleared'] }],
		[
			'while authorizations wait for the workflow',
			{ events: ['cards.cleared', 'cards.authorization'], authorizationDecision: 'workflow' },
		],
	])('is not acknowledged, and its next retry is no duplicate %s', async (_, parameters) => {
		const { n8n } = scenario;
		const workflow = await publishWorkflow(n8n, credential, parameters);
		const event = sampleEvent('cards.cleared');
		const unlock = await lockDatabase(n8n.userFolder);
		const copies = await Promise.all([1, 2, 3].map(async () => await send(workflow, event)));
		await unlock();
		for (const { status } of copies) expect(status).toBeGreaterThanOrEqual(500);
		expect(await send(workflow, event)).toMatchObject(OK);
		expect(await send(workflow, event)).toMatchObject(OK);
		const rows = await endedExecutions(n8n, workflow, 1);
		expect(rows.filter(({ status }) => status === 'success')).toHaveLength(1);
	});
});
