import { Agent } from 'undici';

import { sampleEvent } from '../simulator/index.mts';
import { OK, answered, send as sendOnce } from '../harness/n8n/deliveries.mts';
import { lockDatabase } from '../harness/database/lockDatabase.mts';
import {
	createCredential,
	endedExecutions,
	eventually,
	executions,
	failing,
	keys,
	noOp,
	outputsOf,
	publishWorkflow,
	respond,
	startScenario,
	waitSeconds,
	type Reference,
	type Scenario,
	type TriggerWorkflow,
} from '../harness/n8n/scenario.mts';

const EVENTS = ['cards.authorization', 'cards.cleared'];

let scenario: Scenario;
let credential: Reference;
let dispatcher: Agent;

beforeAll(async () => {
	scenario = await startScenario();
	credential = await createCredential(scenario.n8n, keys());
}, 1_500_000);

afterAll(async () => await scenario?.close());

beforeEach(() => {
	// One connection, so that a broken one shows in the next request.
	dispatcher = new Agent({ connections: 1 });
});

afterEach(async () => await dispatcher.destroy());

const send = async (workflow: TriggerWorkflow, event: unknown) =>
	await sendOnce(workflow, event, { dispatcher });
const authorization = (bill_amount = '52.35') =>
	sampleEvent('cards.authorization', { data: { bill_amount } });

describe('authorizations by rules', () => {
	it('are decided in time, start what is asked for, and carry the decision', async () => {
		const { n8n } = scenario;
		const parameters = {
			events: EVENTS,
			rules: {
				rule: [
					{
						name: 'small',
						decision: 'approve',
						conditions: { amountTo: '100', mccCodes: '5900-5999' },
					},
				],
			},
			defaultDecision: 'other',
			defaultResponseCode: '61',
			options: { runWorkflowFor: 'declined' },
		};
		const workflow = await publishWorkflow(n8n, credential, parameters, [[noOp('Decided')]]);
		const big = authorization('100.01');
		expect(await send(workflow, authorization('100.00'))).toMatchObject(answered('00'));
		expect(await send(workflow, big)).toMatchObject(answered('61'));
		expect(await send(workflow, big)).toMatchObject(answered('61'));
		expect(
			await send(workflow, sampleEvent('cards.authorization', { data: { bill_amount: null } })),
		).toMatchObject(answered('05'));
		const rows = await endedExecutions(n8n, workflow, 2);
		expect(rows).toHaveLength(2);
		const decisions = await Promise.all(
			rows.map(async ({ id }) => (await outputsOf(n8n, id, 'Decided'))![0]![0]!.decision),
		);
		expect(decisions).toEqual([
			{ response_code: '61', source: 'default', answered_in_ms: expect.any(Number) },
			{ response_code: '05', source: 'unreadable', answered_in_ms: expect.any(Number) },
		]);
	});
});

describe('while n8n can store nothing', () => {
	it('rules still decide in time; the failure to store breaks no connection', async () => {
		const { n8n } = scenario;
		const workflow = await publishWorkflow(n8n, credential, {
			events: EVENTS,
			defaultDecision: 'approve',
		});
		const logged = n8n.log().length;
		const unlock = await lockDatabase(n8n.userFolder);
		const answer = await send(workflow, authorization());
		await eventually(async () => /SQLITE_BUSY|database is locked/.test(n8n.log().slice(logged)));
		await unlock();
		expect(answer).toMatchObject(answered('00'));
		expect(answer.ms).toBeLessThan(1_200);
		expect(await send(workflow, sampleEvent('cards.cleared'))).toMatchObject(OK);
		expect(n8n.log().slice(logged)).not.toMatch(/ERR_HTTP_HEADERS_SENT|Cannot set headers/);
	});
});

describe('authorizations that the workflow decides', () => {
	const workflowMode = {
		events: EVENTS,
		authorizationDecision: 'workflow',
		fallbackDecision: 'other',
		fallbackResponseCode: '91',
	};

	it('are answered by the respond operation, and other events are acknowledged at once', async () => {
		const { n8n } = scenario;
		const workflow = await publishWorkflow(n8n, credential, workflowMode, [
			[respond(credential)],
			[waitSeconds('Wait', 20)],
		]);
		const event = authorization();
		const [first, copy] = await Promise.all([send(workflow, event), send(workflow, event)]);
		expect([first, copy]).toMatchObject([answered('00'), answered('00')]);
		expect(await send(workflow, sampleEvent('cards.cleared'))).toMatchObject(OK);
		// The workflow of that event is still waiting, so nothing behind the trigger has held up the answer.
		const [decidedRow, cleared] = await executions(n8n, workflow);
		expect([decidedRow?.status, cleared?.status]).toEqual([
			'success',
			expect.stringMatching(/running|waiting/),
		]);
	});

	it('get the fallback within 1,200 ms when the workflow sleeps 5 s; its late answer changes nothing', async () => {
		const { n8n } = scenario;
		const workflow = await publishWorkflow(n8n, credential, workflowMode, [
			[waitSeconds('Sleep', 5), respond(credential)],
			[noOp('Cleared')],
		]);
		const logged = n8n.log().length;
		const answer = await send(workflow, authorization());
		expect(answer).toMatchObject(answered('91'));
		expect(answer.ms).toBeLessThan(1_200);
		expect(await send(workflow, sampleEvent('cards.cleared'))).toMatchObject(OK);
		const [late] = await endedExecutions(n8n, workflow, 2);
		expect(late!.status).toBe('success');
		expect((await outputsOf(n8n, late!.id, 'Respond'))![0]![0]!.decision).toEqual({
			response_code: '00',
			too_late: true,
		});
		expect(n8n.log().slice(logged)).toBe('');
		expect(await send(workflow, sampleEvent('cards.cleared'))).toMatchObject(OK);
	});

	it.each([
		['fails', [failing('Fails')]],
		['ends without an answer', [noOp('Nothing')]],
	])('get the fallback when the workflow %s', async (_, row) => {
		const { n8n } = scenario;
		const workflow = await publishWorkflow(n8n, credential, workflowMode, [row]);
		expect(await send(workflow, authorization())).toMatchObject(answered('91'));
		expect(await send(workflow, sampleEvent('cards.cleared'))).toMatchObject(OK);
	});

	it('get no answer at all with a fallback of none: neither a 500 nor an empty 200', async () => {
		const { n8n } = scenario;
		const parameters = { ...workflowMode, fallbackDecision: 'none' };
		const workflow = await publishWorkflow(n8n, credential, parameters, [[failing('Fails')]]);
		expect(await send(workflow, authorization())).toMatchObject({ error: 'deadline' });
		expect(await send(workflow, sampleEvent('cards.cleared'))).toMatchObject(OK);
	});
});
