import { DECLINE, outcomeOf } from '../responseCode';
import { harmless } from '../text';
import type { Test } from './conditions';

/** Ruling that leaves the answer to the workflow. Every other ruling is a response code (§6.3). */
export const ASK = 'ask';

export interface Rule {
	name: string;
	ruling: string;
	/** All must hold. */
	tests: Test[];
	/** True if the rule never decides. */
	observeOnly: boolean;
}

/** Settings by which authorizations are decided. */
export interface Settings {
	rules: readonly Rule[];
	/** Ruling if no rule matches. */
	byDefault: string;
	/** Response code if the workflow was asked, and neither it nor a rule answers. */
	fallback: string;
	/** Sentences for the user. While there are any, every authorization is declined. */
	problems: readonly string[];
}

export interface Verdict {
	/** True if the workflow may answer. */
	asks: boolean;
	/** Response code, if the workflow gives none. */
	code: string;
	source: 'rule' | 'default' | 'unreadable';
	/** Rule that decides, asks, or could not read the purchase. */
	rule?: string;
	/** Answers that the observe-only rules above would have given. Null if the workflow would have been asked. */
	observed: Array<{ rule: string; response_code: string | null }>;
}

/**
 * Decides by the first rule whose conditions all hold. A rule that needs a value that the purchase lacks declines, unless
 * another of its conditions is false. Below a rule that asks, the next ruling counts if the workflow does not answer.
 */
export function decide(data: unknown, { rules, byDefault, fallback, problems }: Settings): Verdict {
	const observed: Verdict['observed'] = [];
	if (problems.length > 0) return { asks: false, code: DECLINE, source: 'unreadable', observed };
	let asked: Pick<Verdict, 'source' | 'rule'> | undefined;
	const verdict = (code: string, source: Verdict['source'], rule?: string): Verdict => ({
		...{ asks: asked !== undefined, code, source, rule, observed },
		...asked,
	});
	for (const { name: rule, ruling, tests, observeOnly } of rules) {
		const findings = tests.map((test) => test(data));
		if (findings.includes(false)) continue;
		const source = findings.includes('unreadable') ? 'unreadable' : 'rule';
		const found = source === 'unreadable' ? DECLINE : ruling;
		if (!observeOnly && found !== ASK) return verdict(found, source, rule);
		if (!observeOnly) asked ??= { source, rule };
		else if (!asked) observed.push({ rule, response_code: found === ASK ? null : found });
	}
	if (byDefault === ASK) asked ??= { source: 'default' };
	return verdict(asked ? fallback : byDefault, 'default');
}

/** Decision as an item shows it. */
export const decisionOf = ({ asks, code, source, rule, observed }: Verdict) => ({
	...(asks ? { outcome: 'asked' } : { outcome: outcomeOf(code), response_code: code, source }),
	...(rule !== undefined && { rule }),
	...(observed.length > 0 && { observed }),
	...(asks && { if_unanswered: code }),
});

/** Rule of a verdict in words, e.g. ` by the rule "No gambling"`. */
export const byRule = ({ source, rule }: Verdict): string =>
	rule === undefined
		? ''
		: `${source === 'unreadable' ? ', unreadable for' : ' by'} the rule "${harmless(rule, 40)}"`;
