/**
 * Exact decimals as text. An amount of money never passes through a floating-point number here:
 * it is checked as text, computed as a scaled integer and sent as text.
 */

/** A number as JSON writes it, without exponent: no sign, no leading zeros, no whitespace. */
const PLAIN_DECIMAL = /^(0|[1-9][0-9]*)(?:\.([0-9]+))?$/;

/** As above with a sign; webhook amounts may be negative (§6.5 does not exclude it). */
const SIGNED_DECIMAL = /^-?[0-9]+(?:\.[0-9]+)?$/;

/** A small number as JavaScript prints it, e.g. `1.5e-7`. */
const SMALL_NUMBER = /^([0-9])(?:\.([0-9]+))?e-([0-9]+)$/;

/** In characters, so that hostile input cannot cause expensive big-integer arithmetic. */
const MAX_LENGTH = 64;

/** A double holds any 15 digits exactly; a number with more may have been rounded before it came here. */
const EXACT_DIGITS = 15;

export interface DecimalRule {
	/** The most digits before the point; undefined = any. */
	integerDigits?: number;
	/** The most digits after the point; undefined = any. */
	fractionDigits?: number;
	/** Whether 0 is accepted. */
	mayBeZero?: boolean;
}

/** `reason` completes a sentence that begins with the field's name, `fix` is a sentence of its own. */
export type DecimalCheck = { ok: true; text: string } | { ok: false; reason: string; fix: string };

/**
 * Checks an amount that a user gave, as text or as a JavaScript number.
 * Returns the exact text, as it goes on the wire.
 */
export function checkDecimal(value: unknown, rule: DecimalRule = {}): DecimalCheck {
	const text = typeof value === 'number' ? numberText(value) : value;
	if (typeof text !== 'string') return notDecimal(`is ${typeName(text)}, not a number`);
	const match = text.length <= MAX_LENGTH ? PLAIN_DECIMAL.exec(text) : null;
	if (!match) return notDecimal(`${quote(text)} is not valid`);
	const [, whole = '', fraction = ''] = match;
	const digits = (whole + fraction).replace(/^0+/, '');
	if (digits === '' && rule.mayBeZero !== true) {
		return refuse('must be greater than 0', 'Check where the amount comes from.');
	}
	if (typeof value === 'number' && digits.length > EXACT_DIGITS) {
		return refuse(
			`is the number ${text}, which may have been rounded`,
			'Pass it as a string with all its digits, for example 1000.50.',
		);
	}
	if (rule.integerDigits !== undefined && whole.length > rule.integerDigits) {
		return refuse(
			`has more than ${rule.integerDigits} digits before the decimal point`,
			'Enter a smaller amount.',
		);
	}
	if (rule.fractionDigits !== undefined && fraction.length > rule.fractionDigits) {
		return refuse(
			`has more than ${rule.fractionDigits} decimal places`,
			`Round it to ${rule.fractionDigits} decimal places.`,
		);
	}
	return { ok: true, text };
}

/** Whether the text is a decimal that the functions below can compute with. */
export function isDecimal(value: unknown): value is string {
	return typeof value === 'string' && value.length <= MAX_LENGTH && SIGNED_DECIMAL.test(value);
}

/** Orders two decimals exactly: negative, 0 or positive, as a sort function. Both must pass `isDecimal`. */
export function compareDecimals(left: string, right: string): number {
	const difference = combine(left, right, (a, b) => a - b);
	return difference.startsWith('-') ? -1 : difference === '0' ? 0 : 1;
}

/** The exact sum, without trailing zeros. */
export function addDecimals(left: string, right: string): string {
	return combine(left, right, (a, b) => a + b);
}

/** One spelling per value: without trailing zeros. */
export function canonicalDecimal(text: string): string {
	return addDecimals(text, '0');
}

/** The exact difference, without trailing zeros. */
export function subtractDecimals(left: string, right: string): string {
	return combine(left, right, (a, b) => a - b);
}

export function minDecimal(left: string, right: string): string {
	return compareDecimals(left, right) <= 0 ? left : right;
}

/** The greatest decimal of so many places that is not above this one, without trailing zeros. */
export function floorDecimal(text: string, places: number): string {
	const given = Math.max(fractionLength(text), places);
	const unit = 10n ** BigInt(given - places);
	const value = scaled(text, given);
	// Division of big integers drops the rest, which rounds a negative one up.
	const below = value % unit < 0n ? 1n : 0n;
	return unscaled(value / unit - below, places);
}

function combine(
	left: string,
	right: string,
	compute: (left: bigint, right: bigint) => bigint,
): string {
	const places = Math.max(fractionLength(left), fractionLength(right));
	return unscaled(compute(scaled(left, places), scaled(right, places)), places);
}

function fractionLength(text: string): number {
	return text.split('.')[1]?.length ?? 0;
}

function scaled(text: string, places: number): bigint {
	const [whole = '', fraction = ''] = text.split('.');
	return BigInt(whole + fraction.padEnd(places, '0'));
}

function unscaled(value: bigint, places: number): string {
	const digits = String(value < 0n ? -value : value).padStart(places + 1, '0');
	const whole = digits.slice(0, digits.length - places);
	const fraction = digits.slice(digits.length - places).replace(/0+$/, '');
	return `${value < 0n ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`;
}

/** A JSON number such as 0.0000001 is printed with an exponent by JavaScript alone. */
function numberText(value: number): string {
	const [, first, rest = '', exponent] = SMALL_NUMBER.exec(String(value)) ?? [];
	if (first === undefined) return String(value);
	return `0.${'0'.repeat(Number(exponent) - 1)}${first}${rest}`;
}

function notDecimal(reason: string): DecimalCheck {
	return refuse(reason, 'Use digits and a decimal point only, for example 1000.50.');
}

function refuse(reason: string, fix: string): DecimalCheck {
	return { ok: false, reason, fix };
}

function typeName(value: unknown): string {
	if (Array.isArray(value)) return 'a list';
	return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

function quote(text: string): string {
	return JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);
}
