import { DECLINE } from '../../shared/authorizationAnswer';
import type { Decision, Observation } from '../delivery/replies';
import type { Finding } from './conditions';
import type { ReadRules, Rule, Ruling } from './rules';

/** Decision, or the question to the workflow. */
export type Verdict = Decision | Question;

/** Question to the workflow. `rule`: rule that asks, undefined for the default. */
export interface Question {
	asks: true;
	rule?: string;
	observed?: Observation[];
	/** Position of the rule below the one that asks. */
	next: number;
}

/**
 * Decides an authorization (§6.3). The first rule whose conditions all hold decides or asks the workflow, otherwise the
 * default. Unreadable data is never approved: a rule that needs a missing or unreadable value declines, and an
 * unreadable rule declines everything. Observe-only rules before the decision are listed with their answers.
 * @param from position of the first rule to look at
 */
export function decide(
	data: Readonly<Record<string, unknown>>,
	{ rules, areUnreadable }: ReadRules,
	byDefault: Ruling,
	from = 0,
): Verdict {
	const unreadable: Decision = { response_code: DECLINE, source: 'unreadable' };
	if (areUnreadable) return unreadable;
	const observed: Observation[] = [];
	const verdict = (of: Verdict): Verdict => (observed.length > 0 ? { ...of, observed } : of);
	for (const [position, rule] of rules.entries()) {
		const finding = position >= from && examine(rule, data);
		if (finding === false) continue;
		const { name, ruling } = rule;
		const isUnreadable = finding === 'unreadable';
		if (rule.observeOnly) observed.push(observation(rule, isUnreadable));
		else if (isUnreadable) return verdict(unreadable);
		else if (ruling === 'ask') return verdict({ asks: true, rule: name, next: position + 1 });
		else return verdict({ response_code: ruling.responseCode, source: 'rule', rule: name });
	}
	return byDefault === 'ask'
		? verdict({ asks: true, next: rules.length })
		: verdict({ response_code: byDefault.responseCode, source: 'default' });
}

/**
 * Decides an authorization that the workflow did not answer by the deadline, by the rules below the one that asked. A
 * rule that asks is passed over, because no time is left.
 * @returns undefined if no rule matches, so the Fallback Decision applies
 */
export function decideUnanswered(
	data: Readonly<Record<string, unknown>>,
	rules: ReadRules,
	{ next }: Question,
): Decision | undefined {
	const verdict = decide(data, rules, 'ask', next);
	if (!('asks' in verdict)) return verdict;
	return verdict.rule === undefined ? undefined : decideUnanswered(data, rules, verdict);
}

function observation({ name, ruling }: Rule, isUnreadable: boolean): Observation {
	if (isUnreadable) return { rule: name, response_code: null };
	return ruling === 'ask'
		? { rule: name, response_code: null, would_ask: true }
		: { rule: name, response_code: ruling.responseCode };
}

/**
 * Checks if the rule matches. One condition that does not hold is enough for a no. An unreadable condition counts only
 * if all others hold.
 */
export function examine(
	{ conditions, readable }: Rule,
	data: Readonly<Record<string, unknown>>,
): Finding {
	if (!readable) return 'unreadable';
	const findings = conditions.map((condition) => condition.examine(data));
	if (findings.includes(false)) return false;
	return findings.includes('unreadable') ? 'unreadable' : true;
}
