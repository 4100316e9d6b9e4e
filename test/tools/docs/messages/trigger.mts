import type { IDataObject } from 'n8n-workflow';

import { CONDITIONS } from '../../../../nodes/CardTreasuryTrigger/authorization/conditions.ts';
import { readRules } from '../../../../nodes/CardTreasuryTrigger/authorization/rules.ts';
import { admit, type Delivery } from '../../../../nodes/CardTreasuryTrigger/delivery/admit.ts';
import { parse } from '../../../../nodes/CardTreasuryTrigger/delivery/envelope.ts';
import {
	NOT_DECIDED,
	NOT_STORED,
	NOT_TAKEN,
	type Reply,
} from '../../../../nodes/CardTreasuryTrigger/delivery/replies.ts';
import { eventName, EVENTS } from '../../../../nodes/CardTreasuryTrigger/events/index.ts';
import { readSettings } from '../../../../nodes/CardTreasuryTrigger/settings.ts';
import { unsupportedEngine, unsupportedHost } from '../../../../nodes/shared/host.ts';
import { isObject } from '../../../../nodes/shared/isObject.ts';
import { sampleEvent } from '../../../simulator/index.mts';
import { hookMessages } from './editor.mts';
import { textOnly, type Message } from './message.mts';

const EVENT = 'cards.authorization';
const reading = (parameters: IDataObject) => (name: string, fallback: unknown) =>
	parameters[name] ?? fallback;

/** As n8n does where an expression in the rules fails. */
const failingRules = (name: string, fallback: unknown): unknown => {
	if (name === 'rules') throw new Error('access to env vars denied');
	return name === 'events' ? [EVENT] : fallback;
};

/** Values of the conditions that cannot be read. */
const BAD_CONDITIONS: Record<string, unknown[]> = {
	amountFrom: ['', '1,000.50'],
	amountTo: ['', '250 USD'],
	currencies: ['', ' , ', 'EUR; USD'],
	mccCodes: ['', ',', '541'],
	merchantCountries: ['', ','],
	merchantName: ['', '{{ $vars.name }}'],
	channels: ['', ','],
	cardIds: ['', ','],
};

/** What keeps the trigger from being published. */
export async function publishingMessages(): Promise<Message[]> {
	const authorization = { events: [EVENT] };
	const byWorkflow = { ...authorization, authorizationDecision: 'workflow' };
	const settings: IDataObject[] = [
		{ events: [] },
		{ events: [EVENT, 'cards.authorisation'] },
		{ ...authorization, defaultDecision: 'other', defaultResponseCode: 'OK' },
		{ ...authorization, defaultDecision: 'maybe' },
		{ ...byWorkflow, deadlineMs: 1_200 },
		{ ...byWorkflow, fallbackDecision: 'other', fallbackResponseCode: '' },
		{ ...byWorkflow, fallbackDecision: 'maybe' },
		{ ...authorization, options: { maximumAgeSeconds: '' } },
		{ ...authorization, options: { ipAllowlist: '' } },
		{ ...authorization, options: { ipAllowlist: '10.0.0.0/33' } },
		{ ...authorization, rules: 'none' },
	];
	return [
		textOnly(unsupportedHost({}) ?? ''),
		textOnly(unsupportedEngine({ engineType: 'v2' }) ?? ''),
		...(await hookMessages()),
		...settings.flatMap((parameters) => readSettings(reading(parameters)).problems.map(textOnly)),
		...readSettings(failingRules).problems.map(textOnly),
		...ruleMessages(),
	];
}

export function ruleMessages(): Message[] {
	const rules: Array<Record<string, unknown>> = [
		{ decision: 'other', responseCode: 'OK' },
		{ decision: 'maybe' },
		{ observeOnly: 'yes' },
		{ conditions: 'none' },
		{ conditions: { amountFrom: '100', amountTo: '50' } },
		{ conditions: { merchantId: '1' } },
	];
	return [...rules.flatMap((rule) => ruleProblems(rule).map(textOnly)), ...conditionMessages()];
}

