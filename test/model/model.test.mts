import type { IExecuteFunctions } from 'n8n-workflow';

import { run } from '../../nodes/CardTreasury/n8n/run.ts';
import type { Action } from './engine.mts';
import { explain } from './explain.mts';
import { search, shrink } from './search.mts';

const HISTORIES = 300;
/** On a busy machine; a quiet one takes a second or two. */
const AT_MOST_MS = 120_000;

it.each([1, 2, 3, 4])(
	'pays nothing twice and says nothing false in 300 histories by chance (%s)',
	async (part) => {
		const first = 1 + (part - 1) * HISTORIES;
		for await (const { seed, history, violations } of search(first, HISTORIES)) {
			const [violation] = violations;
			const shortest = await shrink(history, violation!.hole);
			throw new Error([`seed ${seed}: ${violation?.what}`, ...explain(shortest)].join('\n'));
		}
	},
	AT_MOST_MS,
);

/** The action node in an n8n that lacks something the node stands on. */
const without =
	(changes: (n8n: IExecuteFunctions) => object): Action =>
	async (n8n, state) =>
		await run(Object.assign(Object.create(n8n), changes(n8n)), state);

describe('would notice a node that', () => {
	it.each<[string, Action]>([
		['forgets what it has sent', without(() => ({ getContext: () => ({}) }))],
		['does not know that it is a retry', without(() => ({ getMode: () => 'trigger' }))],
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
		'%s',
		async (_name, action) => {
			const holes = new Set<string>();
			for await (const { violations } of search(1, 1_000, { action })) {
				for (const { what } of violations) holes.add(what.replace(/^.*: /, ''));
				if ([...holes].some((hole) => hole.includes('executed twice'))) break;
			}
			expect([...holes]).toContainEqual(expect.stringContaining('executed twice'));
		},
		AT_MOST_MS,
	);
});
