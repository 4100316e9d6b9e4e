import fc from 'fast-check';

import { codeIn, reasonAgainst } from '../../nodes/CardTreasury/fields/values.ts';
import { setCustomData } from '../../nodes/shared/execution.ts';
import { approves, decisionInWords, isResponseCode } from '../../nodes/shared/responseCode.ts';
import {
	harmless,
	listOf,
	quote,
	sentences,
	shortened,
	summaryLine,
	textOf,
} from '../../nodes/shared/text.ts';
import { anyCharacter } from '../harness/anyCharacter.mts';

const EXPRESSION = '={{ $json.a }}';
const NAME = { isName: true } as const;

describe('values of expressions', () => {
	it.each([
		...'undefined|null| null |NaN|[object Object]|[object Array]|Invalid Date'.split('|'),
		...'Invalid date|Invalid DateTime|#N/A|#REF!|#VALUE!|#NAME?|#DIV/0!|#NULL!|#NUM!'.split('|'),
		// Of other programs, and in Spanish, Danish, Russian and German.
		...'#ERROR!|#SPILL!|#GETTING_DATA|#N/D|#¡REF!|#¿NOMBRE?|#I/T|#Н/Д|#NV|#ÜBERLAUF!'.split('|'),
	])('%j from an expression is refused, and typed it is only no name', (value) => {
		const message = `holds ${JSON.stringify(value.trim())}, which means nothing`;
		expect(reasonAgainst(value, EXPRESSION)?.[0]).toBe(message);
		expect(reasonAgainst(value, EXPRESSION, { takesAny: true })?.[0]).toBe(message);
		expect(reasonAgainst(value, value, NAME)?.[0]).toBe(message);
		expect(reasonAgainst(value, value)).toBeUndefined();
	});

	it.each([
		...'Null|NULL|none|null and void|an undefined amount|[object|invalid date|recA1NaN'.split('|'),
		...'#1|#17|#A7|#INV-17|#Rent|Unit #A/B|#1 Nails|Rent #URGENT!|a\ufffdb'.split('|'),
		...['\u202a+34 600 000 000\u202c', 0, -1.5, true, 9007199254740991],
	])('%j from an expression is taken, where it is no name', (value) => {
		expect(reasonAgainst(value, EXPRESSION)).toBeUndefined();
	});

	const NOTHING = 'none|None|nil|N/A|n/a|nan|NULL|Undefined|Loading...|Loading…'.split('|');
	it.each(NOTHING)('nothing is called %j, also if the user types it', (value) => {
		const message = `holds "${value}", which means nothing`;
		expect(reasonAgainst(value, value, NAME)?.[0]).toBe(message);
		expect(reasonAgainst(value, EXPRESSION, NAME)?.[0]).toBe(message);
	});

	const INVISIBLE = '200b 00ad 202e 2060 e0041 3164 2800 d800 007f 0085 0000 fffd feff'.split(' ');
	it.each(INVISIBLE)('a name is refused with an invisible or lost character: U+%s', (code) => {
		const message = `holds an invisible or lost character: U+${code.toUpperCase()}`;
		const character = String.fromCodePoint(parseInt(code, 16));
		for (const value of [`${character}INV-17`, `INV${character}17`, `INV-17${character}`])
			expect(reasonAgainst(value, value, NAME)?.[0]).toBe(message);
	});

	it.each<[reason: string, values: unknown[]]>([
		['is a list, where one value is expected', [[]]],
		['is an object, where one value is expected', [{ id: 1 }, new Date(0)]],
		['holds NaN, which means nothing', [Number.NaN]],
		['is the number 7615917337495251000, which has lost digits', [7615917337495251231]],
		['is the number 9007199254740992, which has lost digits', [2 ** 53]],
		['is the number -Infinity, which has lost digits', [-Infinity]],
	])('a value is refused that %s, however it came: %j', (reason, values) => {
		for (const value of values) {
			for (const raw of [value, EXPRESSION]) expect(reasonAgainst(value, raw)?.[0]).toBe(reason);
			const isTaken = reasonAgainst(value, EXPRESSION, { takesAny: true }) === undefined;
			expect(isTaken).toBe(typeof value === 'object');
		}
	});

	it.each([undefined, null, '', ' \n'])('%j is refused only from an expression', (value) => {
		const reasonFor = (raw: unknown) => reasonAgainst(value, raw)?.[0];
		const gave = (what: string) => `has no value: ${what} gave nothing`;
		expect([undefined, '', value].map(reasonFor)).toEqual([undefined, undefined, undefined]);
		expect(reasonFor(EXPRESSION)).toBe(gave('{{ $json.a }}'));
		expect(reasonFor({ __rl: true, mode: 'id', value: EXPRESSION })).toBe(gave('{{ $json.a }}'));
		for (const raw of ['=', '={{ $json.a }}{{ $json.b }}'])
			expect(reasonFor(raw)).toBe(gave('its expression'));
	});

	it.each([
		['=a{{ 1 }}b\\{{ 2 }}c{{ "\\}}" }}{{3}}', [' 1 ', ' "\\}}" ', '3']],
		['={{ $json.a ||\n$json.b }}', [' $json.a ||\n$json.b ']],
		[{ value: '={{ 1 }}' }, [' 1 ']],
		// Without an end it is evaluated to the end.
		['={{ 1', [' 1']],
		['=a{{ 1 }}b{{ 2\\}}c', [' 1 ', ' 2\\}}c']],
		['{{ 1 }}', []],
		[['={{ 1 }}'], []],
		[undefined, []],
	])('the parts of %j are those that n8n evaluates', (raw, parts) => {
		expect(codeIn(raw)).toEqual(parts);
	});
});

