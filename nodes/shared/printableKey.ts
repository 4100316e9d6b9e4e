/** Class of the characters that a header can carry, for a pattern. */
const PRINTABLE = '[ -~]';

/** Pattern of a key that a header can carry. Outer white space is trimmed before the key is used. */
export const PRINTABLE_KEY = `^\\s*${PRINTABLE}*\\s*$`;

/**
 * Returns the position of the first character that a header cannot carry. A header with it would seem an unreachable
 * service, or would match no delivery.
 * @param key trimmed
 */
export function unprintableIn(key: string): number | undefined {
	const [printable] = new RegExp(`^${PRINTABLE}*`).exec(key)!;
	return printable.length === key.length ? undefined : printable.length + 1;
}
