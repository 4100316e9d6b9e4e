/** Characters that show nothing, or not what they are. Two texts that look the same would be two values. */

import type { Problem } from './invalidField';

/** Control and invisible characters, except white space. Half of a surrogate pair cannot be encoded. */
const INVISIBLE = /\ufeff|(?!\s)[\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** The same, and all white space but the ordinary space. */
const INVISIBLE_OR_SPACE = new RegExp(`${INVISIBLE.source}|[^\\S ]`, 'u');

/** Joiners between two letters, and the selector after a symbol. Persian and Hindi names, and emojis, need them. */
const SPELLING =
	/(?<=[\p{L}\p{M}\p{S}\ufe0f])[\u200c\u200d](?=[\p{L}\p{S}])|(?<=[\p{S}\d#*])[\ufe0e\ufe0f]/gu;

/**
 * Reason and fix of a text with an invisible character, with its code and position.
 * @param kind `name`: white space counts as it is compared, by its own rule; `ID`: only ordinary spaces are allowed;
 *   `text`: characters that spelling needs are allowed
 */
export function invisibleProblem(
	text: string,
	kind: 'ID' | 'name' | 'text' = 'name',
): Problem | undefined {
	// A replacement of the same length keeps the positions.
	const looked = kind === 'text' ? text.replace(SPELLING, 'x') : text;
	const found = (kind === 'ID' ? INVISIBLE_OR_SPACE : INVISIBLE).exec(looked);
	if (found === null) return undefined;
	const code = (found[0].codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
	const position = [...text.slice(0, found.index)].length + 1;
	return [
		`holds an invisible character: U+${code} at position ${position}`,
		'Type it instead of pasting it, or clean it in the node before.',
	];
}

/** True if nothing of a text can be seen. U+3164 is a letter that shows nothing. */
export function isUnseen(text: string): boolean {
	return /^[\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]*$/u.test(text);
}
