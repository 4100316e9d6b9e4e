import { DECLINE } from '../service/authorizationAnswer';
import { isObject } from '../service/isObject';
import type { DecisionSettings } from './authorization/authorize';
import { chosenCode, readRules, sentencesOf } from './authorization/rules';
import type { AdmissionSettings } from './delivery/admit';
import { readIpAllowlist } from './delivery/allowlist';
import type { Answer } from './delivery/claims';
import type { MaximumAge } from './delivery/verify';
import { AUTHORIZATION, chosenEvents } from './events';

/** The trigger's parameters. A value that cannot be read is replaced by the strictest one, and named in `problems`. */
export interface Settings extends AdmissionSettings, DecisionSettings {
	ignoreDuplicates: boolean;
	/** What keeps the trigger from being published, as full sentences for the user. */
	problems: string[];
}

type Options = Omit<Settings, 'events' | 'problems' | keyof DecisionSettings> &
	Pick<DecisionSettings, 'runWorkflowFor'>;

/** Reads one parameter, or gives the fallback where it is not set. */
export type ReadParameter = (name: string, fallback: unknown) => unknown;

/** The highest leaves 50 ms of the service's 1,200 (§6.4) for the network. */
export const DEADLINE_MS = { min: 100, max: 1_150 } as const;

export const DEFAULT_DEADLINE_MS = 1_000;

export function readSettings(read: ReadParameter): Settings {
	const problems: string[] = [];
	const events = chosenEvents(read('events', []));
	// Everything would be acknowledged, and lost.
	if (events.length === 0) problems.push('No event is chosen. Choose at least one in Events.');
	const decides = !events.includes(AUTHORIZATION)
		? undefined
		: read('authorizationDecision', 'rules') === 'workflow'
			? 'workflow'
			: 'rules';
	const byRules = decides === 'rules';
	const byWorkflow = decides === 'workflow';
	const rules = readRules(byRules ? read('rules', {}) : {});
	problems.push(...rules.problems);
	return {
		events,
		authorizationDecision: decides,
		rules,
		defaultResponseCode: byRules ? readCode(read, 'default', problems) : DECLINE,
		deadlineMs: byWorkflow ? readDeadline(read, problems) : DEFAULT_DEADLINE_MS,
		fallback: byWorkflow ? readFallback(read, problems) : { responseCode: DECLINE },
		...readOptions(read, problems),
		problems,
	};
}

const FIELDS = {
	default: { decision: 'Default Decision', code: 'Default Response Code' },
	fallback: { decision: 'Fallback Decision', code: 'Fallback Response Code' },
} as const;

function readCode(read: ReadParameter, which: 'default' | 'fallback', problems: string[]): string {
	const decision = read(`${which}Decision`, 'decline');
	const code = chosenCode(decision, read(`${which}ResponseCode`, ''), FIELDS[which]);
	if (typeof code === 'string') return code;
	problems.push(sentencesOf(code));
	return DECLINE;
}

function readFallback(read: ReadParameter, problems: string[]): Answer {
	if (read('fallbackDecision', 'decline') === 'none') return 'none';
	return { responseCode: readCode(read, 'fallback', problems) };
}

function readDeadline(read: ReadParameter, problems: string[]): number {
	const { min, max } = DEADLINE_MS;
	const value = read('deadlineMs', DEFAULT_DEADLINE_MS);
	const ms = typeof value === 'number' && Number.isFinite(value) ? value : DEFAULT_DEADLINE_MS;
	const deadline = Math.min(Math.max(ms, min), max);
	if (deadline !== value) problems.push(`Deadline must be between ${min} and ${max} milliseconds.`);
	return deadline;
}

function readOptions(read: ReadParameter, problems: string[]): Options {
	const given = read('options', {});
	// Options that cannot be read may hold a limit: nothing passes.
	const options = isObject(given) ? given : { maximumAgeSeconds: '', ipAllowlist: '' };
	const maximumAgeSeconds = 'maximumAgeSeconds' in options ? readAge(options.maximumAgeSeconds) : 0;
	if (maximumAgeSeconds === 'unreadable')
		problems.push('Maximum Age must be a number of seconds. Enter one, or remove the option.');
	const ipAllowlist = 'ipAllowlist' in options ? readIpAllowlist(options.ipAllowlist) : undefined;
	if (ipAllowlist?.problem) problems.push(`IP Allowlist ${ipAllowlist.problem}.`);
	const { runWorkflowFor } = options;
	return {
		maximumAgeSeconds,
		ipAllowlist,
		ignoreDuplicates: options.ignoreDuplicates !== false,
		runWorkflowFor:
			runWorkflowFor === 'declined' || runWorkflowFor === 'none' ? runWorkflowFor : 'all',
	};
}

/** What is there without a value must not be taken for "any age". */
function readAge(value: unknown): MaximumAge {
	const isGiven = typeof value === 'number' || (typeof value === 'string' && value.trim() !== '');
	const age = Number(value);
	return isGiven && Number.isFinite(age) && age >= 0 ? age : 'unreadable';
}
