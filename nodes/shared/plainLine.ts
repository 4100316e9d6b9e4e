/** Maximum length of a summary, in characters, so that it fits into one line of a message. */
export const SUMMARY_LENGTH = 200;

/** Control and invisible characters, which can hide text or reverse its direction. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/** Words by which Slack notifies a whole channel if a message asks for linked names. */
const CHANNEL_MENTION = /@(?=channel|here|everyone)/gi;

/**
 * Makes a text from outside harmless in a message. The text stays on one line, and cannot address a channel or show a
 * false link in Slack, because those need `<` and `>`, or `@`.
 */
export function harmless(text: string, maxLength = 80): string {
	const plain = text.replace(/\s/g, ' ').replace(INVISIBLE, '').replace(/ +/g, ' ').trim();
	const shown = plain.replaceAll('<', '‹').replaceAll('>', '›').replace(CHANNEL_MENTION, '＠');
	return shortened(shown, maxLength);
}

/** Text of a value from outside. Never throws, as `String` does for an object that has a `toString` of its own. */
export const textOf = (value: unknown): string =>
	typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);

/** Makes a summary: one harmless line of at most 200 characters. */
export function summaryLine(text: string): string {
	return harmless(text, SUMMARY_LENGTH);
}

/** Shortens a text to at most this many UTF-16 units, with an ellipsis. */
export function shortened(text: string, maxLength: number): string {
	if (text.length <= maxLength) return text;
	// A character outside the Basic Multilingual Plane is not cut in half.
	return `${text.slice(0, maxLength - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

const LIST = new Intl.ListFormat('en-GB');

/** Texts as a part of a sentence, e.g. "A, B and C". */
export const listOf = (texts: string[]): string => LIST.format(texts);

/** Text with a full stop at its end. */
export const sentence = (text: string): string =>
	text === '' || /[.!?…:]$/.test(text) ? text : `${text}.`;
