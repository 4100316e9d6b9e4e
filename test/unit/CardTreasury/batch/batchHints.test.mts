import type { ItemResult } from '../../../../nodes/CardTreasury/batch/batch.ts';
import { batchHints } from '../../../../nodes/CardTreasury/batch/batchHints.ts';
import { operationOf } from '../resources/reading.mts';

const done = (attempts: number, json: Record<string, unknown> = {}): ItemResult => ({
	kind: 'done',
	items: [{ json: { id: 'c1' } }, { json }],
	attempts,
});
const unsent: ItemResult = { kind: 'not sent' };
const hintsOf = (...results: ItemResult[]) => batchHints(operationOf('card: get'), results);
const DRY_RUN = 'Dry run: the requests are shown and nothing was sent.';
const LIMIT = "requests were sent, at most 15 per second: that is the service's limit.";

it.each<[string, ItemResult[], object[]]>([
	['nothing of an easy run', [done(1), done(0)], []],
	['that a dry run sent nothing', [done(0), done(0, { dry_run: true })], [{ message: DRY_RUN }]],
	['nothing of an answer that says so itself', [done(1, { dry_run: 'true' })], []],
	[
		'that one was not sent',
		[done(1), unsent],
		[{ message: '1 of 2 items was not sent.', warning: true }],
	],
	[
		'that several were not sent',
		[unsent, done(1), unsent],
		[{ message: '2 of 3 items were not sent.', warning: true }],
	],
	[
		'how many were repeated',
		[done(1), done(2), done(3)],
		[{ message: '2 of 3 items needed more than one attempt.' }],
	],
	['nothing of 15 requests', Array<ItemResult>(15).fill(done(1)), []],
	['the limit from 16 on', Array<ItemResult>(16).fill(done(1)), [{ message: `16 ${LIMIT}` }]],
	[
		'both in one',
		[done(16), unsent],
		[
			{ message: '1 of 2 items was not sent.', warning: true },
			{ message: `1 of 2 items needed more than one attempt. 16 ${LIMIT}` },
		],
	],
])('tells %s', (_, results, hints) => {
	expect(hintsOf(...results)).toEqual(hints);
});

it("gives the operation's own hints for the items that are done", () => {
	const hints = jest.fn(() => [{ message: 'own' }]);
	const operation = { ...operationOf('card: get'), hints };
	expect(batchHints(operation, [done(1), unsent])).toContainEqual({ message: 'own' });
	expect(hints).toHaveBeenCalledWith([[{ id: 'c1' }, {}]]);
});
