import type { INodeProperties } from 'n8n-workflow';

import { compareDecimals, isDecimal } from '../shared/decimal';
import { isObject } from '../shared/isObject';
import { APPROVE, approves, DECLINE, isResponseCode } from '../shared/responseCode';
import { CONDITIONS, readCondition, type Test } from './conditions';

/** Answer with a response code (§6.3). */
export interface Code {
	code: string;
}

/** Answer of a rule. `ask`: the workflow answers. */
export type Ruling = Code | 'ask';

export const ASK = 'ask';

export interface Rule {
	name: string;
	ruling: Ruling;
	/** All must hold. */
	tests: Test[];
	/** True if the rule never decides. */
	observeOnly: boolean;
}

export interface Verdict<Its extends Ruling = Ruling> {
	ruling: Its | Code;
	source: 'rule' | 'default' | 'unreadable';
	/** Rule that decides, asks, or could not read the purchase. */
	rule?: string;
	/** Answers that the observe-only rules above would have given. Null if the workflow would have been asked. */
	observed: Array<{ rule: string; response_code: string | null }>;
}

/** Decides an authorization. */
export const decide = (data: unknown, rules: readonly Rule[], otherwise: Ruling): Verdict =>
	firstVerdict(data, rules, otherwise, (ruling) => ruling);

/** Response code if the workflow has given none. Rules that ask are passed over, those above them did not match. */
export const codeUnanswered = (data: unknown, rules: readonly Rule[], fallback: Code): string =>
	firstVerdict(data, rules, fallback, (ruling) => (ruling === ASK ? undefined : ruling)).ruling
		.code;

/**
 * Decides by the first rule whose conditions all hold. A rule that needs a value that the purchase lacks declines, unless
 * another of its conditions is false.
 * @param otherwise ruling if no rule matches
 * @param take returns undefined for a ruling that is passed over
 */
function firstVerdict<Its extends Ruling>(
	data: unknown,
	rules: readonly Rule[],
	otherwise: Its,
	take: (ruling: Ruling) => Its | undefined,
): Verdict<Its> {
	const observed: Verdict['observed'] = [];
	for (const { name: rule, ruling: own, tests, observeOnly } of rules) {
		const findings = tests.map((test) => test(data));
		if (findings.includes(false)) continue;
		const isUnreadable = findings.includes('unreadable');
		const ruling = isUnreadable ? DECLINED : take(own);
		if (ruling === undefined) continue;
		const source = isUnreadable ? 'unreadable' : 'rule';
		if (!observeOnly) return { ruling, source, rule, observed };
		observed.push({ rule, response_code: ruling === ASK ? null : ruling.code });
	}
	return { ruling: otherwise, source: 'default', observed };
}

const APPROVED: Code = { code: APPROVE };
export const DECLINED: Code = { code: DECLINE };

/** Choices of the fields for a decision. */
export const RULINGS = {
	approve: { name: 'Approve', value: 'approve', description: 'Response code 00' },
	decline: { name: 'Decline', value: 'decline', description: 'Response code 05' },
	ask: {
		name: 'Ask the Workflow',
		value: ASK,
		description:
			'A Card Treasury node with the action "Respond to card authorization" answers. No person can answer in a second: if it does not either, the rules below this one decide.',
	},
	other: {
		name: 'Other Code',
		value: 'other',
		description: 'Declines with another reason code, which is passed to the card network',
	},
};

