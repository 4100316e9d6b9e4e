import { randomUUID } from 'node:crypto';

import { DECLINE } from '../shared/authorizationAnswer';
import { choice } from '../shared/fields/choice';
import { otherCode, responseCodeOf } from '../shared/fields/decision';
import {
	failClosed,
	field,
	notice,
	propertiesOf,
	readFields,
	shownWhen,
	type Fields,
} from '../shared/fields/field';
import { InvalidFieldError, quote, sentencesOf } from '../shared/fields/invalidField';
import { isEmpty, sourceFrom, type Source } from '../shared/fields/source';
import { isObject } from '../shared/isObject';
import type { DecisionSettings, RunWorkflowFor } from './authorization/answer';
import {
	DECISIONS,
	DECLINE_ALL,
	OTHER_CODE,
	RULES,
	rulingOf,
	RULINGS,
	UNREADABLE,
} from './authorization/rules';
import type { AdmissionSettings } from './delivery/admit';
import { readIpAllowlist } from './delivery/allowlist';
import { readMaximumAge } from './delivery/verify';
import {
	AUTHORIZATION,
	chosenEvents,
	ENTRIES,
	ENTRIES_BY_NAME,
	EVENT_STATUSES,
	OTHER,
	route,
	SAMPLE_ID,
	sampleOf,
	STATUS_IN_WORDS,
	type Entry,
} from './events';

/** Problems that block publishing, as full sentences for the user. The strictest value replaces each invalid one. */
interface Checked {
	problems: string[];
}

/** Settings that are read for every delivery. */
interface DeliverySettings extends AdmissionSettings, Checked {
	ignoreDuplicates: boolean;
	declineAll: boolean;
	runWorkflowFor: RunWorkflowFor;
}

/** Reads a parameter. Returns the fallback if the parameter is not set. */
export type ReadParameter = (name: string, fallback: unknown) => unknown;

/** Limits of the deadline. The maximum leaves 50 ms of the service's 1,200 ms (§6.4) for the network. */
const DEADLINE_MS = { min: 100, max: 1_150, default: 1_000 } as const;

/** Condition under which the fields for authorizations are shown and read (§6.3). */
const CHOSEN = { events: [AUTHORIZATION] };

/** Event of the sample if the user chose only *Other*. */
const ANY_EVENT = 'cards.authorized';

const LAZY_ACQUIRE =
	'Answers must arrive within 1.2 seconds. On a busy n8n, set <code>N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE=true</code>: see <a href="https://github.com/OWNER/n8n-nodes-card-treasury/blob/main/docs/authorizations.md" target="_blank">card authorizations</a>.';

const ONE_URL =
	'A company has one webhook URL at the service. If another workflow has it, such as <b>Event router</b>, nothing arrives here: start this workflow with <b>When Executed by Another Workflow</b> instead, and call it from there.';

/** Parameters of the trigger that are read for every delivery. */
const EVENTS_FIELD = {
	events: {
		...failClosed(
			{ strictest: [] },
			field(
				'Events',
				{
					type: 'multiOptions',
					noDataExpression: true,
					required: true,
					options: [
						...ENTRIES.map(({ label, name, action, when }) => ({
							name: label,
							value: name,
							action,
							description: when,
						})),
						{
							name: 'Other',
							value: OTHER,
							action: 'On any other event',
							description:
								'Everything not chosen here, including events that this node does not know. Without it, they are acknowledged and discarded.',
						},
					],
					default: [],
					hint: 'One output per event, in this order. Removing one shifts the outputs below it.',
					description:
						'The events that run the workflow. An entry for failures takes them from the entry for all.',
				},
				({ value, refuse }) => {
					const events = chosenEvents(value);
					// An empty list is refused, because every event would be acknowledged and lost.
					if (events.length === 0) return refuse('is empty', 'Choose at least one.');
					const unknown = events.find((name) => name !== OTHER && !ENTRIES_BY_NAME.has(name));
					return unknown === undefined
						? events
						: refuse(
								`holds ${quote(unknown)}, which this node does not know`,
								'Choose from the list.',
							);
				},
			),
		),
		// Unknown events keep an output, because another version of this node may know them.
		failClosed: chosenEvents,
	},
};

