import {
	unusable,
	type EndedRow,
	type ItemResult,
} from '../../../../nodes/CardTreasury/batch/batch.ts';
import { accountOf, businessKeysOf, hintsOf } from '../../../../nodes/CardTreasury/batch/report.ts';
import { adviceOf } from '../../../../nodes/CardTreasury/n8n/render.ts';
import type { Outcome } from '../../../../nodes/CardTreasury/request/errors.ts';
import { InvalidFieldError } from '../../../../nodes/shared/fields/invalidField.ts';
import { operationOf } from '../operations/reading.mts';
import {
	answered,
	cardOf,
	documentOf,
	Execution,
	failed,
	postOf,
	transferOf,
	type Ended,
} from './batches.mts';

const report = ({ rows, batch }: Ended) => accountOf(rows, batch);
const lastLine = (ended: Ended) => report(ended)?.split('\n').at(-1);

/** A run whose items end as given; what is not given is not sent. */
async function ended(
	outcomes: Array<Outcome | undefined>,
	more: Parameters<Execution['run']>[1] = {},
	options: object = {},
): Promise<Ended> {
	const execution = new Execution('wallet: transfer');
	const item = (index: number) =>
		transferOf(
			`${index + 1}`,
			'idempotencyKey' in options ? { idempotencyKey: `own-${index}` } : options,
		);
	return await execution.run(
		outcomes.map((_, index) => item(index)),
		{
			client: {
				send: async ({ request }) => {
					const index = Number(JSON.stringify(request.body).match(/"text":"(\d+)"/)?.[1]) - 1;
					const outcome = outcomes[index];
					if (outcome === undefined) return { kind: 'stopped' };
					return outcome === 'accepted' ? answered() : failed(outcome);
				},
			},
			...more,
		},
	);
}

it('tells each outcome in a line of its own, and what to do next', async () => {
	const four = Array<Outcome>(4).fill('accepted');
	expect(report(await ended([...four, 'rejected', 'unknown', undefined, undefined]))).toBe(
		`
Items 0 to 3 were accepted.
Item 4 was rejected.
Item 5 may have been executed.
Items 6 and 7 were not sent.
(n8n counts items from 0.)
Retrying this execution does not repeat the accepted items. In a new execution, leave out the accepted items and the items that may have been executed.`,
	);
});

it('says nothing of a single item or of reads', async () => {
	expect(report(await ended(['rejected']))).toBeUndefined();
	const reads = new Execution('card: get', () => failed('rejected'));
	expect(report(await reads.run([cardOf('c1'), cardOf('c2')]))).toBeUndefined();
});

it('says that nothing was sent', async () => {
	const refused = await new Execution('wallet: transfer').run([
		transferOf('1'),
		transferOf('x'),
		transferOf('3'),
	]);
	expect(report(refused)).toBe(
		'\nNothing was sent for any of the 3 items.\n(n8n counts items from 0.)',
	);
});

it('gives no next step while nothing can have been executed', async () => {
	expect(report(await ended(['rejected', undefined]))).toBe(
		'\nItem 0 was rejected.\nItem 1 was not sent.\n(n8n counts items from 0.)',
	);
});

const OWN_KEY =
	'Items may be sent again with the same Idempotency Key: the service executes each only once, as long as it remembers the key.';
const NEW = 'A new execution would send all of them again: leave out the accepted items.';
const RETRY =
	'Retrying this execution does not repeat the accepted items. In a new execution, leave out the accepted items.';

