import fc from 'fast-check';

import {
	checkPositiveDecimal,
	compareDecimals,
	isDecimal,
} from '../../../nodes/service/decimal.ts';

const TRANSFER = { integerDigits: 9, fractionDigits: 6 };

describe('an amount', () => {
	it.each([
		['0.000001', '0.000001'],
		['999999999.999999', '999999999.999999'],
		['0.1', '0.1'],
		['1250.50', '1250.50'],
		[12.5, '12.5'],
		[999999999.999999, '999999999.999999'],
		[1, '1'],
	])('%j is sent as the text %s', (value, text) => {
		expect(checkPositiveDecimal(value, TRANSFER)).toEqual({ ok: true, text });
	});

	it.each<[unknown, RegExp]>([
		[undefined, /is empty/],
		[null, /is empty/],
		['', /is empty/],
		[' ', /plain decimal/],
		['1 000', /plain decimal/],
		['1,5', /plain decimal/],
		['1e3', /plain decimal/],
		['0x10', /plain decimal/],
		['+1', /plain decimal/],
		['-1', /plain decimal/],
		['01', /plain decimal/],
		['1.', /plain decimal/],
		['.5', /plain decimal/],
		['12abc', /plain decimal/],
		['1\n', /plain decimal/],
		['１２', /plain decimal/],
		['Infinity', /plain decimal/],
		[NaN, /plain decimal/],
		[Infinity, /plain decimal/],
		[1e21, /plain decimal/],
		[1e-7, /plain decimal/],
		[-0, /greater than 0/],
		['0', /greater than 0/],
		['0.000000', /greater than 0/],
		['1000000000', /9 digits before/],
		['0.0000001', /6 decimal places/],
		[0.1 + 0.2, /rounded/],
		[123456789.1234567, /rounded/],
		[true, /not a value of type boolean/],
		[['1'], /not a list/],
		[{ value: 1 }, /not a value of type object/],
		[10n, /not a value of type bigint/],
	])('%j is refused with the reason', (value, reason) => {
		const check = checkPositiveDecimal(value, TRANSFER);
		expect(check).toEqual({ ok: false, reason: expect.stringMatching(reason) });
		expect(JSON.stringify(check).length).toBeLessThan(250);
	});

	it('of 100,000 digits is refused with a short reason', () => {
		const check = checkPositiveDecimal('9'.repeat(100_000), TRANSFER);
		expect(check).toEqual({ ok: false, reason: expect.stringMatching(/plain decimal/) });
		expect(JSON.stringify(check).length).toBeLessThan(250);
	});

	it('of any text is refused, or is a JSON number that reads back as that very text', () => {
		const texts = fc.oneof(
			fc.string(),
			fc.stringMatching(/^[-+0-9eE., ]{0,25}$/),
			fc.double().map(String),
		);
		fc.assert(
			fc.property(texts, (value) => {
				const check = checkPositiveDecimal(value, TRANSFER);
				if (!check.ok) return;
				expect(check.text).toBe(value);
				expect(Number(JSON.parse(check.text))).toBeGreaterThan(0);
				expect(check.text).toMatch(/^\d{1,9}(\.\d{1,6})?$/);
			}),
			{ numRuns: 2_000 },
		);
	});
});

describe('two decimals', () => {
	it.each([
		['100', '100.00', 0],
		['100.000001', '100', 1],
		['0.1', '0.09', 1],
		['-0.5', '0.5', -1],
		['-2', '-10', 1],
		['9007199254740993', '9007199254740992', 1],
	])('%s and %s are ordered exactly', (left, right, order) => {
		expect(compareDecimals(left, right)).toBe(order);
		expect(compareDecimals(right, left)).toBe(order === 0 ? 0 : -order);
	});

	it('are ordered as their scaled integers are', () => {
		const integer = fc.bigInt({ min: -(10n ** 25n), max: 10n ** 25n });
		const decimal = (value: bigint) => {
			const digits = String(value < 0n ? -value : value).padStart(7, '0');
			return `${value < 0n ? '-' : ''}${digits.slice(0, -6)}.${digits.slice(-6)}`;
		};
		fc.assert(
			fc.property(integer, integer, (left, right) => {
				expect(compareDecimals(decimal(left), decimal(right))).toBe(
					left < right ? -1 : left > right ? 1 : 0,
				);
			}),
		);
	});

	it.each(['', '1e3', ' 1', '1.', '--1', null, 5, '1'.repeat(65)])(
		'%j is no decimal to be compared',
		(value) => {
			expect(isDecimal(value)).toBe(false);
		},
	);
});
