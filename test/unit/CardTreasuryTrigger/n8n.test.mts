import lodash from 'lodash';
import {
	resolveWebhookDescriptionField,
	webhookDescriptionIsNativelyResolvable,
	type INodeParameters,
	type IWebhookDescription,
} from 'n8n-workflow';

import { CardTreasuryTrigger } from '../../../nodes/CardTreasuryTrigger/CardTreasuryTrigger.node.ts';
import { ENTRIES } from '../../../nodes/CardTreasuryTrigger/events.ts';
import type * as Host from '../../../nodes/CardTreasuryTrigger/n8n.ts';
import { mayAsk, whyNoAnswer, whyNoExecution } from '../../../nodes/CardTreasuryTrigger/n8n.ts';
import { evaluate } from '../reading.mts';
import { standIn, type Facts } from './standIn.mts';

const { description } = new CardTreasuryTrigger();
const webhook = description.webhooks![0]!;

const evaluated = (expression: unknown, $parameter: INodeParameters) =>
	evaluate(expression, { $parameter });

const outputs = (events?: string[]) =>
	lodash.map(evaluated(description.outputs, { ...(events && { events }) }), 'displayName');

it('each chosen event has one output, in the order chosen', () => {
	const chosen = outputs(['treasury.transfer', 'other', 'cards.cleared', 'other']);
	expect(chosen).toEqual(['Transfer', 'Other', 'Cleared']);
	expect([outputs(['new.event']), outputs([]), outputs()]).toEqual([['new.event'], [], []]);
	const all = outputs(ENTRIES.map(({ name }) => name));
	expect(new Set(all).size).toBe(ENTRIES.length);
	// n8n's editor cuts longer labels.
	expect(all.filter((label: string) => label.length > 14)).toEqual([]);
});

it.each([
	[undefined, ''],
	[['cards.card_blocked_by_velocity'], 'Blocked'],
	[['cards.cleared', 'cards.refund', 'other'], '3 events'],
])('the subtitle of %j is "%s"', (events, subtitle) => {
	expect(evaluated(description.subtitle, { ...(events && { events }) })).toBe(subtitle);
});

describe('response mode', () => {
	const events = ['cards.cleared', 'cards.authorization'];
	/** Response mode of an older n8n. */
	let older: unknown;
	jest.isolateModules(() => {
		const current = jest.requireActual<object>('n8n-workflow');
		const missing = ['webhookDescriptionFields', 'fromFunction'];
		jest.doMock('n8n-workflow', () => lodash.omit(current, missing));
		const path = '../../../nodes/CardTreasuryTrigger/n8n.ts';
		older = jest.requireActual<typeof Host>(path).responseMode().responseMode;
		jest.dontMock('n8n-workflow');
	});

	it.each<[INodeParameters, asks: boolean]>([
		[{ events, defaultDecision: 'ask' }, true],
		[{ events, rules: { rule: [{ decision: 'approve' }, { decision: 'ask' }] } }, true],
		[{ events, rules: { rule: [null, { decision: 'ask' }] as never } }, true],
		[{ events, rules: { rule: [{ decision: 'ask', observeOnly: true }] } }, false],
		[{ events, rules: { rule: [{ decision: 'decline' }, {}] } }, false],
		[{ events, rules: { rule: '={{ $vars.rules }}' } }, false],
		[{ events, rules: '={{ $vars.rules }}' }, false],
		[{ events, rules: {} }, false],
		[{ events: { 0: 'x' } as never, defaultDecision: 'ask' }, false],
		[{ events: ['cards.cleared', 'other'], defaultDecision: 'ask' }, false],
		[{ events }, false],
		[{}, false],
	])('%j may ask: %s, in every supported n8n', (parameters, asks) => {
		const value = asks ? 'responseNode' : 'onReceived';
		expect(mayAsk({ parameters })).toBe(asks);
		const resolved = resolveWebhookDescriptionField({ parameters }, webhook, 'responseMode');
		// n8n evaluates the text of the function if a parameter is an expression.
		const isNative = !JSON.stringify(parameters).includes('={{');
		expect(resolved).toEqual(isNative ? { resolved: true, value } : { resolved: false });
		expect(evaluated(older, parameters)).toBe(value);
	});

	it('a delivery needs no expression engine', () => {
		expect(webhookDescriptionIsNativelyResolvable(webhook as IWebhookDescription)).toBe(true);
		expect(description.version).toBe(2);
	});
});

it.each<[string | undefined, Facts]>([
	[undefined, {}],
	[undefined, { node: { onError: 'stopWorkflow', retryOnFail: false } }],
	['Retry On Fail', { node: { retryOnFail: true } }],
	['Always Output Data', { node: { alwaysOutputData: true } }],
	['On Error', { node: { onError: 'continueRegularOutput' } }],
	['On Error', { node: { onError: 'continueErrorOutput' } }],
	['On Error', { node: { continueOnFail: true } }],
	['Engine 2.0', { settings: { engineType: 'v2' } }],
])('%s keeps executions from starting with %j', (reason, facts) => {
	expect(whyNoExecution(standIn(facts).n8n)).toEqual(reason && expect.stringContaining(reason));
});

const parameters = { resource: 'authorization', operation: 'respond' };
const respond = { name: 'Respond', parameters };
const wait = { name: 'Wait', type: 'n8n-nodes-base.wait' };
const ask = { name: 'Ask', parameters: { operation: 'sendAndWait' } };
const NONE = 'no node answers';

it.each<[string | undefined, Facts['behind']]>([
	[undefined, [respond]],
	[undefined, [{ name: 'If' }, respond, wait, ask]],
	[undefined, [{ ...wait, disabled: true }, respond]],
	[undefined, [respond, wait, { ...respond, name: 'Respond again' }]],
	[NONE, []],
	[NONE, [{ ...respond, disabled: true }]],
	[NONE, [{ ...respond, parameters: { resource: 'card', operation: 'get' } }]],
	['"Wait" waits', [wait, respond]],
	['"Ask" waits', [{ name: 'If' }, ask, respond]],
	['"Form" waits', [{ name: 'Form', type: 'n8n-nodes-base.form' }, respond]],
])('%s is the problem of these nodes behind the trigger: %j', (problem, behind) => {
	const why = whyNoAnswer(standIn({ behind }).n8n);
	expect(why).toEqual(problem && expect.stringContaining(problem));
});
