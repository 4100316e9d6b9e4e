import { APPROVE, approves, DECLINE, isResponseCode } from '../responseCode';
import { field, type Field, type Ui } from './field';
import { isEmpty } from './source';
import { readText } from './text';

/** Decision on an authorization (§6.3). `other` declines with a code from a second field. */
export type ChosenDecision = 'approve' | 'decline' | 'other';

/** Field for the code of the decision `other`. Refuses codes that approve. */
export function otherCode(label: string, ui: Ui): Field<string> {
	return field(label, ui, (given) => {
		const { value, refuse } = given;
		const code = isEmpty(value) ? '' : readText(given).trim();
		if (approves(code)) {
			return refuse(`is ${code}, which approves`, 'Choose Approve instead.');
		}
		if (isResponseCode(code)) return code;
		return refuse(
			code === ''
				? 'is empty'
				: 'is not a response code, and would be passed to the card network as a decline reason',
			'Use Approve or Decline, or a code of 2 or 3 digits or capital letters, for example 51.',
		);
	});
}

/**
 * Returns the response code of a decision.
 * @param other value of `otherCode`. Without it, the decision `other` declines with 05.
 */
export function responseCodeOf(decision: ChosenDecision, other: string | undefined): string {
	if (decision === 'approve') return APPROVE;
	return decision === 'other' && other !== undefined ? other : DECLINE;
}
