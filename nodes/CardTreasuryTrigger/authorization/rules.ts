import { DECLINE } from '../../shared/authorizationAnswer';
import { choice } from '../../shared/fields/choice';
import { otherCode, responseCodeOf } from '../../shared/fields/decision';
import { failClosed, field, propertiesOf, readFields, type Ui } from '../../shared/fields/field';
import { InvalidFieldError, sentencesOf } from '../../shared/fields/invalidField';
import { sourceFrom } from '../../shared/fields/source';
import { isObject } from '../../shared/isObject';
import { CONDITIONS, readConditions, textOf, type Condition } from './conditions';

export interface Rule {
	name: string;
	responseCode: string;
	/** Conditions that must all hold. A rule without conditions matches every authorization. */
	conditions: Condition[];
	/** True if the rule never decides. */
	observeOnly: boolean;
	readable: boolean;
}

/** Parsed parameter `rules`. */
export interface ReadRules {
	rules: Rule[];
	/** True if a deciding rule is unreadable. Every authorization is then declined. */
	declineAll: boolean;
	/** Problems, as full sentences for the user. */
	problems: string[];
}

/** Choices in the fields for a decision. */
export const DECISIONS = {
	approve: { name: 'Approve', description: 'Response code 00' },
	decline: { name: 'Decline', description: 'Response code 05' },
	other: {
		name: 'Other Code',
		description: 'Declines with another reason code, which is passed to the card network',
	},
};

/** Panel properties of a field for a decline code. */
export const OTHER_CODE: Ui = {
	default: DECLINE,
	placeholder: 'e.g. 51',
	description:
		'Passed to the card network as the decline reason (ISO 8583 response code). Codes that approve, and words such as OK, are not accepted.',
};

/**
 * Fields of a rule, sorted by label as n8n's lint rules require. A saved workflow omits values that equal the default.
 */
export const RULE = {
	conditions: failClosed(
		{ strictest: {}, absent: {} },
		field(
			'Conditions',
			{
				type: 'collection',
				placeholder: 'Add condition',
				default: {},
				options: propertiesOf(CONDITIONS),
				description:
					'All of them must match. A rule without conditions applies to every authorization.',
			},
			({ value, refuse }) =>
				isObject(value)
					? value
					: refuse('could not be read', 'Check the expression, or remove them.'),
		),
	),
	decision: failClosed(
		{ strictest: 'decline', absent: 'decline' },
		choice('Decision', DECISIONS, {
			noDataExpression: true,
			default: 'decline',
			description: 'The answer when all conditions of this rule match',
		}),
	),
	responseCode: failClosed(
		{ strictest: DECLINE, show: { decision: ['other'] } },
		otherCode('Decline Code', OTHER_CODE),
	),
	name: failClosed(
		{ strictest: '' },
		field(
			'Name',
			{
				placeholder: 'e.g. No gambling',
				description: 'Shown in the output when this rule decides',
			},
			({ value }) => textOf(value),
		),
	),
	observeOnly: failClosed(
		{ strictest: false, absent: false },
		field(
			'Observe Only',
			{
				type: 'boolean',
				noDataExpression: true,
				default: false,
				description:
					'Whether this rule only shows what it would have answered, in decision.observed, and never decides',
			},
			({ value, refuse }) =>
				typeof value === 'boolean'
					? value
					: refuse('is neither true nor false', 'Check its expression.'),
		),
	),
};

/**
 * Reads the parameter `rules`.
 * @param parameter value, or the error of a failed expression
 */
export function readRules(parameter: unknown): ReadRules {
	const unreadable = (problem: string) => ({ rules: [], declineAll: true, problems: [problem] });
	if (parameter instanceof InvalidFieldError) return unreadable(sentencesOf(parameter));
	const entries = isObject(parameter) ? ('rule' in parameter ? parameter.rule : []) : undefined;
	if (!Array.isArray(entries))
		return unreadable('Rules could not be read. Check the expression, or remove the rules.');
	const problems: string[] = [];
	const rules = entries.map((entry: unknown, index) =>
		readRule(isObject(entry) ? entry : { conditions: undefined }, index, problems),
	);
	return {
		rules,
		declineAll: rules.some(({ readable, observeOnly }) => !readable && !observeOnly),
		problems,
	};
}

function readRule(entry: Record<string, unknown>, index: number, problems: string[]): Rule {
	const own: string[] = [];
	const source = sourceFrom(entry, undefined, {});
	const read = readFields(RULE, source, (problem) => own.push(sentencesOf(problem)));
	const conditions = readConditions(read.conditions);
	for (const condition of conditions)
		if (condition instanceof InvalidFieldError) own.push(sentencesOf(condition));
	const name = read.name || `Rule ${index + 1}`;
	problems.push(...own.map((problem) => `Rule "${name}": ${problem}`));
	return {
		name,
		responseCode: responseCodeOf(read.decision, read.responseCode),
		conditions: conditions.filter((condition) => 'examine' in condition),
		observeOnly: read.observeOnly,
		readable: own.length === 0,
	};
}
