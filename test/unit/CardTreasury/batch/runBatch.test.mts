import { RequestGroup } from '../../../../nodes/CardTreasury/request/rateLimiter.ts';
import {
	answered,
	cardOf,
	complaint,
	documentOf,
	Execution,
	failed,
	kinds,
	outputs,
	postOf,
	TO,
	transferOf,
} from './batches.mts';

it('all refused items of a run are in one message, by reference', async () => {
	const execution = new Execution('wallet: transfer');
	const items = [
		transferOf('1'),
		transferOf('x', { reference: 'INV-7' }),
		transferOf('2', { reference: 'INV-8' }),
		transferOf('2', { reference: 'INV-8' }),
		transferOf('3', { reference: '' }),
		transferOf('9', { reference: 'INV-9', maximumAmount: '4' }),
	];
	const [wrong] = [complaint(await execution.run(items), 1)];
	expect(wrong?.message).toMatch(
		/^5 of 6 are refused, so none was sent: INV-7 \(item 2\): Amount .*"x"/,
	);
	expect(wrong?.fix.split('\n').slice(1)).toEqual([
		'INV-8 is in the list twice (items 3 and 4): remove one. The items are equal, so they name one payment.',
		expect.stringMatching(/^item 5: Payment Reference is empty\. /),
		expect.stringMatching(/^INV-9 \(item 6\): Amount is 9, above the Maximum Amount of 4\. /),
	]);
	const one = await execution.run([transferOf('1'), transferOf('x', { reference: 'INV-7' })]);
	expect(complaint(one, 1)?.message).toMatch(
		/^1 of 2 is refused, so none was sent: INV-7 \(item 2\): Amount /,
	);
	expect(execution.sent).toEqual([]);
});

it('a cause of all items is reported once', async () => {
	const items = ['1', '2'].map((amount) => transferOf(amount, { maximumAmount: '' }));
	const ended = await new Execution('wallet: transfer').run(items);
	expect(complaint(ended)?.message).toBe('Maximum Amount is empty');
});

it('a batch with an invalid item sends nothing, and names the first one', async () => {
	const execution = new Execution('wallet: transfer');
	const result = await execution.run([transferOf('1'), transferOf('x'), transferOf('y')]);
	expect([kinds(result), result.failedAt]).toEqual([['unsent', 'failed', 'failed'], 1]);
	expect([execution.sent, execution.database.calls]).toEqual([[], []]);
});

it('the other items are sent in order under Continue On Fail', async () => {
	const execution = new Execution('wallet: transfer', ({ request }) =>
		JSON.stringify(request.body).includes('"2"') ? failed('rejected') : answered(),
	);
	const items = ['1', '2', 'x', '4'].map((amount) => transferOf(amount));
	const result = await execution.run(items, { continueOnFail: true });
	expect(kinds(result)).toEqual(['done', 'failed', 'failed', 'done']);
	expect(result.failedAt).toBeUndefined();
	expect(outputs(result).map(([item]) => item?.amount)).toEqual(['1', undefined, undefined, '4']);
});

it('the output of a write has its key and trace ID, which is also a business key', async () => {
	const execution = new Execution('wallet: transfer');
	const result = await execution.run([transferOf('1')]);
	expect(result).not.toHaveProperty('failedAt');
	expect(result.results).toEqual([
		{
			kind: 'done',
			outcome: 'accepted',
			attempts: 1,
			traceId: 'trace-1',
			items: [
				{
					outcome: 'done',
					status: 'SUCCESS',
					transaction_hash: null,
					wallet_id: 'wal-1',
					to: TO,
					token_address: null,
					amount: '1',
					payment_reference: 'INV-1',
					idempotency_key: execution.keys[0],
					trace_id: 'trace-1',
				},
			],
		},
	]);
});

it('a dry run shows the request and sends nothing', async () => {
	const execution = new Execution('endpoint: request');
	const item = postOf('{"amount":1.10}', { dryRun: true, idempotencyKey: 'k' });
	item.parameters.queryParameters = { parameter: [{ name: 'a', value: "b c'~" }] };
	expect(outputs(await execution.run([item]))).toEqual([
		[
			{
				outcome: 'dry_run',
				method: 'POST',
				path: '/any',
				idempotency_key: 'k',
				trace_id: null,
				request: { method: 'POST', path: "/any?a=b%20c'~", body: { amount: 1.1 } },
			},
		],
	]);
	expect([execution.sent, execution.database.calls]).toEqual([[], []]);
});