/** Parameters that decide authorizations. */
const DECIDING = {
	rules: failClosed({ strictest: UNREADABLE, show: CHOSEN }, RULES),
	defaultDecision: failClosed(
		{ strictest: 'decline', show: CHOSEN },
		choice('Default Decision', RULINGS, {
			noDataExpression: true,
			default: 'decline',
			hint: 'The answer when no rule matches, also while there are no rules',
		}),
	),
	defaultResponseCode: failClosed(
		{ strictest: DECLINE, show: { ...CHOSEN, defaultDecision: ['other'] } },
		otherCode('Default Response Code', OTHER_CODE),
	),
	deadlineMs: {
		...failClosed(
			{ strictest: DEADLINE_MS.default, show: CHOSEN },
			field(
				'Deadline (Milliseconds)',
				{
					hint: 'For what is asked, counted from when the authorization arrived',
					type: 'number',
					typeOptions: { minValue: DEADLINE_MS.min, maxValue: DEADLINE_MS.max },
					default: DEADLINE_MS.default,
					description:
						'Time for the workflow to answer what a rule or the default asks. Then the rules below the one that asked decide, no later than 1,100 ms after X-Request-Timestamp, because the service waits 1,200.',
				},
				({ value, refuse }): number => {
					const { min, max } = DEADLINE_MS;
					const deadline = nearestDeadline(value);
					return deadline === numberIn(value)
						? deadline
						: refuse(`must be between ${min} and ${max}`, 'Enter a number of milliseconds.');
				},
			),
		),
		failClosed: nearestDeadline,
	},
	fallbackDecision: failClosed(
		{ strictest: 'decline', show: CHOSEN },
		choice(
			'Fallback Decision',
			{
				...DECISIONS,
				none: {
					name: 'None',
					description: 'Sends no answer, so the default behavior configured on the card applies',
				},
			},
			{
				noDataExpression: true,
				default: 'decline',
				description:
					'The answer to what was asked when the workflow has given none by the deadline, and no rule below the one that asked matches',
			},
		),
	),
	fallbackResponseCode: failClosed(
		{ strictest: DECLINE, show: { ...CHOSEN, fallbackDecision: ['other'] } },
		otherCode('Fallback Response Code', OTHER_CODE),
	),
};

/** Entries of *Options* that are read for every delivery. */
const OPTIONS = {
	declineAll: failClosed(
		{ strictest: true, absent: false },
		field(
			'Decline All',
			{
				type: 'boolean',
				default: false,
				description:
					'Whether every card authorization is declined (05), whatever the rules say. For the time when a card program leaks: the rules stay as they are.',
			},
			({ value, refuse }) =>
				typeof value === 'boolean'
					? value
					: refuse('is neither true nor false', 'Check its expression.'),
		),
	),
	ignoreDuplicates: failClosed(
		{ strictest: true },
		field(
			'Ignore Duplicates',
			{
				type: 'boolean',
				default: true,
				description:
					'Whether an event that the service sends again is acknowledged without running the workflow a second time',
			},
			({ value }) => value !== false,
		),
	),
	ipAllowlist: failClosed(
		{ strictest: [], absent: 'any sender' },
		field(
			'IP Allowlist',
			{
				placeholder: 'e.g. 203.0.113.7, 10.0.0.0/8',
				description:
					'Addresses and CIDR ranges that may send events, IPv4 and IPv6, comma-separated. Any other sender is rejected with 403. Behind a proxy, set N8N_PROXY_HOPS on the n8n instance: otherwise every sender has the address of the proxy.',
			},
			readIpAllowlist,
		),
	),
	maximumAgeSeconds: failClosed(
		{ strictest: 'unreadable', absent: 0 },
		field(
			'Maximum Age (Seconds)',
			{
				hint: '0 accepts any age',
				type: 'number',
				typeOptions: { minValue: 0 },
				default: 0,
				description:
					'Rejects deliveries whose X-Request-Timestamp is older. The timestamp is not signed, so this stops late and replayed deliveries, but no forger.',
			},
			readMaximumAge,
		),
	),
	runWorkflowFor: failClosed(
		{ strictest: 'all' },
		field(
			'Run Workflow For',
			{
				type: 'options',
				options: [
					{ name: 'All Authorizations', value: 'all' },
					{ name: 'Declined Authorizations', value: 'declined' },
					{ name: 'No Authorizations', value: 'none' },
				],
				default: 'all',
				description:
					'Which authorizations decided by the rules also run the workflow. Run fewer so that a busy card program does not overload this n8n. What is asked always runs it.',
			},
			({ value }): RunWorkflowFor => (value === 'declined' || value === 'none' ? value : 'all'),
		),
	),
};

