import fc from 'fast-check';

import { parseExactly, readBody } from '../../../../nodes/CardTreasury/request/answerBody.ts';

it.each<[string | Buffer, object]>([
	['', { kind: 'empty' }],
	[' \r\n', { kind: 'empty' }],
	['\uFEFF{"a":1}', { kind: 'json', value: { a: 1 } }],
	['null', { kind: 'json', value: null }],
	['<html>', { kind: 'other', contentType: 'text/html' }],
	['{"a":', { kind: 'other', contentType: 'text/html' }],
	[Buffer.from([0xff, 0xfe, 0x00]), { kind: 'other', contentType: 'text/html' }],
	[`${'['.repeat(100_000)}`, { kind: 'other', contentType: 'text/html' }],
])('reads %j', (body, expected) => {
	expect(readBody(Buffer.from(body as string), 'text/html')).toEqual(expected);
});

it.each([
	['{"a":0.1,"b":52.35,"c":-3}', { a: 0.1, b: 52.35, c: -3 }],
	// Numbers that would change in JavaScript stay as they were written.
	['{"amount":12345678901234567890}', { amount: '12345678901234567890' }],
	['[123456789.123456789123]', ['123456789.123456789123']],
	['{"amount":-9007199254740993}', { amount: '-9007199254740993' }],
	['{"amount":1000000000000000000000}', { amount: 1e21 }],
	['{"amount":0.10000000000000000}', { amount: 0.1 }],
	// Digits inside a text are left alone, whatever is escaped in it.
	[
		'{"a":"12345678901234567890","b\\"12345678901234567890":1}',
		{ a: '12345678901234567890', 'b"12345678901234567890': 1 },
	],
	['{"huge":1e999999999999999999}', { huge: '1e999999999999999999' }],
])('parses %s without changing a number', (text, value) => {
	expect(parseExactly(text)).toEqual(value);
});

it('parses any JSON as JSON.parse does, where no number is longer than JavaScript can hold', () => {
	fc.assert(
		fc.property(fc.json(), (text) => {
			expect(JSON.stringify(parseExactly(text))).toBe(JSON.stringify(JSON.parse(text)));
		}),
		{ numRuns: 500 },
	);
});