describe('the next step', () => {
	it.each([
		['retry', {}, RETRY],
		['retry', { idempotencyKey: true }, OWN_KEY],
		['copied key', {}, NEW],
		['copied key', { idempotencyKey: true }, OWN_KEY],
		['tool call', {}, NEW],
	] as const)('can be followed: %s, %j', async (recovery, options, advice) => {
		expect(lastLine(await ended(['accepted', 'rejected'], { recovery }, options))).toBe(advice);
	});

	it('is not to send again what carries a key that the service may not know', async () => {
		const execution = new Execution('endpoint: request', (_work, before) =>
			before === 0 ? answered() : failed('rejected'),
		);
		const posts = ['{"a":1}', '{"a":2}'].map((body) => postOf(body));
		expect(lastLine(await execution.run(posts))).toBe(RETRY);
		const documents = new Execution('productRequest: submitDocument', ({ request }) =>
			request.method === 'GET'
				? answered(['pr-1', 'pr-2'].map((id) => ({ id, status: 'pending_documentation' })))
				: request.path.includes('pr-2')
					? failed('rejected')
					: answered({}),
		);
		const more = { recovery: 'copied key' as const };
		const both = [documentOf('pr-1'), documentOf('pr-2')];
		expect(lastLine(await documents.run(both, more))).toBe(NEW);
	});

	it('is not to send again where only some items carry a key of their own', async () => {
		const execution = new Execution('wallet: transfer', (_work, before) =>
			before === 0 ? answered() : failed('rejected'),
		);
		const items = [transferOf('1', { idempotencyKey: 'own' }), transferOf('2')];
		expect(lastLine(await execution.run(items))).toBe(RETRY);
	});

	it("is not to send again under the user's own keys after another run, whose keys may have been others", async () => {
		const execution = new Execution('wallet: transfer');
		const why = new InvalidFieldError('This retry', 'comes second', 'Retry the latest.');
		const own = ['a', 'b'].map((idempotencyKey) => transferOf('1', { idempotencyKey }));
		const refused = await execution.run(own, {
			isRetry: true,
			begin: async () => ({ kind: 'refused', why }),
		});
		expect(lastLine(refused)).toBe(
			'A new execution would send all of them again: leave out the items that may have been executed.',
		);
	});

	it('nor where another run may have sent only some of the items', async () => {
		const execution = new Execution('wallet: transfer', (_work, before) =>
			before === 0 ? answered() : failed('rejected'),
		);
		const own = ['a', 'b'].map((idempotencyKey) => transferOf('1', { idempotencyKey }));
		await execution.run(own);
		const why = new InvalidFieldError('This retry', 'comes second', 'Retry the latest.');
		const refused = await execution.run(own, {
			isRetry: true,
			begin: async () => ({ kind: 'refused', why }),
		});
		expect(lastLine(refused)).toBe(
			'A new execution would send all of them again: leave out the accepted items and the items that may have been executed.',
		);
	});

	it('is not to retry after another run has continued the same state', async () => {
		const execution = new Execution('wallet: transfer', () => failed('unknown'));
		const why = new InvalidFieldError('This retry', 'comes second', 'Retry the latest.');
		const refused = await execution.run([transferOf('1'), transferOf('2')], {
			isRetry: true,
			begin: async () => ({ kind: 'refused', why }),
		});
		expect(report(refused)).toBe(`
Items 0 and 1 may have been executed.
(n8n counts items from 0.)
A new execution would send all of them again: leave out the items that may have been executed.`);
	});
});

describe('what an earlier try has done is told, whatever refuses the items now', () => {
	const items = [transferOf('1'), transferOf('2'), transferOf('3')];
	const limited = (options: object) => ['1', '2', '3'].map((amount) => transferOf(amount, options));
	const STATED = `
Item 0 was accepted.
Item 1 was rejected.
Item 2 may have been executed.
(n8n counts items from 0.)
Retrying this execution does not repeat the accepted items. In a new execution, leave out the accepted items and the items that may have been executed.`;

	it.each<[string, Parameters<Execution['run']>]>([
		['a guard', [limited({ maximumAmount: '0.5' })]],
		['the Maximum Total', [limited({ maximumTotal: '0.5' })]],
		['one key for all', [limited({ idempotencyKey: 'a' })]],
		['other values', [['7', '8', '9'].map((amount) => transferOf(amount))]],
		['values that cannot be read', [['x', 'y', 'z'].map((amount) => transferOf(amount))]],
		[
			'a credential that cannot be read',
			[items, { service: unusable(new InvalidFieldError('Base URL', 'is empty', 'Enter it.')) }],
		],
		['another credential', [items]],
		[
			'another operation',
			[
				Array.from({ length: 3 }, () => postOf('{')),
				{ operation: operationOf('endpoint: request') },
			],
		],
	])('%s', async (name, again) => {
		const execution = new Execution(
			'wallet: transfer',
			(_work, before) =>
				[answered(), failed('rejected'), failed('unknown')][before] ?? failed('not_sent'),
		);
		await execution.run(items, { continueOnFail: true });
		if (name === 'another credential') execution.target = 'target-2';
		const refused = await execution.run(...again);
		expect(refused.rows.some(({ result }) => result?.kind === 'failed')).toBe(true);
		expect(refused.outcomes).toEqual(['accepted', 'rejected', 'unknown']);
		expect(report(refused)).toBe(STATED);
		expect(execution.sent).toHaveLength(3);
	});
});

