import fc from 'fast-check';

import { parseExactly } from '../../../../nodes/CardTreasury/request/exactJson.ts';

it.each([
	['{"a":0.1,"b":52.35,"c":-3}', { a: 0.1, b: 52.35, c: -3 }],
	['{"amount":12345678901234567890}', { amount: '12345678901234567890' }],
	[
		'[1,12345678901234567890,2,123456789.123456789123,3]',
		[1, '12345678901234567890', 2, '123456789.123456789123', 3],
	],
	['{"amount":9007199254740993}', { amount: '9007199254740993' }],
	['{"amount":9007199254740992}', { amount: 9007199254740992 }],
	['{"amount":1000000000000000000000}', { amount: 1e21 }],
	['{"amount":0.10000000000000000}', { amount: 0.1 }],
	['12345678901234567890', '12345678901234567890'],
	['[-0,0,12345678901234567890]', [-0, 0, '12345678901234567890']],
	['[1e5,1E+2,-1.5e-3]', [100000, 100, -0.0015]],
	['[1e400]', ['1e400']],
	['[1e-400]', ['1e-400']],
	[
		'{"a":"12345678901234567890","b\\"12345678901234567890":1}',
		{ a: '12345678901234567890', 'b"12345678901234567890': 1 },
	],
	['["\\\\",12345678901234567890]', ['\\', '12345678901234567890']],
	['["\\\\\\"",12345678901234567890]', ['\\"', '12345678901234567890']],
])('parseExactly reads %s without changing a number', (text, value) => {
	expect(parseExactly(text)).toEqual(value);
});

it.each(['', '{', '{"a":12345678901234567890', '01', 'undefined'])(
	'parseExactly returns undefined for %j',
	(text) => {
		expect(parseExactly(text)).toBeUndefined();
	},
);

it('parseExactly reads a long number next to a string of 8 MB', () => {
	const long = `${'x'.repeat(4_000_000)}\\"${'1'.repeat(4_000_000)}`;
	expect(parseExactly(`{"file":"${long}","amount":1234567890123456.7}`)).toEqual({
		file: long.replace('\\', ''),
		amount: '1234567890123456.7',
	});
});

it('parseExactly equals JSON.parse for JSON without long numbers', () => {
	fc.assert(
		fc.property(fc.json(), (text) => {
			expect(JSON.stringify(parseExactly(text))).toBe(JSON.stringify(JSON.parse(text)));
		}),
		{ numRuns: 500 },
	);
});
