/** Texts from outside in messages. */

/** Longest summary, so that it fits into one line of a message. */
const SUMMARY_LENGTH = 300;

/** Control and invisible characters, which can hide text or reverse its direction. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/** Signs of Slack's links and channel mentions, and of what n8n makes such signs and line breaks of when it asks. */
const MARKUP = /[<>]|@(?=channel|here|everyone)|&(?=(?:amp|lt|gt|quot|#39);)|\\(?=n)/gi;
const SHOWN: Record<string, string> = { '<': '‹', '>': '›', '@': '＠', '&': '＆', '\\': '＼' };

/** Makes a text harmless: one line, without links, mentions and line breaks in Slack. */
export function harmless(text: string, maxLength = SUMMARY_LENGTH): string {
	// Cut first, because the page of a broken proxy may have many megabytes.
	const plain = text
		.slice(0, 10 * maxLength)
		.replace(/\s/g, ' ')
		.replace(INVISIBLE, '')
		.replace(/ +/g, ' ')
		.trim();
	const shown = plain.replace(MARKUP, (sign) => SHOWN[sign]!);
	return shortened(shown, maxLength);
}

/** Text of a value from outside, without exponent. `String` would throw for an object with a `toString` of its own. */
export const textOf = (value: unknown): string =>
	typeof value === 'object' && value !== null
		? JSON.stringify(value)
		: typeof value === 'number'
			? String(value).replace(EXPONENT, withoutExponent)
			: String(value);

/** E.g. `1.5e-7`. A number so large that it has an exponent has lost digits. */
const EXPONENT = /(\d)\.?(\d*)e-(\d+)$/;

const withoutExponent = (_: string, first: string, others: string, power: string) =>
	`0.${'0'.repeat(Number(power) - 1)}${first}${others}`;

/** Shortens a text to at most this many UTF-16 units, with an ellipsis. */
export function shortened(text: string, maxLength: number): string {
	if (text.length <= maxLength) return text;
	// A character outside the Basic Multilingual Plane is not cut in half.
	return `${text.slice(0, maxLength - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** Entered value in a message. An address stays whole. */
export const quote = (text: string): string => JSON.stringify(shortened(text, 45));

/** Texts as a part of a sentence, e.g. "A, B and C". */
export const listOf = (texts: string[]): string => new Intl.ListFormat('en-GB').format(texts);

/** Part of a message. Anything but a text that is not empty is left out. */
type Part = string | number | false | null | undefined;

/** Joins sentences, and adds missing full stops. */
export const sentences = (...parts: Part[]): string =>
	parts
		.filter((part) => typeof part === 'string' && part !== '')
		.map((part) => (/[.!?…:]$/.test(String(part)) ? part : `${String(part)}.`))
		.join(' ');

/** One harmless line that can be posted: the first sentence, and of the others those that still fit as a whole. */
export const summaryLine = (first: string, ...others: Part[]): string =>
	others.reduce<string>(
		(line, part) => {
			const longer = harmless(sentences(line, part), Infinity);
			return longer.length > SUMMARY_LENGTH ? line : longer;
		},
		harmless(sentences(first)),
	);

/** Both ends of an address. */
export const shortAddress = (address: string): string =>
	`${address.slice(0, 6)}…${address.slice(-4)}`;
