import { REAL } from '../model/code.mts';
import { isPromised, search } from '../model/histories.mts';

/** Histories of the model with the code as it is, for Stryker, which copies of the code would hide. */
it.each([
	[{ first: 1, histories: 100 }, {}],
	[{ first: 1, histories: 1, isCut: true }, {}],
	[{ first: 1, histories: 50 }, { isOnce: true }],
])('no promise is broken in %j %j', async (range, settings) => {
	const { found } = await search([REAL], range, settings);
	expect([...found].filter(([what]) => isPromised(what))).toEqual([]);
});