/** Parameter and options that only a test run reads. */
const TEST = {
	/** Entry whose sample is sent. Undefined to wait for a real event. */
	testEvent: failClosed(
		{ strictest: undefined },
		field(
			'Test With',
			{
				type: 'options',
				noDataExpression: true,
				options: [
					{ name: 'Sample of the First Event', value: 'first' },
					{
						name: 'Wait for a Real Event',
						value: 'real',
						description: 'Copy the test URL under Webhook URLs first, then click Execute Step',
					},
					...ENTRIES.map(({ label, name }) => ({ name: label, value: name })),
				],
				default: 'first',
				description:
					'Event that Execute Step runs with: a sample, which starts at once, or a real event. Has no effect once the workflow is published.',
			},
			({ value, source, refuse }): Entry | undefined => {
				if (value === 'real') return undefined;
				const events = chosenEvents(source.get('events'));
				const first = events.find((name) => name !== OTHER) ?? ANY_EVENT;
				const name = value === 'first' ? first : String(value);
				const entry = ENTRIES_BY_NAME.get(name);
				return entry !== undefined && route(events, sampleOf(entry, '', new Date(0))) !== undefined
					? entry
					: refuse(`is ${labelOf(name)}, but ${onlyHas(events)}`, 'Change Test With.');
			},
		),
	),
	/** Entry of *Options*. Status of the sample. Undefined for the usual one. */
	sampleStatus: failClosed(
		{ strictest: undefined, absent: undefined },
		field(
			'Sample Status',
			{
				type: 'options',
				noDataExpression: true,
				options: [
					{ name: 'As Usual', value: '' },
					...[...STATUS_IN_WORDS].map(([value, name]) => ({ name, value })),
				],
				default: '',
				description:
					'Status of the sample of Test With, for example to try a failure. Has no effect once the workflow is published.',
			},
			({ value, refuse }): string | undefined => {
				if (isEmpty(value)) return undefined;
				return (
					EVENT_STATUSES.find((status) => status === value) ??
					refuse('is not in the list', 'Choose from the list.')
				);
			},
		),
	),
	/** Entry of *Options*. JSON to merge into the data of the sample. */
	sampleChanges: failClosed(
		{ strictest: {} },
		field(
			'Sample Changes',
			{
				type: 'json',
				default: '{}',
				description:
					'JSON to merge into the data of the sample of Test With, for example to try rules: {"bill_amount": "20.00", "merchant_data": {"mcc_code": "7995"}}. Has no effect once the workflow is published.',
			},
			({ value, refuse }) => {
				const changes = parsed(value ?? {});
				return isObject(changes)
					? changes
					: refuse(
							'is not a JSON object',
							'Enter the fields of data to change, for example {"bill_amount": "20.00"}.',
						);
			},
		),
	),
};

/** All parameters, in the order of the panel. */
export const PARAMETERS: Fields = {
	...EVENTS_FIELD,
	oneUrlNotice: field(
		ONE_URL,
		{ type: 'notice', displayOptions: { hide: { events: [AUTHORIZATION, OTHER] } } },
		() => undefined,
	),
	testEvent: TEST.testEvent,
	...DECIDING,
	lazyAcquireNotice: shownWhen(CHOSEN, notice(LAZY_ACQUIRE)),
	options: field(
		'Options',
		{
			type: 'collection',
			placeholder: 'Add option',
			default: {},
			options: propertiesOf({
				...OPTIONS,
				sampleStatus: TEST.sampleStatus,
				sampleChanges: TEST.sampleChanges,
			}),
		},
		() => undefined,
	),
};

/** Defaults. A saved workflow omits values that equal the default. */
const NOT_SAVED: Record<string, unknown> = {
	rules: {},
	defaultDecision: 'decline',
	deadlineMs: DEADLINE_MS.default,
	fallbackDecision: 'decline',
};

/** Reads the settings that decide which deliveries are accepted. */
export function readDeliverySettings(read: ReadParameter): DeliverySettings {
	const problems: string[] = [];
	const refused = (problem: InvalidFieldError) => problems.push(sentencesOf(problem));
	const { events } = readFields(EVENTS_FIELD, sourceOf(read), refused);
	const options = readFields(OPTIONS, optionSource(read('options', {})), refused);
	return { events, ...options, problems };
}

/**
 * Reads the settings that decide authorizations.
 * @param read called only for shown fields, because the expression of a hidden field may fail
 */
