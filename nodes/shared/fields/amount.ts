import { compareDecimals, DECIMAL_FIX, isDecimal } from '../decimal';
import { required, type Field, type Refuse, type Ui } from './field';
import { quote } from './invalidField';

interface DecimalRule {
	/** Maximum digits before the point. Undefined allows any number. */
	integerDigits?: number;
	/** Maximum digits after the point. Undefined allows any number. */
	fractionDigits?: number;
	/** True to accept 0. */
	mayBeZero?: boolean;
}

/** Amount as the exact text of a JSON number. Never converted to a floating-point number. */
export function amount(label: string, info: Ui & DecimalRule): Field<string> {
	const { integerDigits, fractionDigits, mayBeZero, ...ui } = info;
	return required(
		label,
		{ placeholder: 'e.g. 1000.50', ...ui },
		({ value, refuse }) => readAmount(value, { integerDigits, fractionDigits, mayBeZero }, refuse),
		'Enter an amount, for example 1000.50.',
	);
}

/** JSON number without exponent: no sign, no leading zeros, no whitespace. */
const PLAIN_DECIMAL = /^(0|[1-9][0-9]*)(?:\.([0-9]+))?$/;

/** Small number as JavaScript prints it, e.g. `1.5e-7`. */
const SMALL_NUMBER = /^([0-9])(?:\.([0-9]+))?e-([0-9]+)$/;

/** Limit in characters. Hostile input could otherwise cause expensive big-integer arithmetic. */
const MAX_LENGTH = 64;

/** Number of digits that a double always holds exactly. A longer number may already have been rounded. */
const EXACT_DIGITS = 15;

/** @param value the user's value, as text or as a JavaScript number */
function readAmount(value: unknown, rule: DecimalRule, refuse: Refuse): string {
	const { integerDigits, fractionDigits, mayBeZero } = rule;
	const isNot = (reason: string) => refuse(reason, DECIMAL_FIX);
	const text = typeof value === 'number' ? numberText(value) : value;
	if (typeof text !== 'string') return isNot(`is ${typeName(text)}, not a number`);
	const match = text.length <= MAX_LENGTH ? PLAIN_DECIMAL.exec(text) : null;
	if (!match)
		return text.startsWith('-') && isDecimal(text)
			? refuse(`is ${text}, and must not be negative`, 'Check where the amount comes from.')
			: isNot(`${quote(text)} is not valid`);
	const [, whole = '', fraction = ''] = match;
	const digits = (whole + fraction).replace(/^0+/, '');
	if (digits === '' && mayBeZero !== true) {
		return refuse('must be greater than 0', 'Check where the amount comes from.');
	}
	// Trailing zeros do not count.
	const decimals = fraction.replace(/0+$/, '');
	if (integerDigits !== undefined && whole.length > integerDigits) {
		return refuse(
			`has more than ${integerDigits} digits before the decimal point`,
			'Enter a smaller amount.',
		);
	}
	if (typeof value === 'number' && digits.length > EXACT_DIGITS) {
		return refuse(`is the number ${text}, which may have been rounded`, roundedFix(value, rule));
	}
	if (fractionDigits === undefined || fraction.length <= fractionDigits) return text;
	if (decimals.length > fractionDigits) {
		const smallest = `0.${'1'.padStart(fractionDigits, '0')}`;
		return refuse(
			`has more than ${fractionDigits} decimal places`,
			compareDecimals(text, smallest) < 0 && mayBeZero !== true
				? `Enter at least ${smallest}, or leave the item out.`
				: `Round it to ${fractionDigits} decimal places.`,
		);
	}
	return decimals === '' ? whole : `${whole}.${decimals}`;
}

/**
 * Fix for a computed number. It names the amount that was probably meant, e.g. 0.3 for 0.30000000000000004, or the
 * rounded one, e.g. 33.333333 for a third of 100.
 */
function roundedFix(value: number, { fractionDigits, integerDigits = 9 }: DecimalRule): string {
	const places = Math.min(fractionDigits ?? 6, 6);
	const rounded = value.toFixed(places).replace(/\.?0+$/, '');
	const isAmount = Number(rounded) < 10 ** integerDigits && rounded !== '0';
	const isComputed = Math.abs(value - Number(rounded)) < 1e-9 * Math.max(1, Math.abs(value));
	const round = `Round it in its expression, for example with .toFixed(${places})`;
	if (isAmount && isComputed) return `${round}. If it is ${rounded}, enter that.`;
	return isAmount && fractionDigits !== undefined
		? `${round}, which gives ${rounded}.`
		: 'Pass it as text with all its digits, for example 1000.50.';
}

/** Undoes JavaScript's exponent for numbers such as 0.0000001. */
function numberText(value: number): string {
	const [, first, rest = '', exponent] = SMALL_NUMBER.exec(String(value)) ?? [];
	if (first === undefined) return String(value);
	return `0.${'0'.repeat(Number(exponent) - 1)}${first}${rest}`;
}

function typeName(value: unknown): string {
	if (Array.isArray(value)) return 'a list';
	return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
