import { cardOf, documentOf, requestOf } from '../harness/fixtures.mts';
import { IDS, MAGIC_RECIPIENTS } from '../simulator/index.mts';
import { simulator, useSimulator } from '../simulator/useSimulator.mts';
import { type CoreOptions } from './core.mts';
import { body, itemsOf, jsonOf, run, transfer, transfers } from './payments.mts';

useSimulator({ requestsPerSecond: 0 });

it('a transfer is one item, and sends the exact amount with a key', async () => {
	const amount = '999999999.999999';
	const { outputs, error } = await run({ ...transfer, amount, maximumAmount: amount });
	expect(error).toBeUndefined();
	expect(outputs[0]).toEqual([
		{
			json: expect.objectContaining({ status: 'SUCCESS', amount, trace_id: expect.any(String) }),
			pairedItem: { item: 0 },
		},
	]);
	expect(simulator.ledger).toMatchObject([
		{ amountText: amount, idempotencyKey: outputs[0]![0]!.json.idempotency_key },
	]);
});

it('a 302 WARNING is pending, is not followed, and is sent once', async () => {
	const pending = await run({ ...transfer, to: MAGIC_RECIPIENTS.WARNING });
	expect(jsonOf(pending)).toMatchObject([
		{ outcome: 'pending', transaction_hash: null, status: 'PENDING' },
	]);
	expect(simulator.requests).toHaveLength(1);
});

it('a 302 WARNING is pending from any path, and where none is expected no message blames the Base URL', async () => {
	simulator.faults.add({ kind: 'warning', times: 2 });
	expect(jsonOf(await run(requestOf(body('1'))))).toMatchObject([{ outcome: 'pending' }]);
	const { error } = await run(cardOf('freeze'));
	expect(error?.description).toContain('It may have been executed.');
	expect(error?.description).not.toContain('Base URL');
});

it('a transfer without a status has none, and a hint says so', async () => {
	simulator.faults.add({ kind: 'no-status' });
	const answered = await run(transfer);
	expect(jsonOf(answered)).toMatchObject([{ status: null, transaction_hash: expect.any(String) }]);
	expect(answered.hints.join()).toContain('status');
});

it("a rejected API key is sent once, and the headline shows the service's message", async () => {
	const { error } = await run(transfer, { apiKey: 'wrong' });
	expect(error?.message).toBe('The API key was rejected (HTTP 401): Missing or invalid API key');
	expect(simulator.requests).toHaveLength(1);
});

it('one invalid item stops the whole batch', async () => {
	const { error } = await run(transfers, { items: itemsOf('1', 'x') });
	expect(error?.message).toBe(
		'1 of 2 is refused, so none was sent: INV-x (item 2): Amount "x" is not valid',
	);
	expect(error?.description).toContain('Nothing was sent for any of the 2 items.');
	expect(simulator.requests).toHaveLength(0);
});

it("Continue On Fail goes on with the other items, and shows the service's message", async () => {
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

describe('Continue On Fail', () => {
	it.each<[string, CoreOptions['parameters'], Partial<CoreOptions>]>([
		['an expression that throws', { ...transfer, amount: "={{ $('Nope').first().json.x }}" }, {}],
		['a credential that cannot be read', transfer, { brokenCredential: true }],
		[
			'a file that is gone',
			documentOf('passport'),
			{
				items: [
					{
						json: {},
						binary: {
							data: { data: '', id: 'filesystem-v2:gone', mimeType: 'image/png', bytes: 9 },
						},
					},
				],
			},
		],
		[
			'a decision whose expression throws',
			{
				resource: 'authorization',
				operation: 'respond',
				decision: "={{ $('Nope').first().json.x }}",
			},
			{},
		],
	])('Continue On Fail turns %s into the failure of its item', async (_name, parameters, more) => {
		const regular = await run(parameters, { ...more, node: { onError: 'continueRegularOutput' } });
		expect(regular.error).toBeUndefined();
		expect(jsonOf(regular)).toEqual([
			expect.objectContaining({ error: expect.any(String), outcome: 'not_sent' }),
		]);
		const split = await run(parameters, { ...more, node: { onError: 'continueErrorOutput' } });
		expect(split.outputs.map((output) => output.length)).toEqual([0, 1]);
		expect(simulator.ledger).toEqual([]);
	});
});

it("a statement is a PDF for calendar days in the workflow's time zone", async () => {
	const { outputs } = await run({
		resource: 'cardTransaction',
		operation: 'downloadStatement',
		cardId: IDS.activeCard,
		fromDate: '2026-01-01',
		toDate: '2026-02-01T02:00:00Z',
		binaryPropertyName: 'data',
		options: {},
	});
	expect(outputs[0]).toMatchObject([
		{
			json: { from_date: '2026-01-01', to_date: '2026-01-31' },
			binary: { data: { mimeType: 'application/pdf', fileExtension: 'pdf' } },
		},
	]);
});

it.each<[string, CoreOptions['parameters'], string[]]>([
	[
		'tokens',
		{ resource: 'token', operation: 'getAll', returnAll: true, filters: { symbol: 'USD' } },
		[expect.stringMatching(/^No tokens match the filters\. There are: .*"USDC on POLYGON"/)],
	],
	[
		'product requests',
		{
			resource: 'productRequest',
			operation: 'getAll',
			clientId: IDS.client,
			returnAll: true,
			filters: { products: ['ramps_pix'], statuses: ['in_kyc'] },
		},
		[expect.stringMatching(/^No product requests match the filters\. There are: "/)],
	],
	[
		'tokens, if some match',
		{ resource: 'token', operation: 'getAll', returnAll: true, filters: { symbol: 'usdc' } },
		[],
	],
])(
	'filters that match nothing: a hint names what is there, once: %s',
	async (_, parameters, hints) => {
		const found = await run(parameters, { items: itemsOf('1', '2') });
		expect(found.error).toBeUndefined();
		expect(found.hints).toEqual(hints);
	},
);
