import { Agent } from 'undici';

import { lockDatabase } from '../harness/database/database.mts';
import { answered, FALLBACK, OK, send as sendOnce } from '../harness/n8n/deliveries.mts';
import { endedExecutions, eventually, executions, outputsOf } from '../harness/n8n/executions.mts';
import { failing, noOp, respond, slowly, waitSeconds } from '../harness/n8n/nodes.mts';
import { credential, n8n, useN8n } from '../harness/n8n/useN8n.mts';
import {
	publishWorkflow,
	type ChainNode,
	type TriggerWorkflow,
} from '../harness/n8n/workflows.mts';
import { sampleEvent } from '../simulator/index.mts';

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
const purchase = (bill_amount: string, id = 'm-1') =>
	sampleEvent('cards.authorization', { data: { bill_amount, merchant_data: { id } } });

/** Item with which the trigger started an execution. */
async function itemOf(id: string) {
	const outputs = await outputsOf(n8n, id, 'Trigger');
	return outputs![0]![0]!;
}

describe('authorizations by rules', () => {
	it('are answered before n8n stores their execution, and a repetition starts none', async () => {
		const conditions = { amountTo: '100', currencies: 'USD' };
		const parameters = {
			events: EVENTS,
			rules: { rule: [{ name: 'small', decision: 'approve', conditions }] },
			options: { runWorkflowFor: 'declined' },
		};
		const workflow = await publishWorkflow(n8n, credential, parameters);
		const [small, big] = [purchase('100.00'), purchase('100.01')];
		for (let times = 0; times < 2; times++) {
			expect(await send(workflow, small)).toMatchObject(answered('00'));
			expect(await send(workflow, big)).toMatchObject(answered('05'));
		}
		const rows = await endedExecutions(n8n, workflow, 1);
		expect(rows).toHaveLength(1);
		expect((await itemOf(rows[0]!.id)).decision).toMatchObject({
			outcome: 'declined',
			source: 'default',
		});

		const logged = n8n.log().length;
		const unlock = await lockDatabase(n8n.userFolder);
		const answer = await send(workflow, purchase('100.02'));
		await eventually(async () => /SQLITE_BUSY|database is locked/.test(n8n.log().slice(logged)));
		await unlock();
		expect(answer).toMatchObject(answered('05'));
		expect(await send(workflow, sampleEvent('cards.cleared'))).toMatchObject(OK);
		expect(n8n.log().slice(logged)).not.toMatch(/ERR_HTTP_HEADERS_SENT|Cannot set headers/);
	});
});

describe('authorizations that a rule asks about', () => {
	const LARGE = {
		name: 'large',
		decision: 'ask',
		conditions: { amountFrom: '200', currencies: 'USD' },
	};

	it('get the answer of the workflow, and so does a repetition, while events are acknowledged at once', async () => {
		const parameters = {
			events: EVENTS,
			rules: { rule: [LARGE] },
			options: { runWorkflowFor: 'none' },
		};
		const workflow = await publishWorkflow(n8n, credential, parameters, [
			[respond(credential)],
			[waitSeconds('Wait', 20)],
		]);
		expect(await send(workflow, purchase('10.00'))).toMatchObject(answered('05'));
		const large = purchase('500.00');
		const equal = await Promise.all([sendOnce(workflow, large), sendOnce(workflow, large)]);
		for (const answer of equal) expect(answer).toMatchObject(answered('00'));
		expect(await send(workflow, sampleEvent('cards.cleared'))).toMatchObject(OK);
		const [decided, cleared, ...more] = await executions(n8n, workflow);
		expect([decided?.status, more]).toEqual(['success', []]);
		expect(cleared?.status).toMatch(/running|waiting/);
		expect((await itemOf(decided!.id)).decision).toEqual({
			outcome: 'asked',
			rule: 'large',
			answer_by: expect.any(String),
			if_unanswered: '05',
		});
	});

	/** Rules below the one that asks. */
	const BELOW = [
		{ name: 'blocked', decision: 'other', responseCode: '62', conditions: { merchantIds: 'm-2' } },
		{ name: 'never asked', decision: 'ask', conditions: { merchantIds: 'm-1' } },
		{ name: 'known', decision: 'approve', conditions: { merchantIds: 'm-3' } },
	];

	it.each<[string, (answer: ChainNode) => ChainNode[][]]>([
		['answers late', (answer) => [[slowly('Sleep', 3), answer]]],
		['fails', (answer) => [[failing('Fails'), answer]]],
		['fails late', (answer) => [[slowly('Sleep', 3), failing('Fails'), answer]]],
		['ends in silence', (answer) => [[noOp('Nothing')], [answer]]],
	])('get the answer of the rules below if the workflow %s', async (_, branches) => {
		const parameters = { events: EVENTS, rules: { rule: [LARGE, ...BELOW] } };
		const approval = respond(credential);
		const workflow = await publishWorkflow(n8n, credential, parameters, branches(approval));
		const logged = n8n.log().length;
		expect(await send(workflow, purchase('500.00', 'm-2'))).toMatchObject(answered('62'));
		expect(await send(workflow, purchase('500.00', 'm-3'))).toMatchObject(answered('00'));
		expect(await send(workflow, purchase('500.00'))).toMatchObject(FALLBACK);
		await endedExecutions(n8n, workflow, 3);
		expect(n8n.log().slice(logged)).not.toMatch(/ERR_|headers/);
	});
});
