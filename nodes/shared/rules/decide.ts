import { DECLINE, outcomeOf } from '../responseCode';
import { harmless } from '../text';
import type { Test } from './conditions';

/** Answer with a response code (§6.3). */
export interface Code {
	code: string;
}

/** Answer of a rule. `ask`: the workflow answers. */
export type Ruling = Code | 'ask';

export const ASK = 'ask';
export const DECLINED: Code = { code: DECLINE };

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

/** Decision as an item shows it. */
export const decisionOf = ({ ruling, source, rule, observed }: Verdict) => ({
	...(ruling === ASK
		? { outcome: 'asked' }
		: { outcome: outcomeOf(ruling.code), response_code: ruling.code, source }),
	...(rule !== undefined && { rule }),
	...(observed.length > 0 && { observed }),
});

/** Rule of a verdict in words, e.g. ` by the rule "No gambling"`. */
export const byRule = ({ source, rule }: Verdict): string =>
	rule === undefined
		? ''
		: `${source === 'unreadable' ? ', unreadable for' : ' by'} the rule "${harmless(rule, 40)}"`;
