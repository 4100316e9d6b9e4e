import fc from 'fast-check';

import { againstAddress, canonicalAddress } from '../../nodes/CardTreasury/fields/address.ts';
import { keccak256 } from '../../nodes/CardTreasury/fields/keccak256.ts';
import { address, addresses, amount, SENT } from '../../nodes/CardTreasury/fields/money.ts';
import {
	addDecimals,
	canonicalDecimal,
	compareDecimals,
	floorDecimal,
	isDecimal,
	minDecimal,
	subtractDecimals,
} from '../../nodes/shared/decimal.ts';
import { shortAddress } from '../../nodes/shared/text.ts';
import { reading, table } from './reading.mts';

describe('decimals', () => {
	/** Decimals of up to 12 places, with their value in units of the 12th. */
	const decimals = fc
		.tuple(fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }), fc.integer({ min: 0, max: 12 }))
		.map(([value, places]) => {
			const digits = String(value < 0n ? -value : value).padStart(places + 1, '0');
			const at = digits.length - places;
			const fraction = places > 0 ? `.${digits.slice(at)}` : '';
			return {
				text: `${value < 0n ? '-' : ''}${digits.slice(0, at)}${fraction}`,
				units: value * 10n ** BigInt(12 - places),
			};
		});
	const unitsOf = (text: string) => {
		const [whole = '', fraction = ''] = text.split('.');
		return BigInt(whole + fraction.padEnd(12, '0'));
	};

	it('sums, differences and comparisons equal those of big integers, in one spelling', () => {
		fc.assert(
			fc.property(decimals, decimals, (left, right) => {
				const sum = addDecimals(left.text, right.text);
				const difference = subtractDecimals(left.text, right.text);
				expect(unitsOf(sum)).toBe(left.units + right.units);
				expect(unitsOf(difference)).toBe(left.units - right.units);
				const order = left.units < right.units ? -1 : left.units > right.units ? 1 : 0;
				expect(compareDecimals(left.text, right.text)).toBe(order);
				expect(minDecimal(left.text, right.text)).toBe(order > 0 ? right.text : left.text);
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
				expect(floor.split('.')[1]?.length ?? 0).toBeLessThanOrEqual(places);
				expect(unitsOf(floor)).toBeLessThanOrEqual(units);
				expect(unitsOf(floor) + 10n ** BigInt(12 - places)).toBeGreaterThan(units);
			}),
		);
	});

	it('a decimal has one spelling, digits and at most 64 characters', () => {
		const spelled = ['5.00', '0005', '0.10', '-0.0'].map(canonicalDecimal);
		expect(spelled).toEqual(['5', '5', '0.1', '0']);
		const none = ['1e3', ' 1', '1.', '--1', '', null, 5, '1'.repeat(65)];
		expect(none.filter(isDecimal)).toEqual([]);
		expect(isDecimal('1'.repeat(64))).toBe(true);
	});
});

describe('Amount', () => {
	const sent = amount('Amount', { digits: SENT });

	it('every amount of 9 and 6 digits is sent as a JSON number of the same value', () => {
		const whole = fc.integer({ min: 0, max: 999_999_999 });
		fc.assert(
			fc.property(whole, fc.integer({ min: 1, max: 999_999 }), (integer, fraction) => {
				const text = `${integer}.${String(fraction).padStart(6, '0')}`;
				const read = String(reading(sent, text));
				expect(read).toBe(text.replace(/0+$/, ''));
				expect(JSON.stringify(Number(read))).toBe(read);
				expect(reading(sent, Number(read))).toBe(read);
			}),
		);
	});

	it.each<[given: unknown, read: string]>([
		...table<[string, string]>(`
		.43 | 0.43
		007.50 | 7.5
		5. | 5
		"12.50 " | 12.5
		"\\u00a05.\\n" | 5
		000000000001.0000000 | 1`),
		...[1e3, 0.000001, 999999999.999999].map((given): [number, string] => [given, `${given}`]),
	])('%j is taken as %s', (given, read) => {
		expect(reading(sent, given)).toBe(read);
	});

	it.each([
		..."1,200|1,5|1'234.56|1’234|1.234,56|(5.00)|１００|٣|1e3|1E3|+5|-5|−5|$5|5 USDC|5€".split('|'),
		...'1 200|1 200|1.2.3|.|0x10|1_000|½|five|=5|5%|1.5.|12.50\u200b|true'.split('|'),
		...[-1, true],
	])('%j is refused with the form that is accepted', (given) => {
		expect(reading(sent, given)).toBe(
			`Amount is "${String(given)}" | Use digits and at most one point, e.g. 1000.50.`,
		);
	});

	it.each<[reason: string, given: unknown[]]>([
		['must be above 0', ['0', '0.000', -0]],
		['is ".*", which has too many digits', ['1000000000', '0.0000001', 0.1 + 0.2, 1e-7]],
		['is the number 1e\\+21, which has lost digits', [1e21]],
		[`is "${'9'.repeat(44)}…" `, ['9'.repeat(65)]],
		['is (?:empty|a list|an object)', ['', [5], { amount: 5 }]],
	])('an amount is refused that %s: %j', (reason, given) => {
		for (const each of given) expect(reading(sent, each)).toMatch(new RegExp(`^Amount ${reason}`));
	});
});

