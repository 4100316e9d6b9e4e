import { DECLINE, isResponseCode } from '../../service/authorizationAnswer';
import type { Decision } from '../delivery/item';
import type { ReadRules } from './rules';

const UNREADABLE: Decision = { response_code: DECLINE, source: 'unreadable' };

/**
 * Decides an authorization (§6.3): the first rule of which every condition holds, else the default. As soon as a rule
 * has to look at something that is missing or unreadable, the answer is a decline, whatever rules come after and
 * whatever the default: what cannot be read is never approved. Rules that cannot be read decline everything.
 */
export function decide(
	data: Readonly<Record<string, unknown>>,
	{ rules, problems }: ReadRules,
	defaultResponseCode: string,
): Decision {
	if (problems.length > 0) return UNREADABLE;
	for (const { name, responseCode, conditions } of rules) {
		const findings = conditions.map((condition) => condition(data));
		if (findings.includes('unreadable')) return UNREADABLE;
		if (findings.every((finding) => finding === true))
			return { response_code: responseCode, source: 'rule', rule: name };
	}
	const code = isResponseCode(defaultResponseCode) ? defaultResponseCode : DECLINE;
	return { response_code: code, source: 'default' };
}
