import fc from 'fast-check';

import {
	addDecimals,
	canonicalDecimal,
	compareDecimals,
	floorDecimal,
	isDecimal,
	subtractDecimals,
} from '../../../nodes/shared/decimal.ts';

describe('decimals', () => {
	it.each([
		['100', '100.00', 0],
		['100.000001', '100', 1],
		['0.1', '0.09', 1],
		['-0.5', '0.5', -1],
		['-2', '-10', 1],
		['9007199254740993', '9007199254740992', 1],
	])('%s and %s compare exactly', (left, right, order) => {
		expect(compareDecimals(left, right)).toBe(order);
		expect(compareDecimals(right, left)).toBe(order === 0 ? 0 : -order);
	});

	const decimalOf = (value: bigint, places: number) => {
		const digits = String(value < 0n ? -value : value).padStart(places + 1, '0');
		const at = digits.length - places;
		return `${value < 0n ? '-' : ''}${digits.slice(0, at)}${places ? `.${digits.slice(at)}` : ''}`;
	};
	const scaledBy = 10n ** 12n;
	/** Decimals of up to 12 places, with their value in units of the 12th. */
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

	it('sums and differences are exact and have no trailing zeros', () => {
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

	it('rounding never goes up', () => {
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

	it('a decimal has at most 64 characters', () => {
		expect(isDecimal('1'.repeat(64))).toBe(true);
	});

	it.each(['', '1e3', ' 1', '1.', '--1', null, 5, '1'.repeat(65)])(
		'%j is not a decimal',
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
])('canonicalDecimal of %s is %s', (given, spelling) => {
	expect(canonicalDecimal(given)).toBe(spelling);
});
