import fc from 'fast-check';

import {
	harmless,
	listOf,
	quote,
	sentences,
	shortened,
	summaryLine,
} from '../../nodes/shared/text.ts';

describe('text from outside', () => {
	it.each([
		['<!channel> pay', '‹!channel› pay'],
		['<https://evil.example|invoice>', '‹https://evil.example|invoice›'],
		['@channel, @Here: pay@hereford.example', '＠channel, ＠Here: pay＠hereford.example'],
		['Coffee\r\nPaid: yes', 'Coffee Paid: yes'],
		['line\u2028separator', 'line separator'],
		['a\u202Eb\u200Bc\u0000d\uFEFFe', 'abcd e'],
		['a \u200B b', 'a b'],
		['  spaces \t at the ends ', 'spaces at the ends'],
		['Zürich 東京 😀', 'Zürich 東京 😀'],
		['<a|b> <!here> <c>', '‹a|b› ‹!here› ‹c›'],
	])('%j becomes %j', (given, expected) => {
		expect(harmless(given)).toBe(expected);
	});

	it('no character is cut in half', () => {
		expect([shortened('aaa😀b', 5), shortened('aaa😀', 5)]).toEqual(['aaa…', 'aaa😀']);
	});

	it('a summary is one line, and making it twice changes nothing', () => {
		fc.assert(
			fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (given) => {
				const line = harmless(given, 200);
				expect(line.length).toBeLessThanOrEqual(200);
				expect(line).not.toMatch(/[<>\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
				expect(harmless(line, 200)).toBe(line);
			}),
		);
	});
});

it('sentences have one full stop, and empty ones are left out', () => {
	expect(sentences('A', undefined, '', 'B.', 'C?', 'D…', false)).toBe('A. B. C? D…');
});

it('a list is a part of a sentence, and a quoted address stays whole', () => {
	expect(listOf(['A', 'B', 'C'])).toBe('A, B and C');
	expect(quote('x'.repeat(45))).toBe(`"${'x'.repeat(45)}"`);
	expect(quote('x'.repeat(46))).toBe(`"${'x'.repeat(44)}…"`);
});

it('a summary leaves out the sentences that do not fit as a whole', () => {
	const long = `${'x'.repeat(250)}.`;
	expect(summaryLine('Sent: A', long, 'y'.repeat(60), 'End')).toBe(`Sent: A. ${long} End.`);
});
