import { DECLINE } from '../../shared/authorizationAnswer';
import type { Decision, Observation } from '../delivery/replies';
import type { Finding } from './conditions';
import type { ReadRules, Rule } from './rules';

/**
 * Decides an authorization (§6.3) by the first rule whose conditions all hold, else by the default. A rule that needs a
 * missing or unreadable value declines, whatever the later rules and the default are, so that unreadable data is never
 * approved. Unreadable rules decline everything.
 * Observe-only rules never decide. Those before the decision are listed with the answers they would have given.
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
 * Checks if the rule matches. A condition that does not hold settles it. An unreadable one counts only if all others
 * hold.
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
