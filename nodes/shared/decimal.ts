/** Exact decimals as text. Amounts of money are computed as scaled integers, never as floating-point numbers. */

/** Decimal with an optional sign; §6.5 does not exclude negative webhook amounts. */
const SIGNED_DECIMAL = /^-?[0-9]+(?:\.[0-9]+)?$/;

/** Limit in characters, so that hostile input cannot cause expensive big-integer arithmetic. */
const MAX_LENGTH = 64;

/** Fix shown for any other input. */
export const DECIMAL_FIX = 'Use digits and a decimal point only, for example 1000.50.';

/** True if the functions below can compute with the value. */
export function isDecimal(value: unknown): value is string {
	return typeof value === 'string' && value.length <= MAX_LENGTH && SIGNED_DECIMAL.test(value);
}

/** Compares two decimals exactly, for sorting. Both must pass `isDecimal`. */
export function compareDecimals(left: string, right: string): number {
	const difference = combine(left, right, (a, b) => a - b);
	return difference.startsWith('-') ? -1 : difference === '0' ? 0 : 1;
}

/** Returns the exact sum, without trailing zeros. */
export function addDecimals(left: string, right: string): string {
	return combine(left, right, (a, b) => a + b);
}

/** Returns one spelling per value, without trailing zeros. */
export function canonicalDecimal(text: string): string {
	return addDecimals(text, '0');
}

/** Returns the exact difference, without trailing zeros. */
export function subtractDecimals(left: string, right: string): string {
	return combine(left, right, (a, b) => a - b);
}

export function minDecimal(left: string, right: string): string {
	return compareDecimals(left, right) <= 0 ? left : right;
}

/** Rounds down to the given number of places, without trailing zeros. */
export function floorDecimal(text: string, places: number): string {
	const given = Math.max(fractionLength(text), places);
	const unit = 10n ** BigInt(given - places);
	const value = scaled(text, given);
	// Division of big integers truncates, which rounds a negative value up.
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
