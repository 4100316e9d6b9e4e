import { DECLINE } from '../../shared/authorizationAnswer';
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
 * Finds out if the rule matches. One condition that does not hold settles it: only where all others hold does it matter
 * what cannot be read.
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
