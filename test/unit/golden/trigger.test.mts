import type { INodeProperties } from 'n8n-workflow';

import { answerAuthorization } from '../../../nodes/CardTreasuryTrigger/answer.ts';
import { CardTreasuryTrigger } from '../../../nodes/CardTreasuryTrigger/CardTreasuryTrigger.node.ts';
import { sampleOf } from '../../../nodes/CardTreasuryTrigger/events.ts';
import { publish } from '../../../nodes/CardTreasuryTrigger/publish.ts';
import { receive } from '../../../nodes/CardTreasuryTrigger/receive.ts';
import { CONDITIONS, readCondition } from '../../../nodes/shared/rules/conditions.ts';
import { readDeciding, readRules } from '../../../nodes/shared/rules/read.ts';
import { standIn, type Facts } from '../CardTreasuryTrigger/standIn.mts';

/** Texts of the trigger. If a change of them is meant: `npx jest -c test/jest.config.json -u golden`. */
const golden = (lines: unknown[]) => expect(lines.join('\n')).toMatchSnapshot();

const line = (...texts: unknown[]) =>
	texts.filter((text) => typeof text === 'string' && text).join(' · ');

/** Labels, placeholders, defaults, descriptions and hints of fields, indented like the panel. Options are among the fields. */
const panelOf = (fields: INodeProperties[], indent = ''): string[] =>
	fields.flatMap(({ displayName, placeholder, default: initial, description, hint, ...more }) => {
		const isCollection = more.type === 'collection';
		const below = `${indent}${isCollection ? '+' : ' '} `;
		const own =
			indent +
			line(displayName, placeholder, String(initial).replace(/^\[.*/, ''), description, hint);
		const others = (more.options ?? []).flatMap((option) => {
			if ('values' in option) return [below + option.displayName, ...panelOf(option.values, below)];
			if ('type' in option) return panelOf([option], below);
			return [below + line(option.value, option.name, option.action, option.description)];
		});
		return isCollection && !description ? others : [own, ...others];
	});

const NOW = new Date(Date.UTC(2026, 10, 21, 10));

it('its panel', () => {
	const { properties, activationMessage, triggerPanel } = new CardTreasuryTrigger().description;
	golden([...panelOf(properties), String(activationMessage), JSON.stringify(triggerPanel)]);
});

it('summaries and decisions of authorizations', () => {
	jest.useFakeTimers({ now: NOW });
	const conditions = { merchantCountries: 'ESP' };
	const ruled = (decision: string) => ({
		rules: { rule: [{ name: '<Home>', decision, conditions }] },
	});
	const said = ([parameters, data]: [Record<string, unknown>, object]) => {
		const settings = readDeciding((name, fallback) => parameters[name] ?? fallback);
		const envelope = { ...sampleOf('cards.authorization', 'sample-id', NOW)!, ...data };
		const event = { envelope, headers: {}, arrivedAt: NOW.getTime() };
		const facts = { place: JSON.stringify(parameters), canRun: true, canAsk: true };
		const { summary, decision } = answerAuthorization(event, settings, facts).item!.json;
		return `${String(summary)}\n  ${JSON.stringify(decision)}`;
	};
	const all: Array<[Record<string, unknown>, object]> = [
		[ruled('approve'), {}],
		[ruled('ask'), {}],
		[ruled('approve'), { data: {} }],
		[{}, {}],
		[{ rules: 'x' }, {}],
	];
	golden(all.map(said));
	jest.useRealTimers();
});

it('problems of rules and their conditions', () => {
	const conditions = Object.keys(CONDITIONS).flatMap((name) =>
		['', '"x", "y"'].map((entered) => readCondition(name, entered)),
	);
	const rules = [
		{ name: 'No gambling', decision: 'other', responseCode: '00', observeOnly: 'yes' },
		{ decision: 'approve', conditions: { amountFrom: '9', amountTo: '5' } },
		{ name: ' Small ', decision: 'ask' },
		{ conditions: { color: 'red' } },
	];
	golden([...conditions, ...readRules({ rule: rules }).problems, ...readRules('x').problems]);
});

it('problems that stop publishing or a test run', async () => {
	const events = ['cards.authorization'];
	const asks = { events, defaultDecision: 'ask' };
	const parameters = { events };
	const all: Facts[] = [
		{ parameters, node: { retryOnFail: true } },
		{ parameters, settings: { engineType: 'v2' } },
		{ parameters, credential: async () => ({}) },
		{ parameters, credential: async () => ({ webhookKey: 'new', previousWebhookKey: 'ключ' }) },
		{ parameters: {} },
		{ parameters: { events: ['cards.cleared', 'new'] } },
		{ parameters: { events, defaultDecision: 'x' } },
		{ parameters: { events, options: { runWorkflowFor: 'x' } } },
		{ parameters: { events, rules: new Error('[line 1] no such variable') as never } },
		{ parameters: asks },
		{
			parameters: asks,
			behind: [
				{ name: 'Ask in Slack', parameters: { operation: 'sendAndWait' } },
				{ name: 'Respond', parameters: { resource: 'authorization', operation: 'respond' } },
			],
		},
		{ parameters: { events, options: { sampleChanges: '{' } }, mode: 'manual' },
		{ parameters: { events, testEvent: 'cards.cleared' }, mode: 'manual' },
	];
	const problemOf = async (facts: Facts) =>
		await publish(standIn(facts).n8n).then(String, (thrown: Error) => thrown.message);
	golden(await Promise.all(all.map(problemOf)));
});

it('refused deliveries', async () => {
	const event = { product: 'cards', event_type: 'authorization', operation_id: 'o', data: {} };
	const headers = { 'x-webhook-key': 'test-webhook-key' };
	const all: Facts[] = [
		{},
		{ credential: async () => ({}) },
		...['body', 'product', 'event_type', 'operation_id', 'data'].map((field) => ({
			headers,
			body: field === 'body' ? undefined : { ...event, [field]: undefined },
		})),
		{ headers, body: event },
		{ headers, credential: async () => await Promise.reject(new Error('no credential')) },
	];
	const replyTo = async (facts: Facts, position: number) => {
		let body = '';
		const response = { setHeader: () => undefined, end: (text: string) => (body = text) };
		const { n8n, log } = standIn({ ...facts, workflowId: `workflow-${position}`, response });
		await receive(n8n);
		return [body, ...log].join('\n  ');
	};
	golden(await Promise.all(all.map(replyTo)));
});
