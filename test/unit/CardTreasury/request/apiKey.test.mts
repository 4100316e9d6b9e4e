import fc from 'fast-check';

import { removerOf } from '../../../../nodes/CardTreasury/request/apiKey.ts';

const KEY = 'sk/live+0123.ok';

it('a reply that is searched in slices loses the same keys as a whole one', async () => {
	const spelled = fc
		.tuple(...Array.from(KEY, (character) => fc.constantFrom(...spellingsOf(character))))
		.map((characters) => characters.join(''));
	const piece = fc.oneof(
		spelled,
		spelled.map((text) => text.slice(1, -1)),
		fc.constantFrom('\\', '\\\\', 's', 'sk/', 'é', '.'),
		fc.string({ maxLength: 5 }),
	);
	const body = fc.array(piece, { maxLength: 8 }).map((pieces) => Buffer.from(pieces.join('')));
	let keys = 0;
	await fc.assert(
		fc.asyncProperty(body, fc.integer({ min: 1, max: 200 }), async (bytes, slice) => {
			const whole = await removerOf(KEY, async () => {})(bytes);
			keys += whole.includes('[API key]') ? 1 : 0;
			expect(whole.toString('latin1')).toBe(
				bytes.toString('latin1').replace(ANY_SPELLING, '[API key]'),
			);
			expect((await removerOf(KEY, async () => {}, slice)(bytes)).equals(whole)).toBe(true);
		}),
		{ numRuns: 500 },
	);
	expect(keys).toBeGreaterThan(50);
});

const spellingsOf = (character: string) => {
	const hex = character.charCodeAt(0).toString(16);
	const plain = /\w/.test(character) ? [character] : [character, `\\${character}`];
	return [...plain, `\\u00${hex}`, `\\u00${hex.toUpperCase()}`];
};

const ANY_SPELLING = new RegExp(
	Array.from(KEY, (character) => {
		const spellings = spellingsOf(character).map((text) => text.replace(/[\\/.+]/g, '\\$&'));
		// The longer spelling first, so that the backslash is removed too.
		return `(?:${spellings.sort((left, right) => right.length - left.length).join('|')})`;
	}).join(''),
	'g',
);

it.each([
	['is as large as a slice', 262_144, 0],
	['is larger than a slice', 262_145, 2],
	['has 20 MB', 20 * 1_048_576, 80],
])('the search pauses before each slice of a reply that %s', async (_, size, pauses) => {
	const pause = jest.fn(async () => {});
	const body = Buffer.alloc(size, '\\');
	expect(await removerOf(KEY, pause)(body)).toBe(body);
	expect(pause).toHaveBeenCalledTimes(pauses);
});