/** What is wrong with a condition, by the name that it has in the panel. */
function conditionMessages(): Message[] {
	return conditionLabels().flatMap(([name, label]) =>
		(BAD_CONDITIONS[name] ?? []).flatMap((value) =>
			ruleProblems({ conditions: { [name]: value } }).map((text) => ({
				text,
				fix: '',
				field: label,
			})),
		),
	);
}

export function conditionLabels(): Array<[name: string, label: string]> {
	return Object.entries(CONDITIONS).map(([name, { label }]) => [name, label]);
}

const ruleProblems = (rule: Record<string, unknown>): string[] =>
	readRules({ rule: [{ name: 'Small purchases', ...rule }] }).problems;

const NOW = Date.UTC(2026, 10, 21, 10);
const HEADERS = { 'x-webhook-key': 'key-1', 'x-request-timestamp': String(NOW) };

/** What the sender is told, with its status. */
export async function replyMessages(): Promise<Message[]> {
	const body = sampleEvent('cards.cleared');
	const deep = { ...body, data: JSON.parse(`${'{"a":'.repeat(120)}1${'}'.repeat(120)}`) as object };
	const aged = { maximumAgeSeconds: 60 };
	const deliveries: Array<[Partial<Delivery>, IDataObject?, string[]?]> = [
		[{}, { ipAllowlist: '10.0.0.0/8' }],
		[{ headers: {} }],
		[{ headers: { 'x-webhook-key': 'key-9' } }],
		[{}, {}, []],
		[{}, { maximumAgeSeconds: '' }],
		[{ headers: { 'x-webhook-key': 'key-1' } }, aged],
		[{ headers: { ...HEADERS, 'x-request-timestamp': String(NOW - 61_000) } }, aged],
		[{ body: 'text' }],
		[{ body: deep }],
		[{ body: { ...body, operation_id: '' } }],
		[{ body: { ...body, data: null } }],
	];
	const replies: Reply[] = [];
	for (const [change, options = {}, keys = ['key-1']] of deliveries) {
		const delivery = { headers: HEADERS, body, sender: '192.0.2.1', ...change };
		const arrival = { at: NOW, elapsed: () => 0, senderLeft: () => false };
		const settings = readSettings(reading({ events: ['cards.cleared'], options }));
		const admission = await admit({ ...delivery, arrival }, settings, async () => keys);
		if (admission.kind === 'replied') replies.push(admission.reply);
	}
	return [...replies, NOT_DECIDED, NOT_TAKEN, NOT_STORED].flatMap((reply) => {
		if (reply === 'hang up' || !('message' in reply.body)) return [];
		return [{ text: String(reply.body.message), fix: String(reply.status) }];
	});
}

/** What `delivery.schema_issues` says of each event when a field is missing, or not in its form. */
export function issueMessages(): Message[] {
	return [...envelopeIssues(), ...EVENTS.flatMap((event) => dataIssues(eventName(event)))];
}

function envelopeIssues(): Message[] {
	const sample = sampleEvent(EVENT);
	return [
		{ ...sample, product: 'loans' },
		{ ...sample, event_type: 'new_event' },
		{ ...sample, status: undefined },
		{ ...sample, status: 'done' },
		{ ...sample, company_id: 7 },
		JSON.parse(JSON.stringify(sample).replace('{', '{"__proto__":{},')) as unknown,
	].flatMap(issuesOf);
}

/** What is said when each field of an event is missing, a fraction, or negative. */
export function dataIssues(name: string): Message[] {
	const sample = sampleEvent(name);
	return [undefined, 7.5, -1].flatMap((value) =>
		pathsIn(sample.data).flatMap((path) =>
			issuesOf({ ...sample, data: replaced(sample.data, path, value) }),
		),
	);
}

function issuesOf(body: unknown): Message[] {
	const parsed = parse(body);
	return parsed.ok ? parsed.issues.map(textOnly) : [];
}

function pathsIn(value: unknown): string[][] {
	if (!isObject(value)) return [];
	return Object.entries(value).flatMap(([key, inner]) => [
		[key],
		...pathsIn(inner).map((path) => [key, ...path]),
	]);
}

function replaced(data: unknown, [key = '', ...rest]: string[], value: unknown): object {
	const object = isObject(data) ? data : {};
	return { ...object, [key]: rest.length === 0 ? value : replaced(object[key], rest, value) };
}
