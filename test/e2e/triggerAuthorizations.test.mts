import { Agent } from 'undici';

import { lockDatabase } from '../harness/database/lockDatabase.mts';
import { answered, BY_WORKFLOW, OK, send as sendOnce } from '../harness/n8n/deliveries.mts';
import {
	endedExecutions,
	eventually,
	executions,
	failing,
	noOp,
	outputsOf,
	publishWorkflow,
	respond,
	slowly,
	waitSeconds,
	type TriggerWorkflow,
} from '../harness/n8n/scenario.mts';
import { credential, scenario, useN8n } from '../harness/n8n/useN8n.mts';
import { DEFAULT_WEBHOOK_KEY, sampleEvent } from '../simulator/index.mts';

const EVENTS = ['cards.authorization', 'cards.cleared'];

let dispatcher: Agent;

useN8n();

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
	it('are decided in time and start only the chosen executions, whose item contains the decision', async () => {
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
			{
				outcome: 'declined',
				response_code: '61',
				source: 'default',
				answered_in_ms: expect.any(Number),
			},
			{
				outcome: 'declined',
				response_code: '05',
				source: 'unreadable',
				answered_in_ms: expect.any(Number),
			},
		]);
	});

	const small = {
		events: EVENTS,
		rules: { rule: [{ name: 'small', decision: 'approve', conditions: { amountTo: '250' } }] },
	};

	it('are decided one by one, also under the operation_id of an approved one', async () => {
		const { n8n } = scenario;
		const workflow = await publishWorkflow(n8n, credential, small, [[noOp('Decided')]]);
		const of = (bill_amount: string) =>
			sampleEvent('cards.authorization', { operation_id: 'the same', data: { bill_amount } });
		expect(await send(workflow, of('1.00'))).toMatchObject(answered('00'));
		expect(await send(workflow, of('9999.00'))).toMatchObject(answered('05'));
		expect(await send(workflow, authorization('-9999.00'))).toMatchObject(answered('05'));
		const rows = await endedExecutions(n8n, workflow, 3);
		const outputs = await Promise.all(
			rows.map(async (row) => (await outputsOf(n8n, row.id, 'Decided'))![0]![0]!),
		);
		expect(outputs.map(({ decision }) => [decision.outcome, decision.source])).toEqual([
			['approved', 'rule'],
			['declined', 'default'],
			['declined', 'unreadable'],
		]);
		expect(Object.keys(outputs[0]!)[0]).toBe('decision');
	});

	it('have too_late in their item if the sender has closed the connection', async () => {
		const { n8n } = scenario;
		// Keeps n8n busy for longer than this sender waits.
		const busy =
			'={{ (() => { const end = Date.now() + 600; while (Date.now() < end) {} return 0; })() }}';
		const parameters = { ...small, options: { maximumAgeSeconds: busy } };
		const workflow = await publishWorkflow(n8n, credential, parameters, [[noOp('Decided')]]);
		const decision = await eventually(async () => {
			await leave(workflow, authorization('1.00'));
			const [row] = (await endedExecutions(n8n, workflow, 0)).slice(-1);
			const outputs = row && (await outputsOf(n8n, row.id, 'Decided'));
			const found = outputs?.[0]?.[0]?.decision;
			return found?.too_late && found;
		});
		expect(decision).toMatchObject({ outcome: 'approved', response_code: '00', too_late: true });
	});
});

/** Sends an event and closes the connection before the reply. */
async function leave({ url }: TriggerWorkflow, event: object) {
	const headers = { 'content-type': 'application/json', 'x-webhook-key': DEFAULT_WEBHOOK_KEY };
	const gone = fetch(url, {
		method: 'POST',
		headers,
		body: JSON.stringify(event),
		signal: AbortSignal.timeout(250),
	});
	await expect(gone).rejects.toThrow(/timeout/);
}

describe('authorizations while the database is locked', () => {
	it('are decided by rules in time, and the connection stays usable', async () => {
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
		expect(await send(workflow, sampleEvent('cards.cleared'))).toMatchObject(OK);
		expect(n8n.log().slice(logged)).not.toMatch(/ERR_HTTP_HEADERS_SENT|Cannot set headers/);
	});
});

