import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { approves, DECLINE } from '../../shared/authorizationAnswer';
import { quote } from '../../shared/fields/invalidField';
import { isObject } from '../../shared/isObject';
import type { DecisionSettings } from '../authorization/answer';
import { decide, decideUnanswered, examine, type Question } from '../authorization/decide';
import type { ReadRules } from '../authorization/rules';
import type { Decision } from '../delivery/replies';
import { AUTHORIZATION, EVENTS_BY_NAME, SAMPLE_ID } from '../events';
import { readDecisionSettings, readDeliverySettings, type ReadParameter } from '../settings';
import { whyNoAnswer } from './respondNode';

/** Adds hints to a test run in the editor. Users try rules there, with a changed sample. */
export function explainTest(n8n: IExecuteFunctions, event: string, item: IDataObject): void {
	explainSample(n8n, event, item);
	if (event === AUTHORIZATION) explainDecision(n8n, item);
}

/** Warns of changes that add a field, because a misplaced field does not affect the rules. */
function explainSample(n8n: IExecuteFunctions, event: string, item: IDataObject): void {
	const row = EVENTS_BY_NAME.get(event);
	const { trace_id: traceId } = isObject(item.delivery) ? item.delivery : {};
	const isSample = String(traceId).startsWith(SAMPLE_ID);
	if (!isSample || row === undefined) return;
	const known = pathsIn(row.sample.data(''));
	const added = pathsIn(item.data).filter((path) => !known.includes(path));
	if (added.length === 0) return;
	const named = added.map((path) => {
		const meant = known.find((other) => other.split('.').at(-1) === path.split('.').at(-1));
		return meant === undefined ? path : `${path} (the sample has ${meant})`;
	});
	n8n.addExecutionHints({
		message: `Sample Changes added fields that the sample does not have: ${named.join(', ')}. Correct their names, or put them where the sample has them.`,
		type: 'warning',
		location: 'outputPane',
	});
}

/** Returns the paths of all fields of an object, e.g. `merchant_data.mcc_code`. */
function pathsIn(value: unknown): string[] {
	if (!isObject(value)) return [];
	return Object.entries(value).flatMap(([name, inner]) => [
		name,
		...pathsIn(inner).map((path) => `${name}.${path}`),
	]);
}

function explainDecision(n8n: IExecuteFunctions, { data, decision }: IDataObject): void {
	if (!isObject(data) || decision === undefined) return;
	const read: ReadParameter = (name, fallback) => n8n.getNodeParameter(name, 0, fallback);
	const settings = readDecisionSettings(read, readDeliverySettings(read));
	n8n.addExecutionHints({ message: explain(data, settings), location: 'outputPane' });
}

/**
 * Explains a decision to the author of the rules. Names the rule that decides or asks, what decides at the deadline,
 * later rules with another answer, and entries that can never match.
 */
export function explain(
	data: Readonly<Record<string, unknown>>,
	settings: Pick<DecisionSettings, 'rules' | 'byDefault' | 'fallback'>,
): string {
	const { rules } = settings.rules;
	const verdict = decide(data, settings.rules, settings.byDefault);
	const said =
		'asks' in verdict
			? explainQuestion(data, settings, verdict)
			: explainVerdict(data, settings.rules, verdict);
	return [...said, ...neverMatching(data, rules)].join(' ');
}

type Data = Readonly<Record<string, unknown>>;

const inWords = (code: string) => `${approves(code) ? 'approved' : 'declined'} (${code})`;

function explainQuestion(
	data: Data,
	{ rules, fallback }: Pick<DecisionSettings, 'rules' | 'fallback'>,
	question: Question,
): string[] {
	const by = question.rule === undefined ? 'the Default Decision' : `the rule "${question.rule}"`;
	const unanswered = decideUnanswered(data, rules, question);
	const atDeadline = unanswered
		? `${inWords(unanswered.response_code)} ${reasonOf(data, rules, unanswered, question.next)}`
		: fallback === 'none'
			? 'left to the card, because the Fallback Decision is None'
			: `${inWords(fallback.responseCode)} by the Fallback Decision`;
	return [
		`The workflow is asked about this purchase, by ${by}.`,
		`Without an answer by the deadline, it is ${atDeadline}.`,
	];
}

function explainVerdict(data: Data, read: ReadRules, decision: Decision): string[] {
	const { response_code: code } = decision;
	const findings = read.rules.map((rule) => ({ rule, finding: examine(rule, data) }));
	const at = findings.findIndex(({ rule, finding }) => finding !== false && !rule.observeOnly);
	const others = findings
		.slice(at + 1)
		.filter(({ rule, finding }) => finding === true || (finding && !rule.observeOnly))
		.map(({ rule: { name, ruling }, finding }) => ({
			name,
			answer: finding !== true ? DECLINE : ruling === 'ask' ? undefined : ruling.responseCode,
		}))
		.filter(({ answer }) => at >= 0 && answer !== code)
		.map(
			({ name, answer }) =>
				`"${name}" would have ${answer === undefined ? 'asked the workflow' : inWords(answer)}`,
		);
	return [
		`This purchase is ${inWords(code)} ${reasonOf(data, read, decision, 0)}.`,
		...(others.length > 0
			? [`Later rules differ: ${others.join(', ')}. Move the rule that should decide up.`]
			: []),
	];
}

/** @param from position of the first rule that was looked at */
function reasonOf(
	data: Data,
	{ rules, problems }: ReadRules,
	{ source, rule }: Decision,
	from: number,
): string {
	if (source === 'rule') return `by the rule "${rule}"`;
	if (source === 'default') return 'by the Default Decision: no rule matched';
	const [problem] = problems;
	if (problem !== undefined)
		return `because of a problem in the rules: ${problem.replace(/\.$/, '')}`;
	const needs = rules
		.slice(from)
		.find((each) => !each.observeOnly && examine(each, data) !== false);
	return `because the rule "${needs?.name ?? ''}" needs a value that is missing or unreadable`;
}

/** Lists entries that can never match. Example: two-letter countries, while the service sends three letters. */
function neverMatching(
	data: Readonly<Record<string, unknown>>,
	rules: ReadRules['rules'],
): string[] {
	return rules.flatMap(({ name, conditions }) =>
		conditions.flatMap((condition) => {
			const found = condition.unlike?.(data);
			if (found === undefined) return [];
			const { entries, value } = found;
			return [
				`The rule "${name}" has ${entries.map(quote).join(', ')}, which can never match values such as ${quote(value)}.`,
			];
		}),
	);
}

/** Warns if the workflow cannot answer what is asked. */
export function explainNoAnswer(n8n: IExecuteFunctions): void {
	const message = whyNoAnswer(n8n);
	if (message === undefined) return;
	n8n.addExecutionHints({ message, type: 'warning', location: 'outputPane' });
}
