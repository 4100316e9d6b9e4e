import { InvalidFieldError } from '../../../../nodes/CardTreasury/errors.ts';
import { RequestGroup } from '../../../../nodes/CardTreasury/client/requestGroup.ts';
import {
	answered,
	complaint,
	Execution,
	failed,
	kinds,
	outputs,
	postOf,
	TO,
	transferOf,
} from './batches.mts';

it('sends nothing while one item is wrong, and names the first', async () => {
	const execution = new Execution('wallet: transfer');
	const result = await execution.run([transferOf('1'), transferOf('x'), transferOf('y')]);
	expect([kinds(result), result.failedAt]).toEqual([['not sent', 'failed', 'not sent'], 1]);
	expect([execution.sent, execution.begun]).toEqual([[], 0]);
});

it('sends the other items under Continue On Fail, and keeps their order', async () => {
	const execution = new Execution('wallet: transfer', ({ request }) =>
		JSON.stringify(request.body).includes('"2"') ? failed('rejected') : answered(),
	);
	const items = ['1', '2', 'x', '4'].map((amount) => transferOf(amount));
	const result = await execution.run(items, { continueOnFail: true });
	expect(kinds(result)).toEqual(['done', 'failed', 'failed', 'done']);
	expect(result.failedAt).toBeUndefined();
	expect(outputs(result).map(([item]) => item?.amount)).toEqual(['1', undefined, undefined, '4']);
});

it('gives a write with its key and trace ID, and the trace ID for the business keys', async () => {
	const execution = new Execution('wallet: transfer');
	const result = await execution.run([transferOf('1')]);
	expect(result.results).toEqual([
		{
			kind: 'done',
			attempts: 1,
			traceId: 'trace-1',
			items: [
				{
					json: {
						status: 'SUCCESS',
						transaction_hash: null,
						wallet_id: 'wal-1',
						to: TO,
						token_address: null,
						amount: '1',
						idempotency_key: execution.keys[0],
						trace_id: 'trace-1',
					},
				},
			],
		},
	]);
});

it('shows a dry run as the request that would be sent, and sends nothing', async () => {
	const execution = new Execution('endpoint: request');
	const item = postOf('{"amount":1.10}', { dryRun: true, idempotencyKey: 'k' });
	item.parameters.queryParameters = { parameter: [{ name: 'a', value: 'b c' }] };
	expect(outputs(await execution.run([item]))).toEqual([
		[
			{
				dry_run: true,
				method: 'POST',
				path: '/any?a=b+c',
				body: { amount: 1.1 },
				idempotency_key: 'k',
			},
		],
	]);
	expect([execution.sent, execution.begun]).toEqual([[], 0]);
});

it("tells once that writes begin, but not for reads or where all keys are the user's own", async () => {
	const derived = new Execution('wallet: transfer');
	await derived.run([transferOf('1'), transferOf('2')]);
	expect(derived.begun).toBe(1);
	const own = new Execution('wallet: transfer');
	await own.run([transferOf('1', { idempotencyKey: 'a' })]);
	expect(own.begun).toBe(0);
	const mixed = new Execution('wallet: transfer');
	await mixed.run([transferOf('1', { idempotencyKey: 'a' }), transferOf('2')]);
	expect(mixed.begun).toBe(1);
	const read = new Execution('card: get', () => answered({ id: 'c1' }));
	await read.run([{ parameters: { cardId: 'c1', options: {} } }]);
	expect(read.begun).toBe(0);
});

it('sends nothing when writes must not begin', async () => {
	const refusal = new InvalidFieldError('Idempotency Key', 'is not set', 'Set it.', 'unknown');
	const execution = new Execution('wallet: transfer');
	const beginWrites = async () => refusal;
	const result = await execution.run([transferOf('1'), transferOf('2')], { beginWrites });
	expect(result.results).toEqual([
		{ kind: 'failed', failure: refusal, attempts: 0 },
		{ kind: 'failed', failure: refusal, attempts: 0 },
	]);
	expect(result.failedAt).toBe(0);
	const goesOn = await execution.run([transferOf('1')], { beginWrites, continueOnFail: true });
	expect(goesOn.failedAt).toBeUndefined();
	expect(execution.sent).toEqual([]);
});

it('halts the rest of a batch when one fails', async () => {
	const execution = new Execution('wallet: transfer', (_work, before) =>
		before === 0 ? failed('rejected') : answered(),
	);
	const group = new RequestGroup();
	const items = Array.from({ length: 80 }, (_, index) => transferOf(`${index + 1}`));
	const result = await execution.run(items, { group });
	expect(group.stopped).toBe(true);
	expect(result.failedAt).toBe(0);
	expect(kinds(result).slice(60)).toEqual(Array(20).fill('not sent'));
});

it('says that the service accepted a request whose reply cannot be processed', async () => {
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
			items: [
				expect.objectContaining({ files: { data: expect.stringMatching(/ application\/pdf 0$/) } }),
			],
		}),
	]);
});
