import { approves, DECLINE } from '../../shared/authorizationAnswer';
import { choice } from '../../shared/fields/choice';
import { otherCode, responseCodeOf, type ChosenDecision } from '../../shared/fields/decision';
import {
	failClosed,
	field,
	propertiesOf,
	readFields,
	type Field,
	type Ui,
} from '../../shared/fields/field';
import { InvalidFieldError, sentencesOf } from '../../shared/fields/invalidField';
import { sourceFrom } from '../../shared/fields/source';
import { isObject } from '../../shared/isObject';
import { CONDITIONS, readConditions, typedText, type Condition } from './conditions';

/** Ruling of a rule or of the default: a response code, or `ask` if the workflow answers. */
export type Ruling = { responseCode: string } | 'ask';

export interface Rule {
	name: string;
	ruling: Ruling;
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
	areUnreadable: boolean;
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

/** Choices of a rule and of the default. */
export const RULINGS = {
	approve: DECISIONS.approve,
	decline: DECISIONS.decline,
	ask: {
		name: 'Ask the Workflow',
		description:
			'A Card Treasury node with the action "Respond to card authorization" answers. If it has not by the Deadline, the rules below this one decide.',
	},
	other: DECISIONS.other,
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
const RULE = {
	conditions: failClosed(
		{ strictest: {}, absent: {} },
		field(
			'Conditions',
			{
				type: 'collection',
				placeholder: 'Add condition',
				default: {},
				options: propertiesOf(CONDITIONS),
				description: 'All of them must match. A rule that approves or asks needs at least one.',
			},
			({ value, refuse }) =>
				isObject(value)
					? value
					: refuse('could not be read', 'Check the expression, or remove them.'),
		),
	),
	decision: failClosed(
		{ strictest: 'decline', absent: 'decline' },
		choice('Decision', RULINGS, {
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
			({ value }) => typedText(value),
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

/** Rules of the option *Decline All*. */
export const DECLINE_ALL: ReadRules = {
	rules: [
		{
			name: 'Decline All',
			ruling: { responseCode: DECLINE },
			conditions: [],
			observeOnly: false,
			readable: true,
		},
	],
	areUnreadable: false,
	problems: [],
};

/** Rules that cannot be read. Every authorization is declined. */
export const UNREADABLE: ReadRules = { rules: [], areUnreadable: true, problems: [] };

/** Parameter `rules`. */
export const RULES: Field<ReadRules> = field(
	'Rules',
	{
		type: 'fixedCollection',
		typeOptions: {
			multipleValues: true,
			sortable: true,
			fixedCollection: { itemTitle: '={{ $collection.item.value.name }}' },
		},
		placeholder: 'Add rule',
		hint: 'The first rule whose conditions all match decides, or asks. Put rules that decline, or only observe, first.',
		default: {},
		options: [{ displayName: 'Rule', name: 'rule', values: propertiesOf(RULE) }],
	},
	({ value, refuse }) => {
		const entries = isObject(value) ? ('rule' in value ? value.rule : []) : undefined;
		return Array.isArray(entries)
			? readRules(entries)
			: refuse('could not be read', 'Check the expression, or remove the rules.');
	},
);

export function readRules(entries: unknown[]): ReadRules {
	const problems: string[] = [];
	const rules = entries.map((entry, index) =>
		readRule(isObject(entry) ? entry : { conditions: undefined }, index, problems),
	);
	return {
		rules,
		areUnreadable: rules.some(({ readable, observeOnly }) => !readable && !observeOnly),
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
	const ruling = rulingOf(read.decision, read.responseCode);
	const mayApprove = ruling === 'ask' || approves(ruling.responseCode);
	// n8n drops conditions with a misspelled name, and empties those that are one expression.
	if (own.length === 0 && conditions.length === 0 && mayApprove)
		own.push(
			`It has no conditions, so it would ${ruling === 'ask' ? 'ask about' : 'approve'} every purchase. Add a condition, or use Default Decision.`,
		);
	const name = read.name || `Rule ${index + 1}`;
	problems.push(...own.map((problem) => `Rule "${name}": ${problem}`));
	return {
		name,
		ruling,
		conditions: conditions.filter((condition) => 'examine' in condition),
		observeOnly: read.observeOnly,
		readable: own.length === 0,
	};
}

/** @param other value of the field for another code */
export function rulingOf(decision: ChosenDecision | 'ask', other: string | undefined): Ruling {
	return decision === 'ask' ? 'ask' : { responseCode: responseCodeOf(decision, other) };
}
