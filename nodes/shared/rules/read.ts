import { compareDecimals, isDecimal } from '../decimal';
import { entryOf, isObject } from '../isObject';
import { APPROVE, approves, DECLINE, isResponseCode } from '../responseCode';
import { readCondition } from './conditions';
import { ASK, type Rule, type Settings } from './decide';

/** Authorizations decided by the rules that also run the workflow. */
export const RUNS = {
	all: 'All Authorizations',
	declined: 'Declined Authorizations',
	none: 'No Authorizations',
};

export interface Deciding extends Settings {
	/** One of `RUNS`. */
	runWorkflowFor: string;
}

/** Reads a parameter of the node. */
export type Read = (name: string, fallback: unknown) => unknown;

/** Settings that cannot be read decline. */
const UNREADABLE = { rules: [], byDefault: DECLINE, fallback: DECLINE, runWorkflowFor: 'all' };

/** Reads the settings that decide authorizations. Never throws. */
export function readDeciding(read: Read): Deciding {
	try {
		const { rules, problems } = readRules(read('rules', {}));
		// Neither has a code of its own.
		const byDefault = rulingOf(read('defaultDecision', 'decline'), null);
		const fallback = rulingOf(read('fallbackDecision', 'decline'), null);
		const { runWorkflowFor = 'all' } = read('options', {}) as { runWorkflowFor?: string };
		if (byDefault === undefined || fallback === undefined || fallback === ASK)
			problems.push('Default Decision or Fallback Decision is not in its list. Choose again.');
		else if (entryOf(RUNS, String(runWorkflowFor)) === undefined)
			problems.push('Run Workflow For is not in its list. Choose again, or remove the option.');
		else return { rules, byDefault, fallback, runWorkflowFor, problems };
		return { ...UNREADABLE, problems };
	} catch (thrown) {
		return { ...UNREADABLE, problems: [`A setting could not be read: ${String(thrown)}`] };
	}
}

/** Reads the parameter *Rules*. While it has a problem, every authorization is declined. */
export function readRules(parameter: unknown): { rules: Rule[]; problems: string[] } {
	const entries = isObject(parameter) ? (parameter.rule ?? []) : undefined;
	if (!Array.isArray(entries))
		return { rules: [], problems: ['Rules could not be read. Enter them again.'] };
	const read = entries.map(readRule);
	return {
		rules: read.map(({ rule }) => rule),
		problems: read.flatMap(({ problems }) => problems),
	};
}

function readRule(entry: unknown, index: number): { rule: Rule; problems: string[] } {
	const stored = isObject(entry) ? entry : {};
	const { name, decision, responseCode, conditions, observeOnly = false } = stored;
	const called = typeof name === 'string' && name.trim() !== '' ? name.trim() : `Rule ${index + 1}`;
	const entered = isObject(conditions) ? conditions : {};
	const read = Object.entries(entered).map(([condition, value]) => readCondition(condition, value));
	const ruling = rulingOf(decision, responseCode);
	const isLenient = ruling === ASK || approves(ruling ?? '');
	const { amountFrom, amountTo, currencies } = entered;
	const [from, to] = [amountFrom, amountTo].map((bound) => String(bound).trim());
	const problems = [
		...read.filter((each) => typeof each === 'string'),
		ruling === undefined &&
			'Decision must be in its list, and a Decline Code must have 2 or 3 digits or capital letters, and must not approve. Enter for example 51.',
		// n8n drops conditions with a misspelled name, and empties those that are one expression.
		isLenient && read.length === 0 && 'It has no conditions. Add one, or use Default Decision.',
		isLenient &&
			(amountFrom !== undefined || amountTo !== undefined) &&
			currencies === undefined &&
			'It has an amount without a currency. Add the condition Currencies.',
		isDecimal(from) &&
			isDecimal(to) &&
			compareDecimals(from, to) > 0 &&
			'Amount From is greater than Amount To. Change one of them.',
		typeof observeOnly !== 'boolean' && 'Observe Only is neither on nor off. Set it again.',
	].filter((problem) => problem !== false);
	return {
		rule: {
			name: called,
			ruling: ruling ?? DECLINE,
			tests: read.filter((each) => typeof each === 'function'),
			observeOnly: observeOnly === true,
		},
		problems: problems.map((problem) => `Rule "${called}": ${problem}`),
	};
}

/** Ruling of a choice of the panel. Undefined if it is none. A saved workflow omits values that equal the default. */
function rulingOf(decision: unknown = 'decline', code: unknown = DECLINE): string | undefined {
	if (decision === 'approve') return APPROVE;
	if (decision === 'decline') return DECLINE;
	if (decision === ASK) return ASK;
	return decision === 'other' && isResponseCode(code) && !approves(code) ? code : undefined;
}