describe('dry run in a retry', () => {
	const dry = [transferOf('1', { dryRun: true }), transferOf('2', { dryRun: true })];
	const items = [transferOf('1'), transferOf('2')];

	it.each([
		['accepted', answered()],
		['unknown', failed('unknown')],
	])(
		'the dry run is refused after something was %s, so that n8n still offers Retry',
		async (first, result) => {
			const execution = new Execution('wallet: transfer', (_work, before) =>
				before === 0 ? result : failed('rejected'),
			);
			await execution.run(items, { continueOnFail: true });
			const again = await execution.run(dry, { isRetry: true });
			expect(complaint(again)).toEqual({
				message: 'Dry Run is on, and this retries an execution that may have sent something',
				fix: 'Turn it off to continue that execution. To see what would be sent, start a new execution as a dry run.',
				outcome: first,
			});
			expect(again.outcomes[1]).toBe('rejected');
			expect(kinds(await execution.run(dry, { isRetry: true, name: 'Other' }))).toContain('failed');
			expect(execution.sent).toHaveLength(2);
		},
	);

	it('the dry run is shown if nothing was executed, and in a first execution', async () => {
		const execution = new Execution('wallet: transfer', () => failed('rejected'));
		await execution.run(items, { continueOnFail: true });
		expect(kinds(await execution.run(dry, { isRetry: true }))).toEqual(['done', 'done']);
		execution.service = () => answered();
		await execution.run(items);
		expect(kinds(await execution.run(dry, { round: 1 }))).toEqual(['done', 'done']);
	});
});

it('a failed item stops the rest of the batch', async () => {
	const execution = new Execution('wallet: transfer', (_work, before) =>
		before === 0 ? failed('rejected') : answered(),
	);
	const group = new RequestGroup();
	const items = Array.from({ length: 80 }, (_, index) => transferOf(`${index + 1}`));
	const result = await execution.run(items, { group });
	expect(group.stopped).toBe(true);
	expect(result.failedAt).toBe(0);
	expect(kinds(result).slice(10)).toEqual(Array(70).fill('unsent'));
});

describe('check of documents before sending', () => {
	const REQUESTS = ['pr-1', 'pr-2'].map((id) => ({ id, status: 'pending_documentation' }));

	it('one read serves all items of a client, and none is made for items that are done', async () => {
		const execution = new Execution('productRequest: submitDocument', ({ request }) => {
			if (request.method === 'GET') return answered(REQUESTS);
			return request.path.includes('pr-2') ? failed('rejected') : answered({});
		});
		const items = [documentOf('pr-1'), documentOf('pr-2')];
		expect((await execution.run(items)).failedAt).toBe(1);
		expect(execution.sent.map(({ request }) => request.method)).toEqual(['GET', 'POST', 'POST']);
		execution.sent.length = 0;
		execution.service = ({ request }) =>
			request.method === 'GET' ? answered([REQUESTS[1]]) : answered({});
		expect(kinds(await execution.run(items))).toEqual(['done', 'done']);
		expect(execution.sent.map(({ request }) => request.method)).toEqual(['GET', 'POST']);
	});

	it('a document that is not required ends the batch before anything is sent', async () => {
		const execution = new Execution('productRequest: submitDocument', ({ request }) =>
			request.method === 'GET' ? answered([REQUESTS[1]]) : answered({}),
		);
		const items = [documentOf('pr-1'), documentOf('pr-2'), documentOf('')];
		const result = await execution.run(items.slice(0, 2));
		expect([kinds(result), result.failedAt]).toEqual([['failed', 'unsent'], 0]);
		expect(execution.sent.map(({ request }) => request.method)).toEqual(['GET']);
		expect(kinds(await execution.run(items))).toEqual(['unsent', 'unsent', 'failed']);
		expect(execution.sent).toHaveLength(1);
		const goesOn = await execution.run(items, { continueOnFail: true });
		expect(kinds(goesOn)).toEqual(['failed', 'done', 'failed']);
	});

	it('a stopped check leaves the items unsent', async () => {
		const execution = new Execution('productRequest: submitDocument');
		const group = new RequestGroup();
		group.halt();
		expect(kinds(await execution.run([documentOf('pr-1')], { group }))).toEqual(['unsent']);
	});

	it("a failed check reports that nothing was sent, whatever the read's outcome", async () => {
		const execution = new Execution('productRequest: submitDocument', () => failed('rejected'));
		const result = await execution.run([documentOf('pr-1')]);
		expect(complaint(result)).toEqual({
			message: 'It failed',
			fix: 'Fix it. Only the check before sending failed. It was not sent.',
			outcome: 'not_sent',
		});
		expect(execution.sent).toHaveLength(1);
	});

	it.each([401, 403])(
		'a %s does not fail the check, because the key may be limited to writes',
		async (status) => {
			const execution = new Execution('productRequest: submitDocument', ({ request }) =>
				request.method === 'GET' ? failed('rejected', { status }) : answered({}),
			);
			expect(kinds(await execution.run([documentOf('pr-1')]))).toEqual(['done']);
		},
	);
});

