import { compareDecimals, isDecimal } from '../../service/decimal';

/** What a condition finds in an authorization: `unreadable` when what it looks at is missing or not in its form. */
export type Finding = boolean | 'unreadable';

export type Condition = (data: Readonly<Record<string, unknown>>) => Finding;

/**
 * `bill_amount` between two decimals, both inclusive, compared exactly (§1.3). An absent bound is open. What a negative
 * amount means is not shown (§6.5): only a rule that begins below zero reads one.
 */
export function isBetween(from: string | undefined, to: string | undefined): Condition {
	const readsNegative = from !== undefined && compareDecimals(from, '0') < 0;
	return ({ bill_amount: amount }) => {
		if (!isDecimal(amount)) return 'unreadable';
		if (compareDecimals(amount, '0') < 0 && !readsNegative) return 'unreadable';
		if (from !== undefined && compareDecimals(amount, from) < 0) return false;
		return to === undefined || compareDecimals(amount, to) <= 0;
	};
}

/** The string at this path is one of the entries. */
export function isOneOf(
	path: string,
	entries: readonly string[],
	letterCase: 'exact' | 'any case',
): Condition {
	const fold = (text: string) => (letterCase === 'exact' ? text : text.toLowerCase());
	const wanted = new Set(entries.map(fold));
	return (data) => {
		const text = textAt(data, path);
		return text === undefined ? 'unreadable' : wanted.has(fold(text));
	};
}

/** The merchant category code is in one of the ranges, both ends included. */
export function mccIsIn(ranges: ReadonlyArray<readonly [first: number, last: number]>): Condition {
	return (data) => {
		const code = textAt(data, 'merchant_data.mcc_code');
		if (code === undefined || !/^\d{4}$/.test(code)) return 'unreadable';
		return ranges.some(([first, last]) => first <= Number(code) && Number(code) <= last);
	};
}

/** The merchant's name contains the text, case-insensitive. */
export function nameContains(part: string): Condition {
	return (data) => {
		const name = textAt(data, 'merchant_data.name');
		return name === undefined ? 'unreadable' : name.toLowerCase().includes(part.toLowerCase());
	};
}

/** A string that is not empty, trimmed; own fields only, so that nothing inherited is ever read. */
function textAt(data: object, path: string): string | undefined {
	let value: unknown = data;
	for (const key of path.split('.')) {
		if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
		value = Reflect.get(value, key);
	}
	return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}
