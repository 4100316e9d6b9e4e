import { Agent } from 'undici';

import { CardTreasuryTrigger } from '../../../../nodes/CardTreasuryTrigger/CardTreasuryTrigger.node.ts';
import { decisionAnswer } from '../../../../nodes/shared/authorizationAnswer.ts';
import { post } from '../../../harness/deliveries/post.mts';
import { sampleEvent } from '../../../simulator/index.mts';
import { until } from '../../../simulator/until.mts';
import { gate } from './gate.mts';
import { headersWith, startHost, type Host, type HostOptions } from './host.mts';

/** Short, so that the tests are; the shortest that the trigger takes. */
const DEADLINE_MS = 100;

type Workflow = NonNullable<HostOptions['workflow']>;

let host: Host;
let dispatcher: Agent;

async function start(
	workflow: Workflow,
	parameters: Record<string, string | number> = {},
	more: Partial<HostOptions> = {},
) {
	host = await startHost({
		parameters: {
			events: ['cards.authorization', 'cards.cleared'],
			defaultDecision: 'ask',
			deadlineMs: DEADLINE_MS,
			fallbackDecision: 'other',
			fallbackResponseCode: '91',
			...parameters,
		},
		async workflow(outputs, sendResponse) {
			// Only the branch of the authorization decides.
			if (outputs[0]?.length) await workflow(outputs, sendResponse);
		},
		...more,
	});
}

const authorize = async (event = sampleEvent('cards.authorization')) =>
	await post(host.url, event, { dispatcher });
const forever = new Promise<void>(() => undefined);

beforeEach(() => {
	dispatcher = new Agent({ connections: 1 });
});

afterEach(async () => {
	await dispatcher.destroy();
	await host.close();
	expect(host.errors).toEqual([]);
});

const FAILURES: Array<[string, Workflow]> = [
	['does not answer', async () => await forever],
	['ends without an answer', async () => undefined],
	[
		'fails',
		async () => {
			throw new Error('node failed');
		},
	],
	['answers without the mark', async (_, send) => send({ body: { response_code: '00' } })],
	['answers 500', async (_, send) => send({ body: { message: 'no' }, statusCode: 500 })],
	[
		'answers a mark and nothing else',
		async (_, send) => send({ ...decisionAnswer('00'), body: undefined }),
	],
	['answers a code that is none', async (_, send) => send(decisionAnswer('0 0'))],
	['answers with a text', async (_, send) => send({ ...decisionAnswer('00'), body: 'approved' })],
];

describe('authorization decided by the workflow (§6.3)', () => {
	it.each(['00', 'SUCCESS'])(
		'the authorization is answered with the code %s, without the marking header',
		async (code) => {
			await start(async (_, sendResponse) => sendResponse(decisionAnswer(code)), {
				deadlineMs: 1_150,
			});
			const answer = await authorize();
			expect(answer).toMatchObject({ status: 200, json: { response_code: code } });
			expect(answer.text).toBe(JSON.stringify({ response_code: code }));
			expect(JSON.stringify(answer.headers)).not.toContain('x-card-treasury');
		},
	);

	it.each(FAILURES)(
		'the authorization gets the fallback if the workflow %s',
		async (_, workflow) => {
			await start(workflow);
			const answer = await authorize();
			expect(answer.text).toBe('{"response_code":"91"}');
			expect(answer.status).toBe(200);
		},
	);

	it('a late answer is ignored, and the connection stays usable', async () => {
		let answerNow: () => void = () => undefined;
		await start(async (_, sendResponse) => {
			await new Promise<void>((resolve) => (answerNow = resolve));
			sendResponse(decisionAnswer('00'));
		});
		expect(await authorize()).toMatchObject({ status: 200, json: { response_code: '91' } });
		answerNow();
		await until(() => host.executions[0]?.outputs);
		expect(await post(host.url, sampleEvent('cards.cleared'), { dispatcher })).toMatchObject({
			status: 200,
			json: { response_code: 'OK' },
		});
	});

	it('a duplicate gets the first answer, and starts no execution', async () => {
		let answerNow: () => void = () => undefined;
		await start(
			async (_, sendResponse) => {
				await new Promise<void>((resolve) => (answerNow = resolve));
				sendResponse(decisionAnswer('00'));
			},
			{ deadlineMs: 1_150 },
		);
		const event = sampleEvent('cards.authorization');
		const copies = [1, 2, 3].map(async () => await post(host.url, event));
		await until(() => host.executions[0]?.outputs);
		answerNow();
		for (const answer of await Promise.all(copies))
			expect(answer.json).toEqual({ response_code: '00' });
		expect((await post(host.url, event)).json).toEqual({ response_code: '00' });
		expect(host.executions).toHaveLength(1);
	});

	it('a timestamp that leaves no time gives the full deadline, and is logged once', async () => {
		await start(async (_, sendResponse) => sendResponse(decisionAnswer('00')), {
			deadlineMs: 1_150,
		});
		for (const age of [950, 1_150, 60_000]) {
			const headers = headersWith(['x-request-timestamp', String(Date.now() - age)]);
			const answer = await post(host.url, sampleEvent('cards.authorization'), { headers });
			expect(answer.json).toEqual({ response_code: '00' });
		}
		expect(host.warnings).toEqual([expect.stringContaining('clocks')]);
	});

	it('a timestamp that leaves no time is logged for each trigger', async () => {
		const trigger = new CardTreasuryTrigger();
		const headers = headersWith(['x-request-timestamp', String(Date.now() - 60_000)]);
		for (let count = 0; count < 2; count++) {
			await host?.close();
			await start(async (_, sendResponse) => sendResponse(decisionAnswer('00')), {}, { trigger });
			await post(host.url, sampleEvent('cards.authorization'), { headers });
			expect(host.warnings).toHaveLength(1);
		}
	});

	it('the authorization gets the fallback if n8n cannot store it', async () => {
		host = await startHost({
			parameters: {
				events: ['cards.authorization'],
				defaultDecision: 'ask',
				deadlineMs: 1_150,
			},
			async store() {
				throw new Error('database is locked');
			},
		});
		expect(await authorize()).toMatchObject({ status: 200, json: { response_code: '05' } });
		expect(host.errors.splice(0)).toHaveLength(1);
	});
});