it('an unprocessable reply fails with its reason, and a file is stored when it arrives', async () => {
	const execution = new Execution('cardTransaction: downloadStatement', () => answered());
	const item = {
		parameters: {
			cardId: 'c1',
			fromDate: '2026-01-01',
			toDate: '2026-01-02',
			binaryPropertyName: 'data',
			options: {},
		},
	};
	const result = await execution.run([item], {
		storeFile: async () => await Promise.reject(new Error('The disk is full')),
	});
	expect(complaint(result)).toMatchObject({
		message: 'The reply could not be processed',
		fix: 'The disk is full. Try again.',
	});
	const stored = await execution.run([item]);
	expect(stored.results).toEqual([
		expect.objectContaining({
			files: { data: expect.stringMatching(/ application\/pdf 0$/) },
		}),
	]);
});

it('an unexpected error fails all items without a result', async () => {
	const execution = new Execution('wallet: transfer');
	const pause = async () => await Promise.reject(new Error('No connection'));
	expect(complaint(await execution.run([transferOf('1')], { pause }))).toEqual({
		message: 'This node could not run: No connection',
		fix: 'Check its parameters and its credential.',
		outcome: 'not_sent',
	});
	expect(execution.sent).toEqual([]);
});

it('an unexpected error while sending leaves the item unknown, with its notes', async () => {
	const execution = new Execution('wallet: transfer');
	const client = { send: async () => await Promise.reject(new Error('unforeseen')) };
	const ended = await execution.run([transferOf('1')], { client });
	expect(ended.outcomes).toEqual(['unknown']);
	expect(execution.entries).toMatchObject([{ outcome: 'unknown' }]);
	expect((await execution.another().run([transferOf('1')])).outcomes).toEqual(['unknown']);
});

describe('items that name one payment', () => {
	const paying = async (...rows: Array<[amount: string, reference: string, more?: object]>) => {
		const execution = new Execution('wallet: transfer');
		const items = rows.map(([amount, reference, more]) =>
			transferOf(amount, { reference, ...more }),
		);
		const ended = await execution.run(items, { continueOnFail: true });
		return { ended, said: complaint(ended)?.message };
	};

	it('equal items are refused without the advice to rename one, and the others are sent', async () => {
		const { ended } = await paying(['1', 'INV-7'], ['1', 'INV-7'], ['3', 'INV-3']);
		expect(complaint(ended)).toEqual({
			message: 'INV-7 is in the list twice (items 1 and 2): remove one',
			fix: 'The items are equal, so they name one payment.',
			outcome: 'not_sent',
		});
		expect(kinds(ended)).toEqual(['failed', 'failed', 'done']);
	});

	it.each<[string, Parameters<typeof paying>]>([
		[
			'INV-7 is in the list 3 times (items 1, 2 and 3): remove all but one',
			[
				['1', 'INV-7'],
				['1', 'INV-7'],
				['1', 'INV-7'],
			],
		],
		[
			'INV-7 names two payments (items 1 and 2)',
			[
				['1', 'INV-7'],
				['2', 'INV-7'],
			],
		],
		[
			'INV-7 and inv-7 differ only in letter case (items 1 and 2)',
			[
				['1', 'INV-7'],
				['2', 'inv-7'],
			],
		],
		[
			'This payment is in the list twice (items 1 and 2): wallet, recipient and token are equal',
			[
				['1', '', { oncePerDay: true }],
				['2', '', { oncePerDay: true }],
			],
		],
	])('%s', async (message, rows) => {
		const { said, ended } = await paying(...rows);
		expect(said).toBe(message);
		expect(new Set(kinds(ended))).toEqual(new Set(['failed']));
	});
});

