import fc from 'fast-check';

import { takeTurns } from '../../../nodes/service/takeTurns.ts';

/** Lets everything run that waits for nothing. */
const settle = async () => await new Promise((resolve) => setImmediate(resolve));

it('starts all work in order, at most so much at a time, whatever fails and in whatever order it ends', async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.integer({ min: 1, max: 4 }),
			fc.array(fc.record({ fails: fc.boolean(), priority: fc.integer() }), { maxLength: 20 }),
			async (most, works) => {
				const inTurn = takeTurns(most);
				const started: number[] = [];
				const open = new Map<number, () => void>();
				const ends = works.map(
					async ({ fails }, index) =>
						await inTurn(async () => {
							started.push(index);
							await new Promise<void>((resolve, reject) =>
								open.set(index, fails ? () => reject(new Error(String(index))) : resolve),
							);
							return index;
						}).catch((error: Error) => `failed ${error.message}`),
				);
				expect(started).toEqual([]);
				for (let ended = 0; ended < works.length; ended++) {
					await settle();
					expect(open.size).toBe(Math.min(most, works.length - ended));
					const [next] = [...open.keys()].sort(
						(left, right) => works[left]!.priority - works[right]!.priority,
					);
					open.get(next!)!();
					open.delete(next!);
				}
				expect(await Promise.all(ends)).toEqual(
					works.map(({ fails }, index) => (fails ? `failed ${index}` : index)),
				);
				expect(started).toEqual(works.map((_, index) => index));
			},
		),
	);
});
