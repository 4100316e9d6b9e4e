import { cardOf, documentOf, image, transferOf } from '../harness/fixtures.mts';
import { IDS, MAGIC_RECIPIENTS } from '../simulator/index.mts';
import { simulator, useSimulator } from '../simulator/useSimulator.mts';
import { type CoreOptions } from './core.mts';
import { run } from './payments.mts';

useSimulator({ requestsPerSecond: 0 });

const transfer = transferOf('12.5');

it('a transfer saved without options is refused until they are set, because n8n adds those of a new node', async () => {
	const { options: _, ...withoutOptions } = transfer;
	const { error } = await run(withoutOptions);
	expect(error).toMatchObject({ message: 'Maximum Amount is empty' });
	expect(simulator.requests).toEqual([]);
	// The saved form after both are removed.
	expect((await run({ ...transfer, options: {} })).error).toBeUndefined();
	expect(simulator.ledger).toHaveLength(1);
});

it('a transfer is one item, and sends the exact amount with a key', async () => {
	const { outputs, error } = await run({ ...transfer, amount: '999999999.999999' });
	expect(error).toBeUndefined();
	expect(outputs[0]).toHaveLength(1);
	expect(outputs[0]![0]!.json).toMatchObject({
		status: expect.any(String),
		trace_id: expect.any(String),
	});
	expect(outputs[0]![0]!.pairedItem).toEqual({ item: 0 });
	expect(simulator.ledger).toHaveLength(1);
	expect(simulator.ledger[0]).toMatchObject({
		amountText: '999999999.999999',
		idempotencyKey: expect.any(String),
	});
});

it('a 302 WARNING is pending, is not followed, and is sent once', async () => {
	const { outputs } = await run({ ...transfer, to: MAGIC_RECIPIENTS.WARNING });
	expect(outputs[0]![0]!.json).toMatchObject({
		transaction_hash: null,
		status: 'PENDING',
		code: 'WARNING',
	});
	expect(simulator.requests).toHaveLength(1);
});

it("a rejected API key is sent once, and the headline shows the service's message", async () => {
	const { error } = await run(transfer, { apiKey: 'wrong' });
	expect(error?.message).toBe('The API key was rejected (HTTP 401): Missing or invalid API key');
	expect(simulator.requests).toHaveLength(1);
});

it.each(['1e3', '1,000', '12abc', ' 5', '0', '-1', '0.0000001', '1234567890', '.5', 'NaN'])(
	'the amount %j is refused before anything is sent',
	async (amount) => {
		const { error } = await run({ ...transfer, amount });
		expect(error?.message).toMatch(/^Amount /);
		expect(simulator.requests).toHaveLength(0);
	},
);

it('one invalid item stops the whole batch', async () => {
	const items = [{ json: { amount: '1' } }, { json: { amount: 'x' } }];
	const { error } = await run({ ...transfer, amount: '={{ $json.amount }}' }, { items });
	expect(error?.message).toBe('Amount "x" is not valid');
	expect(error?.description).toContain('Nothing was sent for any of the 2 items.');
	expect(simulator.requests).toHaveLength(0);
});