/** Test vectors of EIP-55, and addresses without a checksum. */
const VECTORS = [
	...['0x52908400098527886E0F7030069857D2E4169EE7', '0xde709f2102306220921060314715629080e2fb77'],
	...['0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359'],
];
const [, , MIXED = ''] = VECTORS;

describe('Recipient Address', () => {
	const recipient = address('Recipient Address', '');

	it.each([
		...[...VECTORS, MIXED.toLowerCase(), `0x${MIXED.slice(2).toUpperCase()}`],
		// The second is the one after the last precompiled contract.
		...[`0x${'1'.repeat(40)}`, `0x${'0'.repeat(37)}100`],
	])('%s is taken as it is, without the spaces around it', (given) => {
		expect(reading(recipient, ` ${given}\n`)).toBe(given);
		expect(canonicalAddress(given)).toBe(given.toLowerCase());
		expect(shortAddress(given)).toBe(`${given.slice(0, 6)}…${given.slice(38)}`);
	});

	it.each([
		...[MIXED.slice(2), MIXED.slice(0, -1), `${MIXED}0`, MIXED.replace('0x', '0X')],
		...[`matic:${MIXED}`, `eip155:1:${MIXED}`, `${MIXED},${MIXED}`, `${MIXED}\u200b`],
		...['TJRabPrwbZy45sbavfcjinPJC18kjpRTv8', '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'],
		...['bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq', 'alice.eth', 'Alice', '5.2E+47', 5.2],
	])('%j is not the form of an address', (given) => {
		expect(reading(recipient, given)).toBe(
			'Recipient Address is not 0x followed by 40 hexadecimal digits | Copy it again from its source.',
		);
	});

	it.each([
		...['00', '01', '04', 'fF'].map((end) => `0x${'0'.repeat(38)}${end}`),
		...[`0x${'0'.repeat(36)}dEaD`, `0x${'eE'.repeat(20)}`],
	])('%s is held by nobody', (given) => {
		expect(reading(recipient, given)).toMatch('Recipient Address is an address that nobody holds');
	});

	it('an address in mixed case with a changed letter case does not match its checksum', () => {
		const at = fc.integer({ min: 2, max: 41 });
		fc.assert(
			fc.property(fc.constantFrom(...VECTORS.slice(2)), at, (given, position) => {
				const letter = given.charAt(position);
				const upper = letter.toUpperCase();
				const other = letter === upper ? letter.toLowerCase() : upper;
				const wrong = given.slice(0, position) + other + given.slice(position + 1);
				const reasons = [wrong, given, wrong].map((text) => againstAddress(text)?.[0]);
				const reason = 'does not match its checksum (EIP-55): a character is wrong';
				// Twice, because a match is remembered.
				const found = wrong === given ? undefined : reason;
				expect(reasons).toEqual([found, undefined, found]);
			}),
		);
	});

	it.each([
		['', 'c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470'],
		['a'.repeat(135), '34367dc248bbd832f4e3e69dfaac2f92638bd0bbd18f2912ba4ef454919cf446'],
	])('the Keccak-256 hash of %j is as published', (text, hash) => {
		expect(keccak256(Buffer.from(text)).toString('hex')).toBe(hash);
	});
});

describe('Allowed Recipients', () => {
	const allowed = addresses('Allowed Recipients', '');
	const [, , one = '', other = ''] = VECTORS;

	it.each([`${one},${other}`, `${one}; ${other};`, `\n${one}\r\n${other}`, [one, ` ${other}`]])(
		'%j has two addresses',
		(given) => expect(reading(allowed, given)).toEqual([one, other]),
	);

	it.each<[given: unknown, message: string]>([
		...[',;\n', []].map((given): [unknown, string] => [given, 'is empty | Enter an address.']),
		['', 'is empty | Enter the Allowed Recipients.'],
		[`${one} ${other}`, `"${one} 0…" is not 0x followed by 40 hexadecimal digits`],
		[[one, null], '"null" is not 0x followed by 40 hexadecimal digits'],
		[one.replace('A', 'a'), `"${one.replace('A', 'a')}" does not match its checksum`],
	])('%j is refused', (given, message) => {
		expect(reading(allowed, given)).toContain(`Allowed Recipients ${message}`);
	});
});