export function readDecisionSettings(
	read: ReadParameter,
	{ events, declineAll, runWorkflowFor }: Omit<DeliverySettings, 'problems'>,
): DecisionSettings & Checked {
	const problems: string[] = [];
	// Each read of a parameter costs time, and every field depends on the events.
	const source = sourceOf((name, fallback) => (name === 'events' ? events : read(name, fallback)));
	const given = readFields(DECIDING, source, (problem) => problems.push(sentencesOf(problem)));
	const { defaultDecision, fallbackDecision, deadlineMs } = given;
	return {
		rules: declineAll ? DECLINE_ALL : given.rules,
		byDefault: rulingOf(defaultDecision, given.defaultResponseCode),
		deadlineMs,
		fallback:
			fallbackDecision === 'none'
				? 'none'
				: { responseCode: responseCodeOf(fallbackDecision, given.fallbackResponseCode) },
		runWorkflowFor,
		problems: [...problems, ...given.rules.problems],
	};
}

/**
 * Returns the source of the parameters. The error of a failed expression is a bad value of its field: it declines
 * authorizations, but must not block other events.
 */
function sourceOf(read: ReadParameter): Source {
	const get = (name: string) => {
		const value = valueOrProblem(read, name);
		if (value instanceof InvalidFieldError) throw value;
		return value;
	};
	return { get, has: () => true, raw: () => undefined, parameter: () => undefined };
}

function valueOrProblem(read: ReadParameter, name: string): unknown {
	try {
		return read(name, NOT_SAVED[name] ?? '');
	} catch (thrown) {
		const reason = thrown instanceof Error ? thrown.message : String(thrown);
		const label = PARAMETERS[name]?.label ?? name;
		return new InvalidFieldError(label, `could not be read: ${reason}`, 'Check its expression.');
	}
}

/**
 * Returns the source of the options. If the options cannot be read, each one counts as present without a value, because
 * one of them may be a limit.
 */
function optionSource(given: unknown): Source {
	const unreadable = Object.fromEntries(Object.keys(OPTIONS).map((name) => [name, '']));
	return sourceFrom(isObject(given) ? given : unreadable, undefined, {});
}

function nearestDeadline(value: unknown): number {
	const { min, max } = DEADLINE_MS;
	const given = numberIn(value);
	const ms = Number.isFinite(given) ? Number(given) : DEADLINE_MS.default;
	return Math.min(Math.max(ms, min), max);
}

/** Number in a text of digits, because variables of n8n are always text. Any other value as it is. */
function numberIn(value: unknown): unknown {
	return typeof value === 'string' && /^\s*\d+\s*$/.test(value) ? Number(value) : value;
}

/** Sample for a test run. */
export interface Sample {
	/** Trace ID, and the `operation_id` of most events. */
	id: string;
	envelope: ReturnType<typeof sampleOf>;
}

/** Reads the sample of a test run. Undefined to wait for a real event. */
export function readSample(
	read: ReadParameter,
	events: readonly string[],
): { sample: Sample | undefined; problems: string[] } {
	const options = read('options', {});
	const given = {
		...(isObject(options) ? options : {}),
		testEvent: read('testEvent', 'first'),
		events,
	};
	const problems: string[] = [];
	const { testEvent, sampleStatus, sampleChanges } = readFields(
		TEST,
		sourceFrom(given, undefined, {}),
		(problem) => problems.push(sentencesOf(problem)),
	);
	if (testEvent === undefined) return { sample: undefined, problems };
	const id = `${SAMPLE_ID}${randomUUID()}`;
	const usual = sampleOf(testEvent, id, new Date(), sampleStatus);
	const envelope = { ...usual, data: merged(usual.data, sampleChanges) as object };
	if (route(events, envelope) === undefined)
		problems.push(
			`The sample, with its status "${envelope.status}", is not one of the chosen events: ${onlyHas(events)}. Change Sample Status or Sample Changes.`,
		);
	return { sample: { id, envelope }, problems };
}

const labelOf = (name: string) => ENTRIES_BY_NAME.get(name)?.label ?? name;

const onlyHas = (events: readonly string[]) => `Events has only ${events.map(labelOf).join(', ')}`;

function parsed(value: unknown): unknown {
	if (typeof value !== 'string') return value;
	try {
		return value.trim() === '' ? {} : JSON.parse(value);
	} catch {
		return undefined;
	}
}

/** Merges objects field by field. Any other change replaces the value. */
function merged(value: unknown, changes: unknown): unknown {
	if (!isObject(changes) || !isObject(value)) return changes;
	const fields = Object.entries(changes).map(([name, change]) => [
		name,
		merged(value[name], change),
	]);
	return { ...value, ...(Object.fromEntries(fields) as object) };
}