describe('other events in that mode', () => {
	it('an event is acknowledged at once, while the workflow still runs', async () => {
		host = await startHost({
			parameters: {
				events: ['cards.cleared', 'cards.authorization', 'other'],
				defaultDecision: 'ask',
			},
			workflow: async () => await forever,
		});
		for (const name of ['cards.cleared', 'treasury.transfer']) {
			expect(await post(host.url, sampleEvent(name))).toMatchObject({
				status: 200,
				json: { response_code: 'OK' },
			});
		}
		expect(host.executions).toHaveLength(2);
	});

	it('an event is acknowledged before the check for duplicates, which may take long', async () => {
		const remembering = gate();
		host = await startHost({
			parameters: {
				events: ['cards.cleared', 'cards.authorization'],
				defaultDecision: 'ask',
			},
			remember: remembering.pass,
		});
		expect(await post(host.url, sampleEvent('cards.cleared'))).toMatchObject({
			status: 200,
			json: { response_code: 'OK' },
		});
		await until(remembering.knocked);
		expect(host.executions[0]!.outputs).toBeUndefined();
		remembering.open();
		await until(() => host.executions[0]?.outputs);
	});
});

describe('authorization decided by rules', () => {
	const parameters = {
		events: ['cards.authorization', 'cards.cleared'],
		rules: { rule: [{ name: 'small', decision: 'approve', conditions: { amountTo: '60' } }] },
		defaultDecision: 'other',
		defaultResponseCode: '51',
	};
	const event = sampleEvent('cards.authorization');
	const of = (bill_amount: string) => ({ ...event, data: { ...event.data, bill_amount } });

	it('the answer is sent before the execution with the decision is stored', async () => {
		const storing = gate();
		host = await startHost({ parameters, store: storing.pass });
		expect(await authorize(of('59.99'))).toMatchObject({
			status: 200,
			json: { response_code: '00' },
		});
		expect(host.executions).toEqual([]);
		storing.open();
		await until(() => host.executions[0]?.outputs);
		expect(host.executions[0]!.outputs![0]![0]!.json.decision).toEqual({
			outcome: 'approved',
			response_code: '00',
			source: 'rule',
			rule: 'small',
			answered_in_ms: expect.any(Number),
		});
	});

	it('Run Workflow For decides which authorizations start an execution', async () => {
		host = await startHost({ parameters: { ...parameters, options: { runWorkflowFor: 'none' } } });
		expect((await authorize(of('1.00'))).json).toEqual({ response_code: '00' });
		await authorize(sampleEvent('cards.cleared'));
		await until(() => host.executions[0]?.outputs);
		expect(host.executions[0]!.items[0]!.json).toMatchObject({ event_type: 'cleared' });
	});

	it('a failing expression in the rules declines them, and other events are accepted', async () => {
		host = await startHost({ parameters, unreadable: 'rules' });
		expect((await authorize(of('1.00'))).json).toEqual({ response_code: '05' });
		expect(await authorize(sampleEvent('cards.cleared'))).toMatchObject({ status: 200 });
		expect(host.executions.map(({ items }) => items[0]!.json)).toMatchObject([
			{ decision: { source: 'unreadable' } },
			{ event_type: 'cleared' },
		]);
	});

	it('another purchase with the same operation_id is decided by its own data, and runs', async () => {
		host = await startHost({ parameters });
		expect((await authorize(of('1.00'))).json).toEqual({ response_code: '00' });
		for (const amount of ['9999.00', '-9999.00'])
			expect((await authorize(of(amount))).json).not.toEqual({ response_code: '00' });
		await authorize(of('1.00'));
		await until(() => host.executions.length === 3);
	});
});

// Last, because these wait for as long as the network does.
describe('fallback none', () => {
	it.each(FAILURES.slice(0, 3))('no answer is sent if the workflow %s', async (_, workflow) => {
		await start(workflow, { fallbackDecision: 'none' });
		const sent = Date.now();
		await expect(authorize()).rejects.toThrow(/other side closed|ECONNRESET/);
		// Nothing may reach the network while it still waits (§6.4): the deadline of the service is the subject here.
		expect(Date.now() - sent).toBeGreaterThan(1_200);
	});
});