it.each([
	['reset-before', 1],
	['reset-after', 1],
	['html502', 1],
	['429', 2],
] as const)('a transfer executes exactly once through %s', async (kind, times) => {
	simulator.faults.add({ kind, times });
	const { outputs, error } = await run(transfer);
	expect(error).toBeUndefined();
	expect(outputs[0]).toHaveLength(1);
	expect(simulator.requests).toHaveLength(times + 1);
	expect(new Set(simulator.requests.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
	expect(simulator.ledger).toHaveLength(1);
});

it('a manual retry keeps every key; another execution has others', async () => {
	const items = [{ json: { amount: '1' } }, { json: { amount: '2' } }];
	const parameters = { ...transfer, amount: '={{ $json.amount }}' };
	simulator.faults.add({ kind: 'status', status: 500, times: 1, effect: true });
	const failed = await run(parameters, { items, executionId: '7' });
	expect(failed.error?.description).toContain('same idempotency key');
	const before = simulator.requests.length;
	const retried = await run(parameters, { items, executionId: '8', retryOf: failed.run.data });
	expect(retried.error).toBeUndefined();
	expect(simulator.ledger).toHaveLength(2);
	const keys = simulator.requests.map(({ headers }) => headers['idempotency-key']);
	expect(keys.slice(before)).toContain(keys[0]);
	await run(parameters, { items, executionId: '9' });
	expect(simulator.ledger).toHaveLength(4);
});

it('one key for two items is refused', async () => {
	const options = { idempotencyKey: 'sweep-2026-01-31' };
	const { error } = await run({ ...transfer, options }, { items: [{ json: {} }, { json: {} }] });
	expect(error?.message).toContain('Idempotency Key is the same for items 0, 1');
	expect(simulator.requests).toHaveLength(0);
});

it('a document with an unknown outcome is not repeated', async () => {
	simulator.faults.add({ kind: 'reset-after', match: { method: 'POST' } });
	const { error } = await run(documentOf('passport'), {
		items: [{ json: {}, binary: { data: image() } }],
		node: { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 },
	});
	expect(`${error?.message} ${error?.description}`).toContain('outcome is unknown');
	expect(JSON.stringify(error)).not.toContain(image().data.slice(0, 40));
	expect(simulator.requests.filter(({ method }) => method === 'POST')).toHaveLength(1);
});

it.each(['object', 'array', 'string', 'empty'] as const)(
	'a card is unblocked by the answer: %s',
	async (unblockAnswer) => {
		simulator.settings.unblockAnswer = unblockAnswer;
		const { outputs } = await run(cardOf('unblock', IDS.blockedCard));
		expect(outputs[0]!.map(({ json }) => json)).toEqual([
			expect.objectContaining({ card_id: IDS.blockedCard, unblocked: true }),
		]);
		expect(simulator.ledger).toMatchObject([{ operation: 'card.unblock' }]);
	},
);

it("Continue On Fail continues and shows the service's message", async () => {
	const items = [{ json: { id: 'unknown' } }, { json: { id: IDS.activeCard } }];
	const parameters = cardOf('get', '={{ $json.id }}');
	const { outputs } = await run(parameters, { items, node: { onError: 'continueRegularOutput' } });
	expect(outputs[0]!.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 1 }]);
	expect(outputs[0]![0]!.json).toMatchObject({
		error: expect.any(String),
		code: 'NOT_FOUND',
		http_status: 404,
		trace_id: expect.any(String),
		outcome: 'rejected',
	});
	expect(outputs[0]![1]!.json).toMatchObject({ id: IDS.activeCard });
	const split = await run(parameters, { items, node: { onError: 'continueErrorOutput' } });
	expect(split.outputs.map((output) => output.length)).toEqual([1, 1]);
	expect(split.outputs[1]![0]!.json).toMatchObject({
		code: 'NOT_FOUND',
		http_status: 404,
		trace_id: expect.any(String),
	});
});

it.each<[string, CoreOptions['parameters'], object]>([
	[
		'tokens',
		{ resource: 'token', operation: 'getAll', returnAll: true, filters: { symbol: 'usdc' } },
		{ symbol: expect.stringMatching(/usdc/i) },
	],
	[
		'ramp amount',
		{
			resource: 'rampTransfer',
			operation: 'updateAmount',
			rampTransferId: IDS.pendingRamp,
			amount: 20.5,
			options: {},
		},
		{ id: IDS.pendingRamp, trace_id: expect.any(String) },
	],
	['freeze', cardOf('freeze'), { card_id: IDS.activeCard, frozen: true }],
	['unfreeze', cardOf('unfreeze', IDS.frozenCard), { frozen: false }],
	['unblock', cardOf('unblock', IDS.blockedCard), { card_id: IDS.blockedCard, unblocked: true }],
	[
		'3DS',
		{
			resource: 'card',
			operation: 'configure3ds',
			cardId: IDS.activeCard,
			type: 'webhook',
			options: {},
		},
		{ type: 'webhook' },
	],
	[
		'search',
		{
			resource: 'cardTransaction',
			operation: 'search',
			cardId: IDS.enterpriseCard,
			operations: ['PURCHASE'],
			splitMovements: true,
			options: {},
		},
		{ operation: 'PURCHASE', total_elements: expect.any(Number) },
	],
	[
		'detail',
		{
			resource: 'cardTransaction',
			operation: 'get',
			cardId: IDS.enterpriseCard,
			transactionId: IDS.purchase,
			path: '/cards/transactions/{cardId}/operations/{transactionId}',
			options: {},
		},
		{ lifecycle: expect.any(Object) },
	],
	[
		'statement',
		{
			resource: 'cardTransaction',
			operation: 'downloadStatement',
			cardId: IDS.activeCard,
			fromDate: '2026-01-01',
			toDate: '2026-02-01T02:00:00Z',
			binaryPropertyName: 'data',
			options: {},
		},
		{ from_date: '2026-01-01', to_date: '2026-01-31' },
	],
	[
		'product requests',
		{
			resource: 'productRequest',
			operation: 'getAll',
			clientId: IDS.client,
			returnAll: true,
			filters: {},
		},
		{ client_id: IDS.client },
	],
	[
		'missing requirements',
		{
			resource: 'productRequest',
			operation: 'getMissingRequirements',
			clientId: IDS.client,
			filters: {},
		},
		{ client_id: IDS.client, kind: expect.any(String) },
	],
	[
		'any endpoint',
		{
			resource: 'endpoint',
			operation: 'request',
			method: 'GET',
			path: '/mpc/tokens/list',
			queryParameters: {},
			options: {},
		},
		{ symbol: expect.any(String) },
	],
])('%s runs', async (_name, parameters, expected) => {
	const { outputs, error } = await run(parameters);
	expect(error).toBeUndefined();
	expect(outputs[0]![0]!.json).toMatchObject(expected);
});