describe('texts from outside', () => {
	it.each([
		['<!channel> <https://evil.example|a>', '‹!channel› ‹https://evil.example|a›'],
		['@channel, @Here: pay@hereford.example', '＠channel, ＠Here: pay＠hereford.example'],
		['Coffee\r\nPaid: yes', 'Coffee Paid: yes'],
		// n8n's *Send and Wait* decodes these, and breaks the line at the second one.
		['&lt;!here&gt; \\nPaid &amp;lt; A&B', '＆lt;!here＆gt; ＼nPaid ＆amp;lt; A&B'],
		['line\u2028separator', 'line separator'],
		['a\u202Eb\u200Bc\u0000d\u{e000}e', 'abcde'],
		['a \u200B b\uFEFFc', 'a b c'],
		['  spaces \t at the ends ', 'spaces at the ends'],
		['Zürich 東京 😀', 'Zürich 東京 😀'],
	])('%j becomes the harmless %j', (text, expected) => {
		expect(harmless(text)).toBe(expected);
	});

	it('a summary is one harmless line of at most 300 characters, and making it twice changes nothing', () => {
		const text = fc.string({ unit: anyCharacter, maxLength: 400 });
		fc.assert(
			fc.property(text, text, (first, other) => {
				const line = summaryLine(first, other);
				expect(line.length).toBeLessThanOrEqual(300);
				expect(line).not.toMatch(/[<>\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
				expect(summaryLine(line)).toBe(line);
			}),
		);
	});

	it('a summary leaves out whole sentences that do not fit, and keeps later ones that do', () => {
		const long = 'x'.repeat(280);
		const line = summaryLine('Sent: 1', long, 'y'.repeat(20), 'Wait now', false);
		expect(line).toBe(`Sent: 1. ${long}. Wait now.`);
		expect(summaryLine(`${long}${long}`)).toBe(`${long}${'x'.repeat(19)}…`);
	});

	it('only the beginning of a page of many megabytes is looked at', () => {
		expect(harmless(`a${'\u200b'.repeat(3_000)}b`)).toBe('a');
		expect(harmless(`${'<'.repeat(60_000_000)}`, 3)).toBe('‹‹…');
	});

	it('a text is shortened to a number of characters, and none is cut in half', () => {
		const texts = ['abc', 'abcd', 'a😀b', '😀bc'].map((text) => shortened(text, 3));
		expect(texts).toEqual(['abc', 'ab…', 'a…', '😀…']);
		// A message shows the whole of an address.
		expect(quote('x'.repeat(45))).toBe(`"${'x'.repeat(45)}"`);
		expect(quote('x'.repeat(46))).toBe(`"${'x'.repeat(44)}…"`);
		expect(quote('a "b"')).toBe('"a \\"b\\""');
	});

	it('texts become sentences and lists, and parts without a text are left out', () => {
		const parts = ['A', '', undefined, null, false, 5, 'B!', 'C…', 'D:', 'E?'] as const;
		expect(sentences(...parts)).toBe('A. B! C… D: E?');
		const lists = ['a', 'a b', 'a b c'].map((text) => listOf(text.split(' ')));
		expect(lists).toEqual(['a', 'a and b', 'a, b and c']);
		expect(['a', 1.5, null, { toString: 1 }].map(textOf).join()).toBe('a,1.5,null,{"toString":1}');
		const numbers = [5e-7, -1.25e-9, 1e-10, 0.000001, 1e21].map(textOf);
		expect(numbers).toEqual(['0.0000005', '-0.00000000125', '0.0000000001', '0.000001', '1e+21']);
	});
});

describe('response codes', () => {
	it.each([
		['Approved', '00 SUCCESS 000 08 10 11 16 85 87'],
		['Declined', '05 51 N7 121 01 12'],
	])('a purchase is %s by each of %s', (decision, codes) => {
		for (const code of codes.split(' ')) {
			expect(isResponseCode(code)).toBe(true);
			expect(decisionInWords(code)).toBe(`${decision} (${code})`);
			expect(approves(code)).toBe(decision === 'Approved');
		}
	});

	const NO_CODES = [...'5|0551|OK|NOK|NO|YES|ON|OFF|success|0 |n7|'.split('|'), 51, null];
	it.each(NO_CODES)('%j is no response code', (code) => {
		expect(isResponseCode(code)).toBe(false);
	});
});

it('custom execution data keeps numbers and texts of up to 255 characters, and survives a refusal', () => {
	const kept: Record<string, string> = {};
	const set = (name: string, value: string) => {
		if (name === 'refused') throw new Error('not here');
		kept[name] = value;
	};
	const texts = { refused: 'a', long: 'x'.repeat(300), empty: '', nul: 'op\0-1', onlyNul: '\0' };
	const n8n = { customData: { set } } as never;
	setCustomData(n8n, { ...texts, card_id: 5, list: ['a'], gone: undefined });
	expect(kept).toEqual({ long: 'x'.repeat(255), nul: 'op-1', card_id: '5' });
});
