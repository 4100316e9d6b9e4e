import fc from 'fast-check';

import { PRINTABLE_KEY, unprintableIn } from '../../../nodes/shared/printableKey.ts';

it.each([
	['key-1 ~', undefined],
	['k\ty', 2],
	['ke\u0443', 3],
	['\u007f', 1],
	['', undefined],
])('the key %j has its first unprintable character at %p', (key, position) => {
	expect(unprintableIn(key)).toBe(position);
});

it("the pattern of the credential test refuses the same keys as the node's check", () => {
	const character = fc.oneof(
		fc.constantFrom('a', ' ', '~', '\t', '\n', '\u00a0', '\u200b', '\u007f'),
		fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
	);
	fc.assert(
		fc.property(fc.string({ unit: character, maxLength: 6 }), (key) => {
			expect(new RegExp(PRINTABLE_KEY).test(key)).toBe(unprintableIn(key.trim()) === undefined);
		}),
	);
});