/** Parameter *Rules*. */
export const RULES: INodeProperties = {
	displayName: 'Rules',
	name: 'rules',
	type: 'fixedCollection',
	typeOptions: {
		multipleValues: true,
		sortable: true,
		fixedCollection: { itemTitle: '={{ $collection.item.value.name }}' },
	},
	placeholder: 'Add rule',
	default: {},
	options: [
		{
			displayName: 'Rule',
			name: 'rule',
			values: [
				{
					displayName: 'Conditions',
					name: 'conditions',
					type: 'collection',
					placeholder: 'Add condition',
					default: {},
					description: 'All of them must match. A rule that approves or asks needs at least one.',
					options: Object.entries(CONDITIONS).map(
						([name, { label, placeholder, description }]) => ({
							displayName: label,
							name,
							type: 'string',
							noDataExpression: true,
							default: '',
							placeholder,
							description,
						}),
					),
				},
				{
					displayName: 'Decision',
					name: 'decision',
					type: 'options',
					noDataExpression: true,
					options: Object.values(RULINGS),
					default: 'decline',
					description: 'The answer when all conditions of this rule match',
				},
				{
					displayName: 'Decline Code',
					name: 'responseCode',
					type: 'string',
					noDataExpression: true,
					default: DECLINE,
					placeholder: 'e.g. 51',
					description: 'Passed to the card network as the decline reason (ISO 8583 response code)',
					displayOptions: { show: { decision: ['other'] } },
				},
				{
					displayName: 'Name',
					name: 'name',
					type: 'string',
					noDataExpression: true,
					default: '',
					placeholder: 'e.g. No gambling',
					description: 'Shown in the output when this rule decides',
				},
				{
					displayName: 'Observe Only',
					name: 'observeOnly',
					type: 'boolean',
					noDataExpression: true,
					default: false,
					description:
						'Whether this rule only shows what it would have answered, in decision.observed, and never decides',
				},
			],
		},
	],
};

/** Reads the parameter *Rules*. While it has a problem, every authorization is declined. */
export function readRules(given: unknown): { rules: Rule[]; problems: string[] } {
	const entries = isObject(given) ? (given.rule ?? []) : undefined;
	if (!Array.isArray(entries))
		return { rules: [], problems: ['Rules could not be read. Enter them again.'] };
	const read = entries.map(readRule);
	return {
		rules: read.map(({ rule }) => rule),
		problems: read.flatMap(({ problems }) => problems),
	};
}

function readRule(given: unknown, index: number): { rule: Rule; problems: string[] } {
	const own = isObject(given) ? given : {};
	const { name, decision, responseCode, conditions, observeOnly = false } = own;
	const called = typeof name === 'string' && name.trim() !== '' ? name.trim() : `Rule ${index + 1}`;
	const entered = isObject(conditions) ? conditions : {};
	const read = Object.entries(entered).map(([condition, value]) => readCondition(condition, value));
	const ruling = rulingOf(decision, responseCode);
	const isLenient = ruling === ASK || approves(ruling?.code ?? '');
	const { amountFrom, amountTo, currencies } = entered;
	const problems = [
		...read.filter((each) => typeof each === 'string'),
		ruling === undefined &&
			'Decline Code must have 2 or 3 digits or capital letters, and must not approve. Enter for example 51.',
		// n8n drops conditions with a misspelled name, and empties those that are one expression.
		isLenient && read.length === 0 && 'It has no conditions. Add one, or use Default Decision.',
		isLenient &&
			(amountFrom !== undefined || amountTo !== undefined) &&
			currencies === undefined &&
			'It has an amount without a currency. Add the condition Currencies.',
		isDecimal(amountFrom) &&
			isDecimal(amountTo) &&
			compareDecimals(amountFrom, amountTo) > 0 &&
			'Amount From is greater than Amount To. Change one of them.',
		typeof observeOnly !== 'boolean' && 'Observe Only is neither on nor off. Set it again.',
	].filter((problem) => problem !== false);
	return {
		rule: {
			name: called,
			ruling: ruling ?? DECLINED,
			tests: read.filter((each) => typeof each === 'function'),
			observeOnly: observeOnly === true,
		},
		problems: problems.map((problem) => `Rule "${called}": ${problem}`),
	};
}

/** Ruling of a choice of the panel. Undefined if it is none. A saved workflow omits values that equal the default. */
export function rulingOf(
	decision: unknown = 'decline',
	code: unknown = DECLINE,
): Ruling | undefined {
	if (decision === 'approve') return APPROVED;
	if (decision === 'decline') return DECLINED;
	if (decision === ASK) return ASK;
	return decision === 'other' && isResponseCode(code) && !approves(code) ? { code } : undefined;
}
