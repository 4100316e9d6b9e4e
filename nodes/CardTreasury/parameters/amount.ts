import { checkPositiveDecimal, compareDecimals, type DecimalRule } from '../../service/decimal';
import { FieldRefusal, type ParameterReader } from './reader';

/** §4.5 and §8: at most 9 integer digits and 6 decimal places. */
export const TRANSFER_AMOUNT: DecimalRule = { integerDigits: 9, fractionDigits: 6 };

/** An amount as the exact text of a JSON number, checked by `rule`. */
export function readAmount(
	parameters: ParameterReader,
	path: string,
	label: string,
	rule: DecimalRule = {},
): string {
	const check = checkPositiveDecimal(parameters.get(path), rule);
	if (!check.ok) {
		throw new FieldRefusal(
			label,
			check.reason,
			'Enter it with a point before the decimal places and nothing else, e.g. 1250.50.',
		);
	}
	return check.text;
}

/** Refuses an amount above the limit that the user set; both are exact. */
export function refuseAbove(amount: string, maximum: string): void {
	if (compareDecimals(amount, maximum) > 0) {
		throw new FieldRefusal(
			'Amount',
			`is ${amount}, above the Maximum Amount of ${maximum}`,
			'Check where the amount comes from. Raise Maximum Amount only if this transfer is intended.',
		);
	}
}
