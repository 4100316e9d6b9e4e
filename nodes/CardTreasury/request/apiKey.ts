import type { Pause } from '../../shared/clock';

/** Shorter keys are not removed. No real key is shorter, and a short one could be part of ordinary words. */
const SHORTEST_KEY = 12;

/** Bytes of a reply that are searched at once. */
const SLICE = 256 * 1024;

/**
 * Returns a function that removes the API key from a reply. Some services repeat a rejected key, and replies reach
 * items, messages and agents.
 * @param slice smaller slices let tests cut a reply at more places
 */
export function removerOf(
	apiKey: string,
	pause: Pause,
	slice = SLICE,
): (body: Buffer) => Promise<Buffer> {
	if (apiKey.length < SHORTEST_KEY) return async (body) => body;
	const escapes = anyEscapeOf(apiKey);
	const longest = LONGEST_ESCAPE.length * apiKey.length;
	return async (body) => {
		const kept: Buffer[] = [];
		// End of the last key that was found, or 0.
		let end = 0;
		for (let start = 0; start < body.length; start += slice) {
			if (body.length > slice) await pause();
			// A key that begins in this slice may end in the next one.
			const bytes = body.subarray(start, start + slice + longest);
			if (!bytes.includes(apiKey) && !bytes.includes('\\')) continue;
			// The key is ASCII, so Latin-1 keeps the places of all bytes, also those of a file.
			const text = bytes.toString('latin1');
			escapes.lastIndex = Math.max(0, end - start);
			for (let found = escapes.exec(text); found !== null; found = escapes.exec(text)) {
				if (found.index >= slice) break;
				kept.push(body.subarray(end, start + found.index), MASK);
				end = start + escapes.lastIndex;
			}
		}
		return end === 0 ? body : Buffer.concat([...kept, body.subarray(end)]);
	};
}

const MASK = Buffer.from('[API key]');
const LONGEST_ESCAPE = '\\u00xx';

/** Pattern of an ASCII text in JSON: each character as it is, after a backslash, or as \u00xx. */
function anyEscapeOf(text: string): RegExp {
	const characters = Array.from(text, (character) => {
		const hex = character.charCodeAt(0).toString(16);
		const anyCase = hex.replace(/[a-f]/, (digit) => `[${digit}${digit.toUpperCase()}]`);
		// A backslash before a letter or digit never stands for that letter or digit.
		const backslash = /\w/.test(character) ? '' : '\\\\?';
		return `(?:${backslash}\\x${hex}|\\\\u00${anyCase})`;
	});
	return new RegExp(characters.join(''), 'g');
}
