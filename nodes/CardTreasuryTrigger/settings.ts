import { DECLINE } from '../shared/authorizationAnswer';
import { choice } from '../shared/fields/choice';
import { otherCode, responseCodeOf } from '../shared/fields/decision';
import { failClosed, field, readFields } from '../shared/fields/field';
import { InvalidFieldError, quote, sentencesOf } from '../shared/fields/invalidField';
import { sourceFrom, type Source } from '../shared/fields/source';
import { isObject } from '../shared/isObject';
import type { DecisionSettings, RunWorkflowFor } from './authorization/authorize';
import { DECISIONS, OTHER_CODE, readRules } from './authorization/rules';
import type { AdmissionSettings } from './delivery/admit';
import { readIpAllowlist } from './delivery/allowlist';
import { readMaximumAge } from './delivery/verify';
import { AUTHORIZATION, chosenEvents, ENTRIES, ENTRIES_BY_NAME, OTHER } from './events';

/** Problems that block publishing, as full sentences for the user. The strictest value replaces each invalid one. */
interface Checked {
	problems: string[];
}

/** Settings that are read for every delivery. */
export interface DeliverySettings extends AdmissionSettings, Checked {
	ignoreDuplicates: boolean;
	runWorkflowFor: RunWorkflowFor;
}

/** Reads a parameter. Returns the fallback if the parameter is not set. */
export type ReadParameter = (name: string, fallback: unknown) => unknown;

/** Limits of the deadline. The maximum leaves 50 ms of the service's 1,200 ms (§6.4) for the network. */
const DEADLINE_MS = { min: 100, max: 1_150, default: 1_000 } as const;

/** Conditions under which a field is shown and read (§6.3). */
export const CHOSEN = { events: [AUTHORIZATION] };
export const BY_RULES = { ...CHOSEN, authorizationDecision: ['rules'] };
export const BY_WORKFLOW = { ...CHOSEN, authorizationDecision: ['workflow'] };

/** Parameters of the trigger, except the rules and the fields of a test run. */
export const PARAMETERS = {
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
						'The events that run the workflow. Choose Cards: Card Blocked by Velocity unless another workflow handles it.',
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
	authorizationDecision: failClosed(
		{ strictest: 'rules', show: CHOSEN },
		choice(
			'Authorization Decision',
			{
				rules: {
					name: 'Rules',
					description: 'This node answers at once, before the workflow runs',
				},
				workflow: {
					name: 'Workflow',
					description:
						'A Card Treasury node with the action "Respond to card authorization" answers',
				},
			},
			{
				noDataExpression: true,
				description: 'Who decides a card authorization. The service waits 1.2 seconds.',
			},
		),
	),
	defaultDecision: failClosed(
		{ strictest: 'decline', show: BY_RULES },
		choice('Default Decision', DECISIONS, {
			noDataExpression: true,
			default: 'decline',
			hint: 'The answer when no rule matches, also while there are no rules',
		}),
	),
	defaultResponseCode: failClosed(
		{ strictest: DECLINE, show: { ...BY_RULES, defaultDecision: ['other'] } },
		otherCode('Default Response Code', OTHER_CODE),
	),
	deadlineMs: {
		...failClosed(
			{ strictest: DEADLINE_MS.default, show: BY_WORKFLOW },
			field(
				'Deadline (Milliseconds)',
				{
					hint: 'Counted from when the authorization arrived',
					type: 'number',
					typeOptions: { minValue: DEADLINE_MS.min, maxValue: DEADLINE_MS.max },
					default: DEADLINE_MS.default,
					description:
						'The service waits 1,200 ms for the full answer, including network time. The fallback is sent no later than 1,100 ms after X-Request-Timestamp.',
				},
				({ value, refuse }): number => {
					const { min, max } = DEADLINE_MS;
					const deadline = nearestDeadline(value);
					return deadline === value
						? deadline
						: refuse(`must be between ${min} and ${max}`, 'Enter a number of milliseconds.');
				},
			),
		),
		failClosed: nearestDeadline,
	},
	fallbackDecision: failClosed(
		{ strictest: 'decline', show: BY_WORKFLOW },
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
				description: 'The answer when the workflow has given none by the deadline, or fails',
			},
		),
	),
	fallbackResponseCode: failClosed(
		{ strictest: DECLINE, show: { ...BY_WORKFLOW, fallbackDecision: ['other'] } },
		otherCode('Fallback Response Code', OTHER_CODE),
	),
};

/** Entries of *Options*. *Sample Changes* is missing here, because only a test run reads it. */
export const OPTIONS = {
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
				displayOptions: { show: { '/authorizationDecision': ['rules'] } },
				description:
					'Which authorizations decided by the rules also run the workflow. Run fewer so that a busy card program does not overload this n8n.',
			},
			({ value }): RunWorkflowFor => (value === 'declined' || value === 'none' ? value : 'all'),
		),
	),
};

/** Defaults. A saved workflow omits values that equal the default. */
const NOT_SAVED: Record<string, unknown> = {
	authorizationDecision: 'rules',
	defaultDecision: 'decline',
	deadlineMs: DEADLINE_MS.default,
	fallbackDecision: 'decline',
};

/** Reads the settings that decide which deliveries are accepted. */
export function readDeliverySettings(read: ReadParameter): DeliverySettings {
	const problems: string[] = [];
	const refused = (problem: InvalidFieldError) => problems.push(sentencesOf(problem));
	const { events } = readFields({ events: PARAMETERS.events }, sourceOf(read), refused);
	const options = readFields(OPTIONS, optionSource(read('options', {})), refused);
	return { events, ...options, problems };
}

/**
 * Reads the settings that decide authorizations.
 * @param read called only for shown fields, because the expression of a hidden field may fail
 */
export function readDecisionSettings(read: ReadParameter): DecisionSettings & Checked {
	const problems: string[] = [];
	const given = readFields(PARAMETERS, sourceOf(read), (problem) =>
		problems.push(sentencesOf(problem)),
	);
	const decides = given.events.includes(AUTHORIZATION) ? given.authorizationDecision : undefined;
	const rules = readRules(decides === 'rules' ? rulesOf(read) : {});
	const { defaultDecision, fallbackDecision } = given;
	return {
		authorizationDecision: decides,
		rules,
		defaultResponseCode: responseCodeOf(defaultDecision, given.defaultResponseCode),
		deadlineMs: given.deadlineMs,
		fallback:
			fallbackDecision === 'none'
				? 'none'
				: { responseCode: responseCodeOf(fallbackDecision, given.fallbackResponseCode) },
		problems: [...problems, ...rules.problems],
	};
}

function sourceOf(read: ReadParameter): Source {
	return {
		get: (name) => read(name, NOT_SAVED[name] ?? ''),
		has: () => true,
		raw: () => undefined,
		parameter: () => undefined,
	};
}

/**
 * Returns the error of a failed expression instead of throwing it. Such an error declines authorizations, but must not
 * block other events.
 */
function rulesOf(read: ReadParameter): unknown {
	try {
		return read('rules', {});
	} catch (thrown) {
		const reason = thrown instanceof Error ? thrown.message : String(thrown);
		return new InvalidFieldError('Rules', `could not be read: ${reason}`, 'Check its expressions.');
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
	const ms = Number.isFinite(value) ? Number(value) : DEADLINE_MS.default;
	return Math.min(Math.max(ms, min), max);
}
