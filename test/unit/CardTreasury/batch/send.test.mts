import { InvalidFieldError } from '../../../../nodes/shared/fields/invalidField.ts';
import { operationOf } from '../operations/reading.mts';
import {
	answered,
	cardOf,
	complaint,
	documentOf,
	Execution,
	failed,
	HOUR_MS,
	kinds,
	outputs,
	postOf,
	transferOf,
} from './batches.mts';

const statementOf = (cardId: string) => ({
	parameters: {
		cardId,
		fromDate: '2026-01-01',
		toDate: '2026-01-02',
		binaryPropertyName: 'data',
		options: {},
	},
});

describe('maximum number of requests in flight', () => {
	it.each([
		['wallet: transfer', 80, transferOf],
		// The request holds a file, or the answer is one: each may take megabytes.
		['productRequest: submitDocument', 6, (id: string) => documentOf(id && 'pr-1')],
		['cardTransaction: downloadStatement', 6, statementOf],
	] as const)('%s sends at most %d', async (name, most, itemOf) => {
		const execution = new Execution(name);
		const held: Array<() => void> = [];
		let highest = 0;
		const items = Array.from({ length: 120 }, (_, index) => itemOf(`${index + 1}`));
		const run = execution.run(items, {
			client: {
				send: async ({ request, onStart }) => {
					if (request.path.endsWith('/products')) {
						return answered([{ id: 'pr-1', status: 'pending_documentation' }]);
					}
					onStart?.();
					await new Promise<void>((resolve) => held.push(resolve));
					return answered({});
				},
			},
		});
		// Answers only when nothing more is sent.
		for (let before = -1; before < held.length || held.length > 0; ) {
			before = held.length;
			for (let turn = 0; turn < 100; turn++) await new Promise((resolve) => setImmediate(resolve));
			if (held.length > before) continue;
			highest = Math.max(highest, held.length);
			for (const answer of held.splice(0)) answer();
			for (let turn = 0; turn < 100; turn++) await new Promise((resolve) => setImmediate(resolve));
			before = -1;
			if (held.length === 0) break;
		}
		expect(new Set(kinds(await run))).toEqual(new Set(['done']));
		expect(highest).toBe(most);
	});
});

it('a part is recorded when at most two requests of the last one have not started', async () => {
	const execution = new Execution('wallet: transfer');
	const waiting: Array<() => void> = [];
	const run = execution.run(
		Array.from({ length: 20 }, (_, index) => transferOf(`${index + 1}`)),
		{
			client: {
				send: async ({ onStart }) => {
					await new Promise<void>((resolve) => waiting.push(resolve));
					onStart?.();
					return await new Promise<never>(() => {});
				},
			},
		},
	);
	const turns = async () => await new Promise((resolve) => setImmediate(resolve));
	const recorded = () => execution.database.calls.filter((call) => call === 'record').length;
	await turns();
	for (const start of waiting.splice(0, 7)) start();
	await turns();
	expect([recorded(), waiting.length]).toEqual([1, 3]);
	waiting.shift()!();
	await turns();
	expect([recorded(), waiting.length]).toEqual([2, 12]);
	void run;
});

it.each([
	['continues after a failed item', true, failed('rejected'), 70],
	['continues while all items succeed', false, answered(), 70],
	['stops after a failed item', false, failed('rejected'), 10],
	['stops after an item without an attempt', false, { ...failed('not_sent'), attempts: 0 }, 10],
])('a batch %s (Continue On Fail: %s)', async (_, continueOnFail, first, sent) => {
	const execution = new Execution('wallet: transfer', (_work, before) =>
		before === 0 ? first : answered(),
	);
	const items = Array.from({ length: 70 }, (_item, index) => transferOf(`${index + 1}`));
	await execution.run(items, { continueOnFail });
	expect(execution.sent).toHaveLength(sent);
});

describe('end of the time in which the service remembers a key', () => {
	const windowMs = HOUR_MS;
	const forgottenAt = ({ sent }: Execution) => sent.at(-1)?.forgottenAt;

	it('a first send counts from now', async () => {
		const execution = new Execution('wallet: transfer');
		execution.now += 5_000;
		await execution.run([transferOf('1')], { windowMs });
		expect(forgottenAt(execution)).toBe(execution.startedAt + 5_000 + HOUR_MS);
	});

	it('a payment sent again counts from the start of the execution', async () => {
		const execution = new Execution('wallet: transfer', () => failed('unknown'));
		await execution.run([transferOf('1')], { windowMs });
		const retry = execution.retried();
		retry.now += 5_000;
		await retry.run([transferOf('1')], { windowMs, isRetry: true });
		expect(forgottenAt(retry)).toBe(execution.startedAt + HOUR_MS);
	});
});