it('lists items in ranges, and only the first twenty of them', async () => {
	const lines = report(
		await ended([
			'accepted',
			'accepted',
			'accepted',
			undefined,
			'accepted',
			undefined,
			undefined,
			'accepted',
			'accepted',
		]),
	)?.split('\n');
	expect(lines?.[1]).toBe('Items 0 to 2, 4, 7 and 8 were accepted.');
	expect(lines?.[2]).toBe('Items 3, 5 and 6 were not sent.');
	const alternating = (length: number) =>
		Array.from({ length }, (_, index) => (index % 2 ? undefined : ('accepted' as const)));
	expect(report(await ended(alternating(40)))).toContain('36 and 38 were accepted.');
	expect(report(await ended(alternating(60)))).toContain(
		'Items 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30, 32, 34, 36, 38 and more were accepted.',
	);
});

it.each<[Outcome, string]>([
	['accepted', 'An earlier try of this execution was accepted, and it is not sent again.'],
	['rejected', 'An earlier try of this execution was rejected.'],
	['unknown', 'An earlier try of this execution may have been executed.'],
	['not_sent', 'Nothing was sent.'],
])('an item that is refused says what became of it: %s', (outcome, said) => {
	expect(adviceOf(new InvalidFieldError('Amount', 'is empty', 'Enter it.'), outcome)).toBe(
		`Enter it. ${said}`,
	);
	const request = failed(outcome);
	expect(request.kind === 'failed' && adviceOf(request.failure, outcome)).toBe('Fix it.');
});

describe('the hints', () => {
	const done = (attempts: number, json: Record<string, unknown> = {}): ItemResult => ({
		kind: 'done',
		items: [json],
		attempts,
	});
	const rowsOf = (results: Array<ItemResult | undefined>) =>
		results.map((result, index) => ({ index, result, outcome: 'not_sent' }) as EndedRow);
	const DRY_RUN = 'Dry run: the requests are shown and nothing was sent.';
	const LIMIT = "requests were sent, at most 15 per second: that is the service's limit.";

	it.each<[string, Array<ItemResult | undefined>, object[]]>([
		['nothing of an easy run', [done(1), done(0)], []],
		['that a dry run sent nothing', [done(0, { dry_run: true })], [{ message: DRY_RUN }]],
		[
			'which of the items were a dry run',
			[done(1), done(0, { dry_run: true }), done(0, { dry_run: true })],
			[{ message: DRY_RUN.replace('run', 'run of 2 of 3 items').replace('sent', 'sent for them') }],
		],
		['nothing of an answer that says so itself', [done(1, { dry_run: 'true' })], []],
		[
			'that one was not sent',
			[done(1), undefined],
			[{ message: 'Items not sent: 1 of 2.', type: 'warning' }],
		],
		[
			'that several were not sent',
			[undefined, done(1), undefined],
			[{ message: 'Items not sent: 2 of 3.', type: 'warning' }],
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
			[done(16), undefined],
			[
				{ message: 'Items not sent: 1 of 2.', type: 'warning' },
				{ message: `1 of 2 items needed more than one attempt. 16 ${LIMIT}` },
			],
		],
	])('tell %s', (_, results, hints) => {
		const run = { operation: operationOf('card: get'), recovery: 'retry' as const };
		expect(hintsOf(rowsOf(results), run)).toEqual(hints);
	});

	it('count nothing as not sent that may have been executed before', () => {
		const rows = rowsOf([undefined, undefined]).map((row) => ({
			...row,
			outcome: 'unknown' as const,
		}));
		const run = { operation: operationOf('card: freeze'), recovery: 'retry' as const };
		expect(hintsOf(rows, run)).toEqual([]);
	});

	it("give the operation's own for the items that are done", () => {
		const hints = jest.fn(() => [{ message: 'own' }]);
		const operation = { ...operationOf('card: get'), hints };
		expect(hintsOf(rowsOf([done(1), undefined]), { operation })).toContainEqual({ message: 'own' });
		expect(hints).toHaveBeenCalledWith([[{}]]);
	});
});

it('the business keys are the IDs of the first item that can be read, and the latest trace ID', async () => {
	const execution = new Execution('card: freeze', (_work, before) =>
		before === 0 ? failed('rejected', { traceId: 'trace-2' }) : failed('rejected'),
	);
	const items = ['', 'c1', 'c2'].map((card) => cardOf(card));
	const keys = async () => {
		const { rows } = await execution.run(items, { continueOnFail: true });
		return businessKeysOf(rows);
	};
	expect(await keys()).toEqual({ card_id: 'c1', trace_id: 'trace-2' });
	// Of two, the latest.
	execution.service = (_work, before) => failed('rejected', { traceId: `trace-${before}` });
	expect(await keys()).toMatchObject({ trace_id: 'trace-3' });
	execution.service = () => answered();
	expect(await keys()).toEqual({ card_id: 'c1', trace_id: 'trace-1' });
});
