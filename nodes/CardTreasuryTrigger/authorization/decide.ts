import { approves, DECLINE } from '../../shared/authorizationAnswer';
import type { Decision, Observation } from '../delivery/replies';
import type { Finding } from './conditions';
import type { ReadRules, Rule } from './rules';

/**
 * Decides an authorization (§6.3): by the first rule whose conditions all hold, else by the default. A rule that looks at
 * something missing or unreadable declines, whatever the later rules and the default say: what cannot be read is never
 * approved. Rules that cannot be read decline everything.
 * Observe-only rules never decide; those before the decision are listed with what they would have answered.
 */
export function decide(
	data: Readonly<Record<string, unknown>>,
	{ rules, declineAll }: ReadRules,
	defaultResponseCode: string,
): Decision {
	const observed: Observation[] = [];
	const decision = (of: Decision): Decision => (observed.length > 0 ? { ...of, observed } : of);
	const unreadable: Decision = { response_code: DECLINE, source: 'unreadable' };
	if (declineAll) return unreadable;
	for (const rule of rules) {
		const { name, responseCode } = rule;
		const finding = examine(rule, data);
		if (finding === false) continue;
		const isUnreadable = finding === 'unreadable';
		if (rule.observeOnly)
			observed.push({ rule: name, response_code: isUnreadable ? null : responseCode });
		else if (isUnreadable) return decision(unreadable);
		else return decision({ response_code: responseCode, source: 'rule', rule: name });
	}
	return decision({ response_code: defaultResponseCode, source: 'default' });
}

/**
 * For the person who writes the rules: what decided on this authorization, and which rules further down would have
 * answered otherwise.
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
	const outcome = (of: string) => `${approves(of) ? 'approved' : 'declined'} (${of})`;
	const by = {
		rule: `by the rule "${decider}"`,
		default: 'by the Default Decision: no rule matched',
		unreadable: `because the rule "${rules[at]?.name ?? ''}" cannot read what it looks at`,
	}[source];
	const others = findings
		.slice(at + 1)
		.filter(({ rule, finding }) => finding === true || (finding && !rule.observeOnly))
		.map(({ rule: { name, responseCode }, finding }) => ({
			name,
			answer: finding === true ? responseCode : DECLINE,
		}))
		.filter(({ answer }) => at >= 0 && answer !== code)
		.map(({ name, answer }) => `"${name}" would have ${outcome(answer)}`);
	const open = deciding(rules).find(
		({ conditions, responseCode }) => conditions.length === 0 && approves(responseCode),
	);
	const all = open
		? ` "${open.name}" has no conditions: it approves every purchase that no rule above it decides.`
		: '';
	const said = `This purchase is ${outcome(code)} ${by}.${all}`;
	if (others.length === 0) return `${said}${overlap(rules)}`;
	return `${said} Further down, ${others.join(', ')}: a rule that is to decide first must stand first.`;
}

const deciding = (rules: readonly Rule[]) => rules.filter(({ observeOnly }) => !observeOnly);

/** What an approving rule above a declining one does, which a sample that matches only one of them does not show. */
function overlap(rules: readonly Rule[]): string {
	const deciders = deciding(rules);
	const first = deciders.findIndex(({ responseCode }) => approves(responseCode));
	const below = deciders.slice(first + 1).find(({ responseCode }) => !approves(responseCode));
	if (first < 0 || below === undefined) return '';
	return ` "${deciders[first]?.name ?? ''}" (approves) stands above "${below.name}" (declines): where both match, the upper one decides.`;
}

/** Whether the rule matches. */
function examine({ conditions, readable }: Rule, data: Readonly<Record<string, unknown>>): Finding {
	const findings = conditions.map((condition) => condition(data));
	if (!readable || findings.includes('unreadable')) return 'unreadable';
	return findings.every((finding) => finding === true);
}