describe('authorizations by the workflow', () => {
	const workflowMode = {
		events: EVENTS,
		...BY_WORKFLOW,
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
		// The reply came while the workflow of the first event was still waiting.
		const [decidedRow, cleared] = await executions(n8n, workflow);
		expect([decidedRow?.status, cleared?.status]).toEqual([
			'success',
			expect.stringMatching(/running|waiting/),
		]);
	});

	it('get the fallback within 1,200 ms if the workflow takes 5 s; its late answer changes nothing', async () => {
		const { n8n } = scenario;
		const workflow = await publishWorkflow(n8n, credential, workflowMode, [
			[slowly('Sleep', 5), respond(credential)],
			[noOp('Cleared')],
		]);
		const logged = n8n.log().length;
		const answer = await send(workflow, authorization());
		expect(answer).toMatchObject(answered('91'));
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
	])('get the fallback if the workflow %s', async (_, row) => {
		const { n8n } = scenario;
		const workflow = await publishWorkflow(n8n, credential, workflowMode, [
			row,
			[respond(credential)],
		]);
		expect(await send(workflow, authorization())).toMatchObject(answered('91'));
		expect(await send(workflow, sampleEvent('cards.cleared'))).toMatchObject(OK);
	});

	it('are decided by the rules below the one that asked if the workflow takes 5 s', async () => {
		const { n8n } = scenario;
		const rule = (name: string, decision: string, conditions: object) => ({
			name,
			decision,
			conditions,
			...(decision === 'other' && { responseCode: '62' }),
		});
		const rules = [
			rule('large', 'ask', { amountFrom: '200' }),
			rule('abroad', 'other', { merchantCountries: 'PRT' }),
			rule('larger', 'ask', { amountFrom: '300' }),
			rule('cash', 'decline', { mccCodes: '6011' }),
			rule('known', 'approve', { merchantIds: 'm-1' }),
		];
		const parameters = { ...workflowMode, rules: { rule: rules } };
		const workflow = await publishWorkflow(
			n8n,
			credential,
			{ ...parameters, defaultDecision: 'approve' },
			[[slowly('Sleep', 5), respond(credential, 'Respond', 'decline')]],
		);
		const of = async (bill_amount: string, merchant_data: object) =>
			await send(
				workflow,
				sampleEvent('cards.authorization', { data: { bill_amount, merchant_data } }),
			);
		expect(await of('10.00', {})).toMatchObject(answered('00'));
		const asked = { country: 'ESP', mcc_code: '5942', id: 'm-2' };
		expect(await of('500.00', { ...asked, country: 'PRT' })).toMatchObject(answered('62'));
		expect(await of('500.00', { ...asked, mcc_code: '6011' })).toMatchObject(answered('05'));
		expect(await of('500.00', { ...asked, id: 'm-1' })).toMatchObject(answered('00'));
		expect(await of('500.00', asked)).toMatchObject(answered('91'));
		const rows = await endedExecutions(n8n, workflow, 5);
		const [trigger] = (await outputsOf(n8n, rows.at(-1)!.id, 'Trigger'))!;
		expect(trigger![0]!.decision).toEqual({
			outcome: 'asked',
			rule: 'large',
			answer_by: expect.any(String),
		});
	});

	it('are answered by the workflow only if a rule asks', async () => {
		const { n8n } = scenario;
		const rule = [{ name: 'large', decision: 'ask', conditions: { amountFrom: '200' } }];
		const parameters = { events: EVENTS, rules: { rule }, options: { runWorkflowFor: 'none' } };
		const workflow = await publishWorkflow(n8n, credential, parameters, [
			[respond(credential)],
			[],
		]);
		expect(await send(workflow, authorization('10.00'))).toMatchObject(answered('05'));
		expect(await send(workflow, authorization('200.00'))).toMatchObject(answered('00'));
		expect(await endedExecutions(n8n, workflow, 1)).toHaveLength(1);
	});

	it('are not published without a node that answers, or behind a question to a person', async () => {
		const { n8n } = scenario;
		await expect(publishWorkflow(n8n, credential, workflowMode)).rejects.toThrow(/No node answers/);
		await expect(
			publishWorkflow(n8n, credential, workflowMode, [
				[waitSeconds('Ask', 5), respond(credential)],
			]),
		).rejects.toThrow(/Ask\\" waits before the authorization is answered.*before anybody clicks/);
	});

	it('get no reply if the workflow fails and the fallback is `none`', async () => {
		const { n8n } = scenario;
		const parameters = { ...workflowMode, fallbackDecision: 'none' };
		const workflow = await publishWorkflow(n8n, credential, parameters, [
			[failing('Fails'), respond(credential)],
		]);
		expect(await send(workflow, authorization())).toMatchObject({ error: 'deadline' });
		expect(await send(workflow, sampleEvent('cards.cleared'))).toMatchObject(OK);
	});

	it('are declined if items disagree; a second respond operation shows the answer that was sent', async () => {
		const { n8n } = scenario;
		const split = {
			name: 'Split',
			type: 'n8n-nodes-base.splitOut',
			typeVersion: 1,
			parameters: {
				fieldToSplitOut: 'data.answers',
				options: { destinationFieldName: 'answer' },
			},
		};
		const asked = respond(credential, 'Respond', '={{ $json.answer }}');
		const second = respond(credential, 'Second', 'approve');
		const workflow = await publishWorkflow(n8n, credential, workflowMode, [[split, asked, second]]);
		const decided = async (answers: string[]) => {
			const before = (await executions(n8n, workflow)).length;
			const answer = await send(
				workflow,
				sampleEvent('cards.authorization', { data: { answers } }),
			);
			const rows = await endedExecutions(n8n, workflow, before + 1);
			const of = async (node: string) =>
				(await outputsOf(n8n, rows.at(-1)!.id, node))![0]!.map(({ decision }) => decision);
			return { answer, first: await of('Respond'), second: await of('Second') };
		};
		const twice = (decision: object) => [decision, decision];
		const again = (response_code: string) => twice({ response_code, answered_before: true });
		expect(await decided(['approve', 'decline'])).toMatchObject({
			answer: answered('05'),
			first: twice({ response_code: '05' }),
			second: again('05'),
		});
		expect(await decided(['approve', 'approve'])).toMatchObject({
			answer: answered('00'),
			first: twice({ response_code: '00' }),
			second: again('00'),
		});
	});
});
