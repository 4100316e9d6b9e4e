import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { approves, DECLINE } from '../../shared/authorizationAnswer';
import { quote } from '../../shared/fields/invalidField';
import { isObject } from '../../shared/isObject';
import { decide, examine } from '../authorization/decide';
import type { ReadRules } from '../authorization/rules';
import { AUTHORIZATION, EVENTS_BY_NAME, SAMPLE_ID } from '../events';
import { readDecisionSettings } from '../settings';

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
	const { rules, defaultResponseCode } = readDecisionSettings((name, fallback) =>
		n8n.getNodeParameter(name, 0, fallback),
	);
	const message = explain(data, rules, defaultResponseCode);
	n8n.addExecutionHints({ message, location: 'outputPane' });
}

/**
 * Explains a decision to the author of the rules. Names the deciding rule, later rules with another answer, and entries
 * that can never match.
 */
export function explain(
	data: Readonly<Record<string, unknown>>,
	read: ReadRules,
	defaultResponseCode: string,
): string {
	const { rules } = read;
	const { response_code: code, source, rule: decider } = decide(data, read, defaultResponseCode);
	const findings = rules.map((rule) => ({ rule, finding: examine(rule, data) }));
	const at = findings.findIndex(({ rule, finding }) => finding !== false && !rule.observeOnly);
	const verdict = (of: string) => `${approves(of) ? 'approved' : 'declined'} (${of})`;
	const by = {
		rule: `by the rule "${decider}"`,
		default: 'by the Default Decision: no rule matched',
		unreadable: `because the rule "${rules[at]?.name ?? ''}" needs a value that is missing or unreadable`,
	}[source];
	const others = findings
		.slice(at + 1)
		.filter(({ rule, finding }) => finding === true || (finding && !rule.observeOnly))
		.map(({ rule: { name, responseCode }, finding }) => ({
			name,
			answer: finding === true ? responseCode : DECLINE,
		}))
		.filter(({ answer }) => at >= 0 && answer !== code)
		.map(({ name, answer }) => `"${name}" would have ${verdict(answer)}`);
	const open = rules.find(
		({ conditions, responseCode, observeOnly }) =>
			conditions.length === 0 && approves(responseCode) && !observeOnly,
	);
	return [
		`This purchase is ${verdict(code)} ${by}.`,
		...(open
			? [
					`"${open.name}" has no conditions, so it approves every purchase that no rule above it decides.`,
				]
			: []),
		...(others.length > 0
			? [`Later rules differ: ${others.join(', ')}. Move the rule that should decide up.`]
			: []),
		...neverMatching(data, rules),
	].join(' ');
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

/** Warns if the workflow decides authorizations, but no node answers them. */
export function warnWithoutRespond(n8n: IExecuteFunctions): void {
	const nodes = n8n.getChildNodes(n8n.getNode().name, { includeNodeParameters: true });
	const responds = nodes.some(
		({ disabled, parameters }) =>
			!disabled && parameters?.resource === 'authorization' && parameters.operation === 'respond',
	);
	if (responds) return;
	n8n.addExecutionHints({
		message:
			'No node answers card authorizations, so each one gets the Fallback Decision. Add a Card Treasury node with the action "Respond to card authorization" to the output Authorization.',
		type: 'warning',
		location: 'outputPane',
	});
}
