import fc from 'fast-check';

import { paymentReference } from '../../nodes/CardTreasury/operations/wallet/paymentReference.ts';
import { anyCharacter } from '../harness/anyCharacter.mts';
import { eachRow, reading, type Around } from './reading.mts';

const read = (value: unknown, around?: Around) => reading(paymentReference, value, around);
/** Reference `INV-1` of the expression `=INV-{{ $json.no }}-{{ <code> }}`, whose last part gives this. */
const withPart = (code: string, given: unknown) =>
	read('INV-1', {
		raw: `=INV-{{ $json.no }}-{{ ${code} }}`,
		parts: { '{{ $json.no }}': 17, [`{{ ${code} }}`]: given },
	});

// Golden values: with another spelling, a paid reference would get another name, and be paid again.
it.each<[reference: string, given: unknown[]]>([
	['INV 17', ['  INV 17\n', 'INV\u00a0 \t17\r\n', '\u3000INV\u202f17']],
	[
		'-------',
		['-\u2010\u2011\u2012\u2013\u2014\u2212', '\u207b\ufe63\uff0d\u058a\u301c\u2015\u2e3a'],
	],
	['INV 1 fine', ['\uff29\uff2e\uff36 \u2460 \ufb01ne']],
	['caf\u00e9', ['cafe\u0301']],
	['17', [17]],
	// As databases and sheets write a date.
	[
		'2026-11-25',
		[
			...['2026-11-25T00:00:00.000Z', '2026-11-25 00:00:00', '2026-11-25T00:00'],
			...['2026-11-25T00:00:00.000-05:00', '2026-11-25 00:00:00+00', '2026\u201311-25t00:00:00z'],
		],
	],
	['rent 2026-11-25 B', ['rent 2026-11-25T00:00:00Z B']],
	// A number behind a date is no time zone.
	['2026-11-25-17', ['2026-11-25 00:00:00-17', '2026-11-25T00:00-17']],
	['-5', [-5]],
	...['00123', '1001.0', 'Rent August...', 'Nullam-undefined-x', 'Invoice 3:09', 'inv_17~\u00dcber']
		.concat('x'.repeat(255), '🎉'.repeat(255))
		.map((text): [string, unknown[]] => [text, [text]]),
])('%j is the one spelling of %j', (reference, given) => {
	for (const each of given) expect(read(each)).toBe(reference);
});

it('the spelling of a spelling is the same', () => {
	fc.assert(
		fc.property(fc.string({ unit: anyCharacter, maxLength: 40 }), (text) => {
			const reference = String(read(text));
			// What is refused is no reference.
			fc.pre(!reference.startsWith('Payment Reference '));
			expect(read(reference)).toBe(reference);
			expect(reference).not.toMatch(/^\s|\s$|\s\s|[\p{Cc}\p{Cf}\ufeff\u2212]|(?!-)\p{Pd}/u);
		}),
	);
});

it.each<[message: string, given: unknown[]]>([
	['is empty', ['', undefined, ' \u3000']],
	['is the number 2026.1 | Pass it as text.', [2026.1]],
	['is the number 12345678901234567000, which has lost digits', [12345678901234567890]],
	['is an object', [{ id: 1 }]],
	['is a list', [['INV-1']]],
	[', which means nothing', ['#N/A', 'nan', 'undefined']],
	['as typed | Switch the field from Fixed to Expression.', ['INV-{{ $json.reference }}']],
	['holds an invisible or lost character: U+', ['F\ufffdr-17', 'INV-17\u200b']],
	['is longer than 255 characters', ['x'.repeat(256), '🎉'.repeat(256), '\ufb01'.repeat(200)]],
	[
		'holds a time of day',
		[
			...['November 27th 2026, 3:09:44 pm', '2026-11-27T15:09:44.1Z', '3：09：44', '3:09 PM'],
			...['27/11/2026 15:09', '27.11.2026 9:05', 'INV 27 Nov 2026, 15:09', '2026-11-27 at 15:09'],
			...['2026-11-27 00:00:01', '2026-11-27T15:09', '2026-11-25T00:00:00.5Z'],
		],
	],
])('a reference is refused that %s: %j', (message, given) => {
	for (const each of given) {
		expect(read(each)).toMatch(/^Payment Reference /);
		expect(read(each)).toContain(message);
	}
});

