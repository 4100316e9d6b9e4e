import fc from 'fast-check';

import { harmless, shortened, summaryLine } from '../../../nodes/shared/plainLine.ts';

describe('text from outside in a summary', () => {
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
	])('%j becomes %j', (text, expected) => {
		expect(harmless(text)).toBe(expected);
	});

	it('a summary is one line of at most 200 characters, and making it twice changes nothing', () => {
		fc.assert(
			fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (text) => {
				const line = summaryLine(text);
				expect(line.length).toBeLessThanOrEqual(200);
				expect(line).not.toMatch(/[<>\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
				expect(summaryLine(line)).toBe(line);
			}),
		);
	});
});

it('every sign of a link is replaced, and no character is cut in half', () => {
	expect(harmless('<a|b> <!here> <c>')).toBe('‹a|b› ‹!here› ‹c›');
	expect(shortened('aaa😀b', 5)).toBe('aaa…');
	expect(shortened('aaa😀', 5)).toBe('aaa😀');
});
