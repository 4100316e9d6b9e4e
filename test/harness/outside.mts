import fc from 'fast-check';

/** Texts from outside: ones that attack a chat message, a table or a mail, and ordinary ones. */
export const outside = fc.oneof(
	fc.string({ unit: 'binary', maxLength: 300 }),
	fc.string({
		unit: fc.constantFrom(
			'<',
			'>',
			'!channel',
			'@here',
			'|',
			'\n',
			'\u2028',
			'\u202E',
			'\u200B',
			'\0',
			'a ',
			'😀',
			'\uD800',
		),
		maxLength: 60,
	}),
	fc.constantFrom('<https://evil.example|Your bank>', '<!channel>', '@channel', 'x'.repeat(400)),
);

/** Fails if the text is empty, could break a line, hide or reverse something, or be executed by Slack. */
export function expectHarmless(text: string): void {
	expect(text).not.toBe('');
	expect(text).not.toMatch(/[\r\n\u2028\u2029]|\p{Cc}|\p{Cf}|\p{Cs}/u);
	expect(text).not.toMatch(/[<>]|@(channel|here|everyone)/i);
}
