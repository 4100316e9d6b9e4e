import { DECLINE } from '../../shared/authorizationAnswer';
import type { Decision, Observation } from '../delivery/replies';
import type { Finding } from './conditions';
import type { ReadRules, Rule } from './rules';

/**
 * Decides an authorization (§6.3). The first rule whose conditions all hold decides, otherwise the default. Unreadable
 * data is never approved: a rule that needs a missing or unreadable value declines, and an unreadable rule declines
 * everything. Observe-only rules before the decision are listed with their answers.
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