eachRow<[code: string, found: string]>(`
	$execution.id | $execution
	$executionId | $execution
	$runIndex | $runIndex
	$itemIndex + 1 | $itemIndex
	$position | $position
	$('A').all()[$itemIndex].json.a | $itemIndex
	$('A').itemMatching($itemIndex).json.a + $itemIndex | $itemIndex
	$('A').itemMatching($execution.id).json.a | $execution
	$json.n.replace(/'/g, '') + '-' + $execution.id | $execution
`)('the expression %s is refused, because it differs each time', (code, found) => {
	const message = `Payment Reference takes ${found} in {{ ${code} }}, which differs each time`;
	expect(withPart(code, 'a')).toBe(
		`${message} | Take it from your own data, such as the invoice number.`,
	);
	expect(withPart(`$json.a ||\n${code}`, 'a')).toContain('which differs each time');
	// n8n evaluates a part without an end, too.
	expect(read('a', { raw: `=INV-{{ ${code}` })).toContain('which differs each time');
});

it.each([
	"$('Source').itemMatching($itemIndex).json.ref",
	"$('Source').itemMatching( $itemIndex - 1 ).json.ref",
	'$json.itemIndex + $json.executionId',
	'new Date($json.date).getFullYear()',
])('the expression %s is taken', (code) => {
	expect(withPart(code, 'a')).toBe('INV-1');
});

it('a part without an end must give something, as any other', () => {
	const around = { raw: '=INV-{{ $json.nope', parts: { '{{ $json.nope}}': undefined } };
	expect(read('INV-', around)).toContain('has a part without a value');
});

it.each<[raw: string, isTriedAgain: boolean]>([
	['=INV-{{ $now.ts }}', true],
	["={{ $json.ref }}-{{ $now.toFormat('HHmmss') }}", true],
	['={{ $today.year }}', true],
	['={{ DateTime.local().second }}', true],
	['={{ new Date().getTime()', true],
	['={{ Math.random() }}-{{ 1 }}', true],
	['={{ crypto.getRandomValues(x) }}', true],
	['={{ $json.reference }}', false],
	['=Date $now {{ $json.reference }}', false],
	['INV-$now', false],
])('the reference %s is read again a second later: %s', (raw, isTriedAgain) => {
	expect(paymentReference.mayChange?.(raw)).toBe(isTriedAgain);
});

it('code outside of {{ }} is a text', () => {
	expect(read('$execution', { raw: '=$execution' })).toBe('$execution');
});

it.each<[shown: string, given: unknown[]]>([
	['gave nothing', [undefined, null, '  ', []]],
	['gave "NaN"', [Number.NaN, 'NaN']],
	['gave "undefined-2026-01"', ['undefined-2026-01']],
	['gave "a_null"', ['a_null']],
	['gave "[object Object]"', [{ id: 1 }]],
	['gave "INV[object Object]"', ['INV[object Object]']],
	['holds "#N/A", which means nothing', ['#N/A']],
	['holds "Invalid DateTime", which means nothing', ['Invalid DateTime']],
	['is the number 7615917337495251000, which has lost digits', [7615917337495251231]],
])('a part of the expression that %s is refused: %j', (shown, given) => {
	const message = `Payment Reference has a part without a value: {{ $json.date }} ${shown} | `;
	for (const each of given) expect(withPart('$json.date', each)).toContain(message);
});

const TEXTS = 'recA1NaN|Nullam|undefinedly|nan|N/A Holdings| - ';
const TAKEN = [...TEXTS.split('|'), 0, false, ['a', 'b']];
it.each(TAKEN)('a part of the expression that gives %j is taken', (given) => {
	expect(withPart('$json.name', given)).toBe('INV-1');
});
