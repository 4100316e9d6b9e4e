import { HISTORIES } from './histories.mts';
import { violationsOf } from './search.mts';

it.each(Object.entries(HISTORIES))('%s', async (_name, history) => {
	expect(await violationsOf(history)).toEqual([]);
});
