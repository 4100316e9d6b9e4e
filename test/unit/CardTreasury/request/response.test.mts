import fc from 'fast-check';

import { pdfState, readBody } from '../../../../nodes/CardTreasury/request/response.ts';

it.each<[string | Buffer, string, object]>([
	['', 'text/html', { kind: 'empty' }],
	[' \r\n', '', { kind: 'empty' }],
	['\uFEFF{"a":1}', 'application/json', { kind: 'json', value: { a: 1 } }],
	['{"a":1}', 'text/html', { kind: 'json', value: { a: 1 } }],
	['null', '', { kind: 'json', value: null }],
	['<html>', '', { kind: 'html' }],
	['Log in', 'text/html; charset=utf-8', { kind: 'html' }],
	['Log in', ' Text/HTML', { kind: 'html' }],
	['Log in', 'application/text/html', { kind: 'text', text: 'Log in', isFile: true }],
	['a < b', 'text/plain', { kind: 'text', text: 'a < b', isFile: false }],
	['{"a":', 'application/json', { kind: 'text', text: '{"a":', isFile: false }],
	['<ok/>', 'application/xml', { kind: 'text', text: '<ok/>', isFile: false }],
	['<rss/>', 'application/rss+xml; charset=utf-8', { kind: 'text', text: '<rss/>', isFile: false }],
	['<!doctype html>', 'text/plain', { kind: 'html' }],
	[
		Buffer.from('\ufeff{"a":"é"}', 'utf16le'),
		'application/json',
		{ kind: 'json', value: { a: 'é' } },
	],
	[
		Buffer.from('\ufeffé', 'utf16le').swap16(),
		'text/plain',
		{ kind: 'text', text: 'é', isFile: false },
	],
	[Buffer.from([0xff, 0xfe, 0x00]), '', { kind: 'text', text: '\uFFFD\uFFFD\0', isFile: true }],
])('readBody parses %j of type %j', (body, contentType, expected) => {
	expect(readBody(Buffer.from(body as string), contentType)).toEqual(expected);
});

it('readBody never throws, however deep or long the text', () => {
	expect(readBody(Buffer.from('['.repeat(100_000))).kind).toBe('text');
	fc.assert(
		fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
			expect(['empty', 'json', 'html', 'text']).toContain(readBody(Buffer.from(bytes)).kind);
		}),
	);
});

it.each([
	['%PDF-1.7 … %%EOF', 'whole'],
	['%PDF-1.7 … %%EOF\n', 'whole'],
	[`%PDF-1.7 … %%EOF${' '.repeat(1_019)}`, 'whole'],
	[`%PDF-1.7 … %%EOF${' '.repeat(5_000)}`, 'whole'],
	[`%PDF-1.7 … %%EOF${'\0'.repeat(5_000)}\r\n`, 'whole'],
	[`%PDF-1.7 … %%EOF${'x'.repeat(1_030)}`, 'cut off'],
	['\ufeff%PDF-1.7 … %%EOF', 'whole'],
	[`${'x'.repeat(1_019)}%PDF-1.7 … %%EOF`, 'whole'],
	[`${'x'.repeat(1_020)}%PDF-1.7 … %%EOF`, 'no PDF'],
	['%PDF-1.7 …', 'cut off'],
	['%PDF', 'no PDF'],
	['', 'no PDF'],
])('pdfState of %j is %s', (text, state) => {
	expect(pdfState(Buffer.from(text))).toBe(state);
});
