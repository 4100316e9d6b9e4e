import fc from 'fast-check';

import { amount } from '../../../../nodes/shared/fields/amount.ts';
import { readingOf } from './reading.mts';

const TRANSFER = { integerDigits: 9, fractionDigits: 6 };
const read = (value: unknown, rule: Parameters<typeof amount>[1] = {}) =>
	readingOf(amount('Amount', rule), value);
const DIGITS_ONLY = 'Use digits and a decimal point only, for example 1000.50.';

describe('amount', () => {
	it.each([
		['0.000001', '0.000001'],
		['999999999.999999', '999999999.999999'],
		['1250.50', '1250.50'],
		[12.5, '12.5'],
		[0.000001, '0.000001'],
	])('%j is sent as %s', (value, text) => {
		expect(read(value, TRANSFER)).toBe(text);
	});

	it.each([
		[1e-7, '0.0000001'],
		[1.25e-10, '0.000000000125'],
	])('%j is written without its exponent', (value, text) => {
		expect(read(value)).toBe(text);
	});

	it.each([
		' ',
		'1,5',
		'1e3',
		'0x10',
		'--1',
		'01',
		'1.',
		'.5',
		'1\n',
		'１２',
		'Infinity',
		NaN,
		Infinity,
	])('%j is invalid', (value) => {
		expect(read(value, TRANSFER)).toEqual([
			`Amount ${JSON.stringify(String(value))} is not valid`,
			DIGITS_ONLY,
		]);
	});

	it.each<[unknown, string, string]>([
		[-0, 'must be greater than 0', 'Check where the amount comes from.'],
		['1000000000', 'has more than 9 digits before the decimal point', 'Enter a smaller amount.'],
		[
			'0.0000001',
			'has more than 6 decimal places',
			'Enter at least 0.000001, or leave the item out.',
		],
		[1e-7, 'has more than 6 decimal places', 'Enter at least 0.000001, or leave the item out.'],
		['0.0000015', 'has more than 6 decimal places', 'Round it to 6 decimal places.'],
		['-1', 'is -1, and must not be negative', 'Check where the amount comes from.'],
		[-0.5, 'is -0.5, and must not be negative', 'Check where the amount comes from.'],
		[
			0.1 + 0.2,
			'is the number 0.30000000000000004, which may have been rounded',
			'Round it in its expression, for example with .toFixed(6). If it is 0.3, enter that.',
		],
		[
			1_000_000.000000001,
			'is the number 1000000.000000001, which may have been rounded',
			'Round it in its expression, for example with .toFixed(6). If it is 1000000, enter that.',
		],
		[
			100 / 3,
			'is the number 33.333333333333336, which may have been rounded',
			'Round it in its expression, for example with .toFixed(6), which gives 33.333333.',
		],
		[
			1_234_567_890.123456,
			'has more than 9 digits before the decimal point',
			'Enter a smaller amount.',
		],
		// Rounded up, it would have a digit too many.
		[
			999_999_999.9999999,
			'is the number 999999999.9999999, which may have been rounded',
			'Pass it as text with all its digits, for example 1000.50.',
		],
		[true, 'is a boolean, not a number', DIGITS_ONLY],
		[['1'], 'is a list, not a number', DIGITS_ONLY],
		[{ value: 1 }, 'is an object, not a number', DIGITS_ONLY],
		['9'.repeat(100_000), `"${'9'.repeat(44)}…" is not valid`, DIGITS_ONLY],
	])('%p is refused with reason and fix', (value, reason, fix) => {
		expect(read(value, TRANSFER)).toEqual([`Amount ${reason}`, fix]);
	});

	it.each([
		['1.5000000', '1.5'],
		['1.0000000000', '1'],
		['1.500000', '1.500000'],
		[Number((0.1 + 0.2).toFixed(6)), '0.3'],
	])('%p is the amount %s, because trailing zeros do not count', (value, amount) => {
		expect(read(value, TRANSFER)).toBe(amount);
	});

	it('an amount has any number of digits unless limited', () => {
		const text = '1234567890123456789.1234567890123456789';
		expect(read(text)).toBe(text);
	});

	it('an amount may be 0 if allowed', () => {
		expect(read('0.00', { mayBeZero: true })).toBe('0.00');
	});

	it('any text is refused, or is a JSON number that reads back as the same text', () => {
		const texts = fc.oneof(
			fc.string(),
			fc.stringMatching(/^[-+0-9eE., ]{0,25}$/),
			fc.double().map(String),
		);
		fc.assert(
			fc.property(texts, (value) => {
				const text = read(value, TRANSFER);
				if (typeof text !== 'string') return;
				expect(text).toBe(value);
				expect(Number(JSON.parse(text))).toBeGreaterThan(0);
				expect(text).toMatch(/^\d{1,9}(\.\d{1,6})?$/);
			}),
			{ numRuns: 2_000 },
		);
	});
});
