import fc from 'fast-check';

const isSurrogate = (codePoint: number) => codePoint >= 0xd800 && codePoint <= 0xdfff;

/** Any Unicode character. Equals fast-check's `binary`, which takes more than a second to build. */
export const anyCharacter = fc
	.integer({ min: 0, max: 0x10ffff })
	.filter((codePoint) => !isSurrogate(codePoint))
	.map((codePoint) => String.fromCodePoint(codePoint));
