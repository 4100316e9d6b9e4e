import fc from 'fast-check';

import {
	addDecimals,
	canonicalDecimal,
	checkDecimal,
	compareDecimals,
	floorDecimal,
	isDecimal,
	minDecimal,
	subtractDecimals,
} from '../../../nodes/service/decimal.ts';

const TRANSFER = { integerDigits: 9, fractionDigits: 6 };
const DIGITS_ONLY = 'Use digits and a decimal point only, for example 1000.50.';

describe('an amount', () => {
	it.each([
		['0.000001', '0.000001'],
		['999999999.999999', '999999999.999999'],
		['0.1', '0.1'],
		['1250.50', '1250.50'],
		[12.5, '12.5'],
		[999999999.999999, '999999999.999999'],
		[0.000001, '0.000001'],
		[1, '1'],
	])('%j is sent as the text %s', (value, text) => {
		expect(checkDecimal(value, TRANSFER)).toEqual({ ok: true, text });
	});

	it.each([
		[1e-7, '0.0000001'],
		[1.25e-10, '0.000000000125'],
	])('%j is written without its exponent', (value, text) => {
		expect(checkDecimal(value)).toEqual({ ok: true, text });
	});

	it.each([
		' ',
		'1 000',
		'1,5',
		'1,000.50',
		'1e3',
		'0x10',
		'+1',
		'-1',
		'01',
		'1.',
		'.5',
		'12abc',
		'1\n',
		'１２',
		'Infinity',
		NaN,
		Infinity,
		1e21,
		-1,
		-1e-7,
	])('%j is not valid', (value) => {
		expect(checkDecimal(value, TRANSFER)).toEqual({
			ok: false,
			reason: `${JSON.stringify(String(value))} is not valid`,
			fix: DIGITS_ONLY,
		});
	});

	it.each<[unknown, string, string]>([
		[-0, 'must be greater than 0', 'Check where the amount comes from.'],
		['0', 'must be greater than 0', 'Check where the amount comes from.'],
		['0.000000', 'must be greater than 0', 'Check where the amount comes from.'],
		['1000000000', 'has more than 9 digits before the decimal point', 'Enter a smaller amount.'],
		['0.0000001', 'has more than 6 decimal places', 'Round it to 6 decimal places.'],
		[1e-7, 'has more than 6 decimal places', 'Round it to 6 decimal places.'],
		[
			0.1 + 0.2,
			'is the number 0.30000000000000004, which may have been rounded',
			'Pass it as a string with all its digits, for example 1000.50.',
		],
		[
			123456789.1234567,
			'is the number 123456789.1234567, which may have been rounded',
			'Pass it as a string with all its digits, for example 1000.50.',
		],
		[
			1_000_000.000000001,
			'is the number 1000000.000000001, which may have been rounded',
			'Pass it as a string with all its digits, for example 1000.50.',
		],
		[true, 'is a boolean, not a number', DIGITS_ONLY],
		[['1'], 'is a list, not a number', DIGITS_ONLY],
		[{ value: 1 }, 'is an object, not a number', DIGITS_ONLY],
		[10n, 'is a bigint, not a number', DIGITS_ONLY],
		['9'.repeat(100_000), `"${'9'.repeat(40)}…" is not valid`, DIGITS_ONLY],
	])('%p is refused with reason and fix', (value, reason, fix) => {
		expect(checkDecimal(value, TRANSFER)).toEqual({ ok: false, reason, fix });
	});

	it('as text may have any number of digits where no rule says otherwise', () => {
		const text = '1234567890123456789.1234567890123456789';
		expect(checkDecimal(text)).toEqual({ ok: true, text });
	});

	it('may be 0 where the rule says so', () => {
		expect(checkDecimal('0.00', { mayBeZero: true })).toEqual({ ok: true, text: '0.00' });
	});

	it('of any text is refused, or is a JSON number that reads back as that very text', () => {
		const texts = fc.oneof(
			fc.string(),
			fc.stringMatching(/^[-+0-9eE., ]{0,25}$/),
			fc.double().map(String),
		);
		fc.assert(
			fc.property(texts, (value) => {
				const check = checkDecimal(value, TRANSFER);
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

	const decimalOf = (value: bigint, places: number) => {
		const digits = String(value < 0n ? -value : value).padStart(places + 1, '0');
		const at = digits.length - places;
		return `${value < 0n ? '-' : ''}${digits.slice(0, at)}${places ? `.${digits.slice(at)}` : ''}`;
	};
	const scaledBy = 10n ** 12n;
	/** Of up to 12 places, with its value in units of the 12th. */
	const decimals = fc
		.tuple(fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }), fc.integer({ min: 0, max: 12 }))
		.map(([value, places]) => ({
			text: decimalOf(value, places),
			units: value * 10n ** BigInt(12 - places),
		}));
	const unitsOf = (text: string) => {
		const [whole = '', fraction = ''] = text.split('.');
		return BigInt(whole + fraction.padEnd(12, '0'));
	};

	it('are added and subtracted exactly, without trailing zeros', () => {
		fc.assert(
			fc.property(decimals, decimals, (left, right) => {
				const sum = addDecimals(left.text, right.text);
				const difference = subtractDecimals(left.text, right.text);
				expect(unitsOf(sum)).toBe(left.units + right.units);
				expect(unitsOf(difference)).toBe(left.units - right.units);
				for (const text of [sum, difference]) {
					expect(isDecimal(text)).toBe(true);
					expect(text).not.toMatch(/\.\d*0$|\.$|^-0$/);
				}
			}),
		);
	});

	it('have the smaller one as their minimum', () => {
		expect(minDecimal('10.0', '9.99')).toBe('9.99');
		expect(minDecimal('9.99', '10.0')).toBe('9.99');
		expect(minDecimal('1.0', '1.00')).toBe('1.0');
	});

	it('are rounded down to so many places, never up', () => {
		fc.assert(
			fc.property(decimals, fc.integer({ min: 0, max: 12 }), ({ text, units }, places) => {
				const floor = floorDecimal(text, places);
				const unit = scaledBy / 10n ** BigInt(places);
				expect(floor.split('.')[1]?.length ?? 0).toBeLessThanOrEqual(places);
				expect(unitsOf(floor)).toBeLessThanOrEqual(units);
				expect(unitsOf(floor) + unit).toBeGreaterThan(units);
			}),
		);
		expect(floorDecimal('1.23456789', 6)).toBe('1.234567');
		expect(floorDecimal('1.9999999', 6)).toBe('1.999999');
		expect(floorDecimal('-0.0000001', 6)).toBe('-0.000001');
		expect(floorDecimal('5', 6)).toBe('5');
	});

	it('may be 64 characters long to be compared', () => {
		expect(isDecimal('1'.repeat(64))).toBe(true);
	});

	it.each(['', '1e3', ' 1', '1.', '--1', null, 5, '1'.repeat(65)])(
		'%j is no decimal to be compared',
		(value) => {
			expect(isDecimal(value)).toBe(false);
		},
	);
});

it.each([
	['5.00', '5'],
	['0005', '5'],
	['0.10', '0.1'],
	['0', '0'],
	['1000', '1000'],
])('the amount %s has one spelling, %s', (given, spelling) => {
	expect(canonicalDecimal(given)).toBe(spelling);
});
