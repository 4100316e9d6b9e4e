import fc from 'fast-check';

const isSurrogate = (codePoint: number) => codePoint >= 0xd800 && codePoint <= 0xdfff;

/** Any character there is. The `binary` of fast-check is the same, but takes more than a second to be made. */
export const anyCharacter = fc
	.integer({ min: 0, max: 0x10ffff })
	.filter((codePoint) => !isSurrogate(codePoint))
	.map((codePoint) => String.fromCodePoint(codePoint));