describe('journal entries', () => {
	const outcomes = (execution: Execution) => execution.entries.map(({ outcome }) => outcome);
	const stopped = { client: { send: async () => ({ kind: 'stopped' as const }) } };

	it('a write is "unknown" before it is sent, so that a thrown error leaves it open', async () => {
		const execution = new Execution('wallet: transfer');
		const states: unknown[] = [];
		execution.service = () => {
			states.push(outcomes(execution));
			return answered();
		};
		await execution.run([transferOf('1')]);
		expect(states).toEqual([['unknown']]);
	});

	it('an item that the run did not reach leaves none', async () => {
		const execution = new Execution('wallet: transfer', () => failed('rejected'));
		await execution.run(Array.from({ length: 11 }, (_, index) => transferOf(`${index + 1}`)));
		expect(execution.data.entries).toHaveProperty(['["Node",0,9]']);
		expect(execution.data.entries).not.toHaveProperty(['["Node",0,10]']);
	});

	it('an item stopped in the retry keeps its earlier rejection', async () => {
		const execution = new Execution('wallet: transfer', () => failed('rejected'));
		await execution.run([transferOf('1')]);
		const ended = await execution.run([transferOf('1')], stopped);
		expect([outcomes(execution), ended.outcomes]).toEqual([['rejected'], ['rejected']]);
	});

	it('a read leaves none', async () => {
		const execution = new Execution('card: get', () => failed('rejected'));
		await execution.run([cardOf('c1')]);
		expect(execution.data.entries).toEqual({});
	});

	it.each([
		[new InvalidFieldError('To', 'is wrong', 'Correct it.'), 'To is wrong'],
		[new Error('No hash'), 'The reply could not be processed'],
	])('a write is "accepted" even if its answer cannot be read: %s', async (error, message) => {
		const operation = transferWhoseAnswerFails(error);
		const execution = new Execution('wallet: transfer');
		const ended = await execution.run([transferOf('1')], { operation });
		expect(complaint(ended)).toMatchObject({ message, outcome: 'accepted' });
		expect(outcomes(execution)).toEqual(['accepted']);
	});
});

it('a read whose answer does not fit an option fails with the status and trace ID', async () => {
	const execution = new Execution('cardTransaction: search', () => answered({ total_elements: 2 }));
	const ended = await execution.run([{ parameters: { cardId: 'c', splitMovements: true } }]);
	expect(ended.results[0]).toMatchObject({
		kind: 'failed',
		outcome: 'rejected',
		failure: {
			kind: 'request failure',
			message: 'One Item per Transaction needs exactly one list of transactions in the answer',
			fix: 'Turn the option off, and split the answer with a Split Out node.',
			status: 200,
			traceId: 'trace-1',
		},
	});
});

/** Its answer cannot be made into items. */
function transferWhoseAnswerFails(error: Error): ReturnType<typeof operationOf> {
	const transfer = operationOf('wallet: transfer');
	return {
		...transfer,
		readWork: (item, caller) => ({
			...transfer.readWork(item, caller),
			items: () => {
				throw error;
			},
		}),
	};
}

describe('facts added to an answer', () => {
	const ANSWER = { id: 'x' };

	it.each([
		['card: freeze', cardOf('c1'), { idempotency_key: expect.any(String), trace_id: 'trace-1' }],
		['productRequest: submitDocument', documentOf('pr-1'), { trace_id: 'trace-1' }],
		['card: get', cardOf('c1'), {}],
		['endpoint: request', postOf('{}'), {}],
	])('the output of %s has them', async (name, item, facts) => {
		const execution = new Execution(name, ({ request }) =>
			request.path.endsWith('/products')
				? answered([{ id: 'pr-1', status: 'pending_documentation' }])
				: answered(ANSWER),
		);
		const [output] = outputs(await execution.run([item]));
		const added = Object.keys(output?.[0] ?? {}).filter((field) => /_key$|^trace_id$/.test(field));
		expect(added).toEqual(Object.keys(facts));
		expect(output?.[0]).toMatchObject(facts);
	});
});
