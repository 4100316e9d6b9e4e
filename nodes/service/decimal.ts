/**
 * Exact decimals as text. An amount of money never passes through a floating-point number here:
 * it is checked as text, compared as scaled integers and put on the wire as the text it was.
 */

/** A number as JSON writes it, without exponent: no sign, no leading zeros, no blanks. */
const PLAIN_DECIMAL = /^(0|[1-9][0-9]*)(?:\.([0-9]+))?$/;

/** As above with a sign; webhook amounts may be negative (§6.5 does not exclude it). */
const SIGNED_DECIMAL = /^-?[0-9]+(?:\.[0-9]+)?$/;

/** Longest text accepted as a decimal, so that hostile input cannot buy big-integer work. */
const MAX_LENGTH = 64;

/** More digits than these a floating-point number does not hold for sure: it may have been rounded before it came here. */
const EXACT_DIGITS = 15;

export interface DecimalRule {
	/** The most digits before the point; undefined = any. */
	integerDigits?: number;
	/** The most digits after the point; undefined = any. */
	fractionDigits?: number;
}

export type DecimalCheck = { ok: true; text: string } | { ok: false; reason: string };

/**
 * Checks an amount that a user gave, as text or as a JavaScript number.
 * Returns the text that goes on the wire, or a reason that completes "<field> …".
 */
export function checkPositiveDecimal(value: unknown, rule: DecimalRule = {}): DecimalCheck {
	const text = typeof value === 'number' ? String(value) : value;
	if (text === undefined || text === null || text === '') return refuse('is empty');
	if (typeof text !== 'string') return refuse(`must be a number or text, not ${typeName(text)}`);
	const match = text.length <= MAX_LENGTH ? PLAIN_DECIMAL.exec(text) : null;
	if (!match) {
		return refuse(
			`must be a plain decimal such as 1250.50, without blanks, signs, separators, leading zeros or exponents; it is ${quote(text)}`,
		);
	}
	const [, whole = '', fraction = ''] = match;
	if (/^0*$/.test(whole + fraction)) return refuse('must be greater than 0');
	if (typeof value === 'number' && (whole + fraction).replace(/^0+/, '').length > EXACT_DIGITS) {
		return refuse(`is the number ${text}, which may have been rounded: give it as text`);
	}
	if (rule.integerDigits !== undefined && whole.length > rule.integerDigits) {
		return refuse(`has more than ${rule.integerDigits} digits before the decimal point`);
	}
	if (rule.fractionDigits !== undefined && fraction.length > rule.fractionDigits) {
		return refuse(`has more than ${rule.fractionDigits} decimal places`);
	}
	return { ok: true, text };
}

/** Whether the text is a decimal that `compareDecimals` can order. */
export function isDecimal(value: unknown): value is string {
	return typeof value === 'string' && value.length <= MAX_LENGTH && SIGNED_DECIMAL.test(value);
}

/** Orders two decimals exactly: negative, 0 or positive, as a sort function. Both must pass `isDecimal`. */
export function compareDecimals(left: string, right: string): number {
	const places = Math.max(fractionLength(left), fractionLength(right));
	const difference = scaled(left, places) - scaled(right, places);
	return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

function fractionLength(text: string): number {
	const point = text.indexOf('.');
	return point < 0 ? 0 : text.length - point - 1;
}

function scaled(text: string, places: number): bigint {
	const [whole = '', fraction = ''] = text.split('.');
	return BigInt(whole + fraction.padEnd(places, '0'));
}

function refuse(reason: string): DecimalCheck {
	return { ok: false, reason };
}

function typeName(value: unknown): string {
	return Array.isArray(value) ? 'a list' : `a value of type ${typeof value}`;
}

function quote(text: string): string {
	return JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);
}
