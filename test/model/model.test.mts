import type { IExecuteFunctions } from 'n8n-workflow';

import { run } from '../../nodes/CardTreasury/n8n/run.ts';
import type { Action } from './engine.mts';
import { FAULTS, withFault } from './faults.mts';
import { HISTORIES } from './histories.mts';
import { play, search, shrink, violationsOf } from './search.mts';

/** Milliseconds on a busy machine. An idle one needs a few seconds. */
const AT_MOST_MS = 120_000;

describe('payments', () => {
	it(
		'each one is executed once and reported truthfully in 400 random histories',
		async () => {
			for await (const { seed, history, violations } of search(1, 400)) {
				const [violation] = violations;
				const { checks } = await play(await shrink(history, violation!.hole));
				throw new Error([`seed ${seed}: ${violation?.what}`, ...checks.lines].join('\n'));
			}
		},
		AT_MOST_MS,
	);

	it.each(Object.entries(HISTORIES))(
		'no promise is broken in a history that once broke one: %s',
		async (_name, history) => {
			expect(await violationsOf(history)).toEqual([]);
		},
	);
});

/** Action node in an n8n without something that the node needs. */
const without =
	(changes: (n8n: IExecuteFunctions) => object): Action =>
	async (n8n, state) =>
		await run(Object.assign(Object.create(n8n), changes(n8n)), state);

describe('model', () => {
	it.each<[string, Action]>([
		['does not see that an execution is a retry', without(() => ({ getMode: () => 'trigger' }))],
		[
			'finds none of its notes',
			without(({ helpers }) => ({
				helpers: {
					...helpers,
					checkProcessedAndRecord: async (entries: string[]) => ({ new: entries, processed: [] }),
				},
			})),
		],
	])(
		'it notices a node that %s',
		async (_name, action) => {
			const found = await search(1, 400, { action }).next();
			expect(found.value).toBeDefined();
		},
		AT_MOST_MS,
	);

	it.each(Object.keys(FAULTS))('this fault can be put into the node: %s', (name) => {
		expect(withFault(name).code).not.toBe('');
	});
});
