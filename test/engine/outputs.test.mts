import { image, RECIPIENT, requestOf, TRANSFER_PATH, transferOf } from '../harness/fixtures.mts';
import { IDS, MAGIC_RECIPIENTS } from '../simulator/index.mts';
import { simulator, useSimulator } from '../simulator/useSimulator.mts';
import {
	errorOutput,
	goesOn,
	jsonIn,
	jsonOf,
	run,
	sampleOf,
	withOptions,
	type Parameters,
} from './payments.mts';

useSimulator({ requestsPerSecond: 0 });

const some = expect.any(String) as string;
const hash = expect.stringMatching(/^0x/) as string;
const transfer = transferOf('5');
const freeze = sampleOf('card: freeze');
const card = sampleOf('card: get', { simplify: false });

const SUBMITTED = sampleOf('productRequest: submitDocument');

const OURS = { error: 'E', outcome: 'x', summary: 'y' };

it.each<[name: string, parameters: Parameters, reply: string, item: object]>([
	['a transfer', transfer, JSON.stringify(OURS), { outcome: 'pending', answer: OURS }],
	['a setting', freeze, JSON.stringify(OURS), { outcome: 'done', frozen: true, answer: OURS }],
	['a card', card, JSON.stringify(OURS), { answer: OURS }],
])('%s answers a reply that is not described: %# %j', async (...[, parameters, reply, item]) => {
	simulator.faults.add({ kind: 'body', body: reply });
	const ended = await run(parameters, { node: { retryOnFail: true, waitBetweenTries: 1 } });
	expect(ended.error).toBeUndefined();
	expect(jsonOf(ended)).toMatchObject([item]);
	// n8n would take an item with `error` for a failed one, and try again.
	expect(simulator.requests).toHaveLength(1);
});

const freezing = `/cards/individual-cards/${IDS.activeCard}/frozen`;
const shownImage = { size: '264 B', type: 'image/png' };
const queryParameters = { parameter: [{ name: 'a', value: '1' }] };
const ASKED = { ...requestOf('{"n": 1.50}'), queryParameters };
const document = { document_type: 'passport', image_front: shownImage, metadata: { number: 'X1' } };

it.each<[name: string, parameters: Parameters, path: string, sent: object, item: object]>([
	['a transfer', transfer, TRANSFER_PATH, { to: RECIPIENT, amount: 5 }, { idempotency_key: some }],
	['a setting', freeze, freezing, { freeze: true }, { idempotency_key: null, frozen: null }],
	['any endpoint', ASKED, `${TRANSFER_PATH}?a=1`, { n: 1.5 }, {}],
	['a document', SUBMITTED, some, { document }, { product: null }],
])('a dry run of %s sends and remembers nothing', async (_name, parameters, path, sent, item) => {
	const items = [{ json: {}, binary: { data: { ...image(), fileSize: '264 B' } } }];
	const dry = await run(withOptions({ dryRun: true }, parameters), { items });
	const request = { method: some, path, body: sent };
	expect(jsonOf(dry)).toMatchObject([{ outcome: 'dry_run', summary: some, request, ...item }]);
	expect(dry.hints).toEqual(['1 dry run.']);
	expect(simulator.requests).toEqual([]);
	await run(withOptions({ dryRun: false }, parameters), { items, ...goesOn });
	expect(simulator.requests).toHaveLength(1);
});

it('a failed item shows its transfer as far as it could be read, on both outputs', async () => {
	const rows = [
		{ amount: '1' },
		{ amount: '2', wallet: 'wal-9999' },
		{ amount: '3,5' },
		{ amount: '5', to: MAGIC_RECIPIENTS.FAILED },
		{ no: 7 },
	];
	const items = rows.map((json, row) => ({ json: { to: RECIPIENT, row, ...json } }));
	const parameters = (reference: string) => ({
		...transferOf("={{ $json.amount ?? $('Nope').first().json.x }}"),
		to: '={{ $json.to }}',
		walletId: `={{ $json.wallet ?? '${IDS.wallet}' }}`,
		paymentReference: `=${reference}-{{ $json.row }}`,
	});
	const none = { status: null, transaction_hash: null, token_address: null };
	const replied = { http_status: 404, code: 'NOT_FOUND', trace_id: some, idempotency_key: some };
	const unread = { http_status: null, code: null, trace_id: null, idempotency_key: null };
	const failures = [
		{ ...none, outcome: 'rejected', wallet_id: 'wal-9999', amount: '2', ...replied },
		{ ...none, outcome: 'not_sent', amount: null, error: 'Amount is "3,5"', ...unread },
		{ outcome: 'failed', status: 'FAILED', transaction_hash: hash, amount: '5' },
		{ ...none, outcome: 'not_sent', amount: null, error: expect.stringMatching(/^Amount could/) },
	];
	const ended = await run(parameters('a'), { items, ...goesOn });
	expect(jsonOf(ended)).toMatchObject([{ outcome: 'done', amount: '1' }, ...failures]);
	expect(ended.hints).toEqual(['1 done, 1 failed, 1 rejected, 2 not sent.']);
	expect(ended.outputs[0]!.map(({ pairedItem }) => pairedItem)).toEqual(
		rows.map((_, item) => ({ item })),
	);
	const split = await run(parameters('b'), { items, ...errorOutput });
	expect(split.outputs.map(({ length }) => length)).toEqual([1, 4]);
	// n8n adds the fields of the input.
	expect(jsonIn(split.outputs[1])).toMatchObject(
		failures.map((failure, at) => ({ ...failure, row: at + 1 })),
	);
});
