import {
	unusable,
	type EndedRow,
	type Result,
} from '../../../../nodes/CardTreasury/batch/batch.ts';
import { adviceOf } from '../../../../nodes/CardTreasury/batch/outcome.ts';
import { accountOf, businessKeysOf, hintsOf } from '../../../../nodes/CardTreasury/batch/report.ts';
import type { Outcome } from '../../../../nodes/CardTreasury/request/errors.ts';
import { InvalidFieldError } from '../../../../nodes/shared/fields/invalidField.ts';
import { operationOf } from '../operations/reading.mts';
import { answered, cardOf, Execution, failed, postOf, transferOf, type Ended } from './batches.mts';

const COUNTED = "(Items are counted from 1, in n8n's headline from 0.)";
const report = ({ rows, batch }: Ended) => accountOf(rows, batch);
const lastLine = (ended: Ended) => report(ended)?.split('\n').at(-1);

/** A run whose items end as given; what is not given is not sent. */
async function ended(
	outcomes: Array<Outcome | undefined>,
	more: Parameters<Execution['run']>[1] = {},
	options: object = {},
): Promise<Ended> {
	const execution = new Execution('wallet: transfer');
	const item = (index: number) => transferOf(`${index + 1}`, options);
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

it('the report has a line per outcome, and the next step', async () => {
	const four = Array<Outcome>(4).fill('accepted');
	expect(report(await ended([...four, 'rejected', 'unknown', undefined, undefined]))).toBe(
		`
Items 1 to 4 were accepted.
Item 5 was rejected.
Item 6 may have been executed.
Items 7 and 8 were not sent.
(Items are counted from 1, in n8n's headline from 0.)
Correct the cause and run it again: what was accepted is not sent twice.`,
	);
});

it('the report is empty for a single item', async () => {
	expect(report(await ended(['rejected']))).toBeUndefined();
});

it('the report states that nothing was sent', async () => {
	const refused = await new Execution('wallet: transfer').run([
		transferOf('1'),
		transferOf('x'),
		transferOf('3'),
	]);
	expect(report(refused)).toBe(
		`
Nothing was sent for any of the 3 items.
(Items are counted from 1, in n8n's headline from 0.)
Settings → On Error → Continue sends the others.`,
	);
});

it('the report suggests Continue only if an item would be sent', async () => {
	const refused = await new Execution('wallet: transfer').run([transferOf('x'), transferOf('y')]);
	expect(report(refused)).toBe(`\nNothing was sent for any of the 2 items.\n${COUNTED}`);
});

describe('report of a read', () => {
	const read = async (count: number) =>
		report(
			await new Execution('card: get', (_work, before) =>
				before === 0 ? failed('not_sent') : answered({}),
			).run(Array.from({ length: count }, (_, index) => cardOf(`c${index}`))),
		);

	it('the report names the setting that returns the other items', async () => {
		expect(await read(4)).toBe(
			'\nThe other 3 items were not returned. Settings → On Error → Continue returns them.',
		);
		expect(await read(2)).toBe(
			'\nThe other item was not returned. Settings → On Error → Continue returns it.',
		);
	});

	it('the report is empty if no other item would be returned', async () => {
		expect(await read(1)).toBeUndefined();
		const service = unusable(new InvalidFieldError('Base URL', 'is empty', 'Enter it.'));
		const unread = await new Execution('card: get').run([cardOf('a'), cardOf('b')], { service });
		expect(report(unread)).toBeUndefined();
	});
});

it('the report has no next step if nothing can have been executed', async () => {
	expect(report(await ended(['rejected', undefined]))).toBe(
		`\nItem 1 was rejected.\nItem 2 was not sent.\n${COUNTED}`,
	);
});

describe('next step', () => {
	const AGAIN = 'Correct the cause and run it again: what was accepted is not sent twice.';
	const LEAVE_OUT =
		'Retrying this execution does not repeat the accepted items. In a new execution, leave out the items that were accepted or may have been executed.';

	it('the account does not say to run payments again that all may have been executed', async () => {
		expect(lastLine(await ended(['unknown', 'unknown']))).toBe(COUNTED);
	});

	it('the account says to run payments again', async () => {
		expect(lastLine(await ended(['accepted', 'rejected']))).toBe(AGAIN);
	});

	it('the account says to run a FAILED payment again under a new reference', async () => {
		expect(lastLine(await ended(['failed', 'accepted', 'rejected']))).toBe(
			'Correct the cause, give what FAILED a new reference, and run it again: what was accepted is not sent twice.',
		);
	});

	it('the account says to leave out accepted payments if n8n keeps no memory', async () => {
		expect(lastLine(await ended(['accepted', 'rejected'], { notes: undefined }))).toBe(LEAVE_OUT);
	});

	it('the account says to run state changes again', async () => {
		const execution = new Execution('card: freeze', (_work, before) =>
			before === 0 ? answered({}) : failed('rejected'),
		);
		expect(lastLine(await execution.run([cardOf('c1'), cardOf('c2')]))).toBe(
			'Correct the cause and run it again: each item sets its value once more.',
		);
	});

	it('accepted writes without a key are to be left out', async () => {
		const execution = new Execution('endpoint: request', (_work, before) =>
			before === 0 ? answered() : failed('rejected'),
		);
		const posts = ['{"a":1}', '{"a":2}'].map((body) => postOf(body));
		expect(lastLine(await execution.run(posts))).toBe(LEAVE_OUT);
	});
});

describe('outcomes of an earlier run', () => {
	const items = [transferOf('1'), transferOf('2'), transferOf('3')];
	const limited = (options: object) => ['1', '2', '3'].map((amount) => transferOf(amount, options));
	const STATED = `
Item 1 was accepted.
Item 2 was rejected.
Item 3 may have been executed.
(Items are counted from 1, in n8n's headline from 0.)
`;

	it.each<[string, Parameters<Execution['run']>]>([
		['a guard', [limited({ maximumAmount: '0.5' })]],
		['the Maximum Total', [limited({ maximumTotal: '0.5' })]],
		['other values', [['7', '8', '9'].map((amount) => transferOf(amount))]],
		[
			'a credential that cannot be read',
			[items, { service: unusable(new InvalidFieldError('Base URL', 'is empty', 'Enter it.')) }],
		],
		[
			'another operation',
			[
				Array.from({ length: 3 }, () => postOf('{')),
				{ operation: operationOf('endpoint: request') },
			],
		],
	])('%s', async (_, again) => {
		const execution = new Execution(
			'wallet: transfer',
			(_work, before) =>
				[answered(), failed('rejected'), failed('unknown')][before] ?? failed('not_sent'),
		);
		await execution.run(items, { continueOnFail: true });
		const refused = await execution.run(...again);
		expect(refused.rows.some(({ result }) => result.kind === 'failed')).toBe(true);
		expect(refused.outcomes).toEqual(['accepted', 'rejected', 'unknown']);
		expect(report(refused)).toContain(STATED);
		expect(execution.sent).toHaveLength(3);
	});
});

it('the report lists items as ranges, at most twenty of them', async () => {
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
	expect(lines?.[1]).toBe('Items 1 to 3, 5, 8 and 9 were accepted.');
	expect(lines?.[2]).toBe('Items 4, 6 and 7 were not sent.');
	const alternating = (length: number) =>
		Array.from({ length }, (_, index) => (index % 2 ? undefined : ('accepted' as const)));
	expect(report(await ended(alternating(40)))).toContain('37 and 39 were accepted.');
	expect(report(await ended(alternating(60)))).toContain(
		'Items 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31, 33, 35, 37, 39 and more were accepted.',
	);
});

it.each<[Outcome, string, string]>([
	['accepted', 'An earlier try of this execution was accepted, and it is not sent again.', ''],
	['rejected', 'An earlier try of this execution was rejected.', ' It was not executed.'],
	['unknown', 'It may have been executed.', ''],
	['not_sent', 'Nothing was sent.', ' It was not sent.'],
])('a failed item states its outcome: %s', async (outcome, refused, sent) => {
	const invalid = new InvalidFieldError('Amount', 'is empty', 'Enter it.');
	expect(adviceOf(invalid, outcome)).toBe(`Enter it. ${refused}`);
	const request = failed(outcome);
	const { rows, batch } = await new Execution('card: freeze', () => request).run([cardOf('c')]);
	if (outcome !== 'accepted' && outcome !== 'unknown')
		expect(request.kind === 'failed' && adviceOf(request.failure, outcome, rows[0], batch)).toBe(
			`Fix it.${sent}`,
		);
});

describe('hints', () => {
	const done = (attempts: number, json: Record<string, unknown> = {}): Result => ({
		kind: 'done',
		items: [json],
		attempts,
		outcome: 'accepted',
	});
	const unsent: Result = { kind: 'unsent', attempts: 0, outcome: 'not_sent' };
	const refused: Result = {
		kind: 'failed',
		failure: new InvalidFieldError('Amount', 'is empty', 'Enter it.'),
		attempts: 0,
		outcome: 'not_sent',
	};
	const work = { profile: { effect: 'keyed write' } } as EndedRow['work'];
	const rowsOf = (results: Array<Result | undefined>): EndedRow[] =>
		results.map((result = unsent, index) => ({ index, result, work }));
	const DRY_RUN = 'Dry run: the requests are shown and nothing was sent.';
	const LIMIT = "requests were sent, at most 15 per second: that is the service's limit.";

	it.each<[string, Array<Result | undefined>, object[]]>([
		['nothing of an easy run', [done(1), done(0)], []],
		['that a dry run sent nothing', [done(0, { outcome: 'dry_run' })], [{ message: DRY_RUN }]],
		[
			'which of the items were a dry run',
			[done(1), done(0, { outcome: 'dry_run' }), done(0, { outcome: 'dry_run' })],
			[{ message: DRY_RUN.replace('run', 'run of 2 of 3 items').replace('sent', 'sent for them') }],
		],
		[
			'that several were not sent',
			[undefined, done(1), undefined],
			[{ message: '2 of 3 were not sent: item 1 and item 3.', type: 'warning' }],
		],
		[
			'where to read why, if every item that was not sent says so',
			[refused, done(1)],
			[
				{
					message: '1 of 2 was not sent: item 1. Read why in the summary.',
					type: 'warning',
				},
			],
		],
		[
			'no summary, if one of the items has no output',
			[refused, done(1), undefined],
			[{ message: '2 of 3 were not sent: item 1 and item 3.', type: 'warning' }],
		],
		[
			'how many were repeated',
			[done(1), done(2), done(3)],
			[{ message: '2 of 3 items needed more than one attempt.' }],
		],
		['the limit from 16 on', Array<Result>(16).fill(done(1)), [{ message: `16 ${LIMIT}` }]],
		[
			'both in one',
			[done(16), undefined],
			[
				{ message: '1 of 2 was not sent: item 2.', type: 'warning' },
				{ message: `1 of 2 items needed more than one attempt. 16 ${LIMIT}` },
			],
		],
	])('the hints show %s', (_, results, hints) => {
		const run = { operation: operationOf('card: freeze') };
		expect(hintsOf(rowsOf(results), run)).toEqual(hints);
	});

	it.each([
		[['A'], ['A']],
		[
			['A', 'A', 'B'],
			['A', 'B'],
		],
		[
			['A', 'B', 'C', 'D', 'E'],
			['A', 'B', 'C', 'The same holds for 2 other items.'],
		],
	])('of the texts %j on what a reply does not have, the hints show %j', (texts, messages) => {
		const results = texts.map((unmatched) => ({ ...done(1), unmatched }) as Result);
		const run = { operation: operationOf('token: getAll') };
		expect(hintsOf(rowsOf(results), run)).toEqual(messages.map((message) => ({ message })));
	});

	it('an item that may have been executed before does not count as not sent', () => {
		const rows = rowsOf([{ ...unsent, outcome: 'unknown' }]);
		const run = { operation: operationOf('card: freeze') };
		expect(hintsOf(rows, run)).toEqual([]);
	});

	it("the operation's own hints are added for the items that are done", () => {
		const hints = jest.fn(() => [{ message: 'own' }]);
		const operation = { ...operationOf('card: get'), hints };
		expect(hintsOf(rowsOf([done(1), undefined]), { operation })).toContainEqual({ message: 'own' });
		expect(hints).toHaveBeenCalledWith([[{}]], [{}]);
	});
});

it('the business keys are the IDs of the first readable item and the latest trace ID', async () => {
	const execution = new Execution('card: freeze', (_work, before) =>
		before === 0 ? failed('rejected', { traceId: 'trace-2' }) : failed('rejected'),
	);
	const items = ['', 'c1', 'c2'].map((card) => cardOf(card));
	const keys = async () => {
		const { rows } = await execution.run(items, { continueOnFail: true });
		return businessKeysOf(rows);
	};
	expect(await keys()).toEqual({ card_id: 'c1', trace_id: 'trace-2' });
	// If several requests failed, the report has the latest trace ID.
	execution.service = (_work, before) => failed('rejected', { traceId: `trace-${before}` });
	expect(await keys()).toMatchObject({ trace_id: 'trace-3' });
	execution.service = () => answered();
	expect(await keys()).toEqual({ card_id: 'c1', trace_id: 'trace-1' });
});
