import type { IDataObject } from 'n8n-workflow';

import { filled, PURCHASE } from '../../../shared/about';
import { isObject } from '../../../shared/isObject';
import { orProblem } from '../../../shared/problem';
import { isResponseCode, outcomeOf } from '../../../shared/responseCode';
import { byRule, decide, decisionOf } from '../../../shared/rules/decide';
import { readDeciding, type Deciding } from '../../../shared/rules/read';
import { harmless, listOf, quote, sentences, textOf } from '../../../shared/text';
import { optional, required, type Field } from '../../fields/field';
import { calculation } from '../operation';

const TAKE_RULES =
	"Choose the event Card Authorization in the trigger, and name it here: {{ $('Card Treasury Trigger').params }}.";

/** Settings of a trigger. n8n follows its name in an expression, and can offer no list of nodes (2.41). */
const rulesOf: Field<Deciding> = required(
	'Rules Of',
	{
		default: "={{ $('Card Treasury Trigger').params }}",
		description: 'The trigger in this workflow with the rules. A test run takes them unpublished.',
	},
	(value, refuse) => {
		if (!isObject(value) || !isObject(value.rules)) return refuse('has no rules', TAKE_RULES);
		const settings = readDeciding((name, fallback) => value[name] ?? fallback);
		const [problem] = settings.problems;
		return problem === undefined ? settings : refuse('cannot be read', problem);
	},
	{ takesAny: true },
);

const purchase = required(
	'Purchase',
	{
		default: '={{ $json.data }}',
		description: 'The data of a card event, as an object or as JSON text',
	},
	(value, refuse) => {
		const data = typeof value === 'string' ? orProblem(() => JSON.parse(value) as unknown) : value;
		return isObject(data) && (Object.hasOwn(data, 'card_id') || Object.hasOwn(data, 'bill_amount'))
			? data
			: refuse('is not the data of a card event', 'Pass the field data of the event.');
	},
	{ takesAny: true },
);

/** Its expression may give nothing: a late answer has no code, and other card events have none. */
const answeredThen = optional(
	'Answered Then',
	{
		default: '={{ $json.decision.response_code }}',
		description:
			'The response code that the purchase was answered with, for comparison. May be empty.',
	},
	(value, refuse) => {
		const text = textOf(value).trim();
		if (isResponseCode(text)) return text;
		return refuse(`is ${quote(text)}, not a response code`, 'Pass decision.response_code.');
	},
	{ mayBeNothing: true },
);

/** Decides earlier purchases again, with the code that answers authorizations. */
export const tryRules = calculation({
	name: 'Try Rules',
	action: 'Try rules on card purchases',
	description:
		'Show what the rules of a trigger would answer to earlier purchases. Answers and sends nothing.',
	fields: { rulesOf, purchase, answeredThen },
	calculate: ({ rulesOf: settings, purchase: data, answeredThen: then }) => {
		const verdict = decide(data, settings);
		const { asks, code: now } = verdict;
		const would = asks ? 'Would ask the workflow' : `Would be ${outcomeOf(now)} (${now})`;
		const was = then === undefined ? '' : `, was ${outcomeOf(then)} (${then})`;
		return {
			summary: harmless(`${would}${byRule(verdict)}${was}: ${filled(PURCHASE, data)}`),
			// The workflow's answer is not known.
			changes: asks || then === undefined ? null : now !== then,
			decision: decisionOf(verdict),
			answered_then: then ?? null,
		};
	},
	tell,
});

/** Fields of an item that the sentence for the run counts. */
interface Tried {
	changes: boolean | null;
	decision: { outcome: string };
	answered_then: string | null;
}

/** E.g. "9 of 412 purchases would be decided differently: 9 declined that were approved. In all, …". */
function tell(items: IDataObject[]): string {
	const tried = items as unknown as Tried[];
	const compared = tried.flatMap(({ answered_then: then, ...item }) =>
		then === null ? [] : [{ ...item, was: outcomeOf(then) }],
	);
	const differences = compared
		.filter(({ changes }) => changes)
		.map(({ decision: { outcome }, was }) =>
			outcome === was ? `${outcome} with another code` : `${outcome} that were ${was}`,
		);
	const which = differences.length > 0 ? `: ${counted(differences)}` : '';
	const asked = compared.filter(({ changes }) => changes === null).map(({ was }) => was);
	return sentences(
		compared.length > 0 &&
			`${differences.length || 'None'} of ${tried.length} purchases would be decided differently${which}`,
		`In all, ${counted(tried.map(({ decision }) => decision.outcome))}`,
		asked.length > 0 &&
			`What the workflow would answer to those asked is not known (before: ${counted(asked)})`,
	);
}

/** E.g. "7 declined and 2 approved". */
function counted(words: string[]): string {
	const counts = new Map<string, number>();
	for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
	return listOf([...counts].map(([word, count]) => `${count} ${word}`));
}