describe('state change in a retry', () => {
	it('an accepted one is returned again, and any other is sent with another key', async () => {
		const execution = new Execution('card: freeze', (_work, before) =>
			before === 0 ? answered({}) : failed('unknown'),
		);
		const cards = [cardOf('c1'), cardOf('c2')];
		const first = await execution.run(cards);
		expect(complaint(first, 1)).toMatchObject({
			fix: 'It may have been executed. Run it again: it sets the same value. Fix it.',
			outcome: 'unknown',
		});
		const retry = execution.retried();
		retry.service = () => answered({});
		const again = await retry.run(cards, { isRetry: true });
		expect(outputs(again)[0]).toMatchObject([{ card_id: 'c1', repeated: true }]);
		expect(retry.sent).toHaveLength(1);
		expect(retry.keys[0]).not.toBe(execution.keys[1]);
		expect(execution.database.calls).toEqual([]);
	});

	it('other values than the accepted ones are refused', async () => {
		const execution = new Execution('card: freeze');
		await execution.run([cardOf('c1')]);
		const changed = await execution.retried().run([cardOf('c2')], { isRetry: true });
		expect(complaint(changed)).toMatchObject({
			message: 'This item was executed earlier in this execution, with other values',
			outcome: 'accepted',
		});
	});
});

describe('retry with another credential', () => {
	it.each([
		['accepted', answered(), 'was executed', { target: 'target-2' }, 'host'],
		['unknown', failed('unknown'), 'may have been executed', { target: 'target-2' }, 'host'],
		['unknown', failed('unknown'), 'may have been executed', { credential: 'key-2' }, 'API key'],
	])(
		'the retry neither shows nor sends an item that is %s',
		async (outcome, result, was, more, other) => {
			for (const isTool of [false, true]) {
				const execution = new Execution('wallet: transfer', () => result);
				const items = [transferOf('1', { allowedRecipients: TO })];
				await execution.run(items, { isTool });
				const retry = execution.retried();
				const again = await retry.run(items, { isTool, isRetry: true, ...more });
				expect(complaint(again)).toMatchObject({
					message: `This ${isTool ? 'call' : 'item'} ${was} earlier in this execution with another ${other}`,
					outcome,
				});
				expect(retry.sent).toEqual([]);
			}
		},
	);

	it('the retry shows an accepted item although the API key has been replaced', async () => {
		const execution = new Execution('wallet: transfer');
		await execution.run([transferOf('1')]);
		const again = await execution
			.retried()
			.run([transferOf('1')], { isRetry: true, credential: 'key-2' });
		expect(outputs(again)[0]).toMatchObject([{ status: 'SUCCESS', repeated: true }]);
	});

	it('the retry sends a rejected item', async () => {
		const execution = new Execution('wallet: transfer', () => failed('rejected'));
		await execution.run([transferOf('1')]);
		const retry = execution.retried();
		await retry.run([transferOf('1')], { isRetry: true, credential: 'key-2' });
		expect(retry.entries).toMatchObject([{ outcome: 'rejected', credential: 'key-2' }]);
	});
});

it('an accepted payment is returned again although a guard would refuse it now', async () => {
	const execution = new Execution('wallet: transfer');
	await execution.run([transferOf('5')]);
	const again = await execution.retried().run([transferOf('5', { maximumAmount: '4' })], {
		isRetry: true,
	});
	expect(outputs(again)[0]).toMatchObject([{ status: 'SUCCESS', repeated: true }]);
});

describe('token list', () => {
	const pay = transferOf('5');
	const nothing = {
		parameters: {
			...transferOf('7').parameters,
			amountMode: 'aboveFloor',
			balance: '1',
			floor: '5',
		},
	};

	it.each([
		['an item is sent', [pay, transferOf('6'), nothing], 1],
		['nothing is to be sent', [nothing], 0],
		['all items are refused', [transferOf('5', { maximumAmount: '1' })], 0],
		['it is a dry run', [transferOf('5', { dryRun: true })], 1],
	])('is read as often as needed if %s', async (_, items, count) => {
		const paths: string[] = [];
		const send = async ({ request }: { request: { path: string; method: string } }) => {
			paths.push(request.path);
			return answered(request.method === 'GET' ? [] : { status: 'SUCCESS' });
		};
		const service = { target: 't', credential: 'c', environment: 'sandbox' as const };
		await new Execution('wallet: transfer').run(items, {
			service: { ...service, client: { send } },
		});
		expect(paths.filter((path) => path === '/mpc/tokens/list')).toHaveLength(count);
	});
});
