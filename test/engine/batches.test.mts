import { RECIPIENT, upTo } from '../harness/fixtures.mts';
import { IDS, MAGIC_RECIPIENTS, startSimulator, type Simulator } from '../simulator/index.mts';
import { until } from '../simulator/until.mts';
import { runInCore, type CoreOptions } from './core.mts';
import { itemsOf, jsonOf, transfers, withOptions } from './payments.mts';

let simulator: Simulator;

beforeEach(async () => {
	simulator = await startSimulator();
});
afterEach(async () => await simulator.close());

const many = (count: number) => itemsOf(...upTo(count).map(String));
const run = async (more: Partial<CoreOptions>) =>
	await runInCore({ baseUrl: simulator.url, parameters: transfers, ...more });
/** Executed items, identified by their amounts. */
const executed = () =>
	simulator.ledger
		.map(({ amountText }) => Number(amountText) - 1)
		.sort((left, right) => left - right);

/** Without pacing, most requests are rejected. The rate limiter's unit tests show on a virtual clock that none is. */
const expectPaced = () =>
	expect(simulator.rateLimit.rejected).toBeLessThan(simulator.requests.length / 4);

it('120 transfers under random faults are 120 rows in the ledger', async () => {
	simulator.faults.add(
		{ kind: '429', probability: 0.01, times: 3, seed: 1 },
		{ kind: 'reset-before', probability: 0.03, seed: 2 },
		{ kind: 'reset-after', probability: 0.03, seed: 3 },
		{ kind: 'html502', probability: 0.02, seed: 4 },
		{ kind: 'html502', probability: 0.02, effect: true, seed: 5 },
		{ kind: 'status', status: 503, probability: 0.02, retryAfter: 1, seed: 6 },
	);
	const { outputs, error, hints } = await run({
		items: many(120),
		parameters: withOptions({ maxAttempts: 12 }, transfers),
	});
	expect(error).toBeUndefined();
	const all = upTo(120).map((number) => number - 1);
	expect(outputs[0]!.map(({ pairedItem }) => pairedItem)).toEqual(all.map((item) => ({ item })));
	expect(simulator.faults.list().every(({ struck }) => struck > 0)).toBe(true);
	expect(executed()).toEqual(all);
	expectPaced();
	expect(hints.join('\n')).toMatch(
		/^\d+ of 120 items needed more than one attempt\. \d+ requests were sent, at most 15 per second: that is the service's limit\.$/m,
	);
}, 60_000);

it('two batches and a single item share the limit, and the single item does not wait for the batches', async () => {
	const batches = ['one', 'two'].map(
		async (id) =>
			await run({
				items: many(40),
				node: { id },
				parameters: { ...transfers, paymentReference: `=${id}-{{ $json.amount }}` },
			}),
	);
	await until(() => simulator.requests.length >= 20);
	const before = simulator.requests.length;
	const single = await run({ items: itemsOf('77.7') });
	const place = simulator.requests.findIndex(({ bodyText }) => bodyText.includes('77.7'));
	expect(single.error).toBeUndefined();
	// Behind both batches the item would be request 81.
	expect(place).toBeGreaterThanOrEqual(before);
	expect(place).toBeLessThan(60);
	const ended = await Promise.all(batches);
	expect(ended.map(({ outputs }) => outputs[0]!.length)).toEqual([40, 40]);
	expectPaced();
	expect(simulator.ledger).toHaveLength(81);
}, 60_000);

it('a failed item shows its transfer, as far as it is readable', async () => {
	simulator.faults.add({
		kind: 'reset-after',
		match: { path: `/wallets/${IDS.secondWallet}/` },
		times: 2,
	});
	const rows = [
		{ amount: '1' },
		{ amount: '2', wallet: 'wal-9999' },
		{ amount: '3,5' },
		{ amount: '4', wallet: IDS.secondWallet },
		{ amount: '5', to: MAGIC_RECIPIENTS.FAILED },
		{ amount: '6', to: MAGIC_RECIPIENTS.WARNING },
		{ no: 7 },
	];
	const ended = await run({
		items: rows.map((json, index) => ({ json: { to: RECIPIENT, row: index, ...json } })),
		parameters: {
			...transfers,
			to: '={{ $json.to }}',
			walletId: `={{ $json.wallet ?? '${IDS.wallet}' }}`,
			amount: "={{ $json.amount ?? $('Nope').first().json.x }}",
			paymentReference: '=row-{{ $json.row }}',
			options: {
				allowedRecipients: `${RECIPIENT}, ${MAGIC_RECIPIENTS.FAILED}`,
				maxAttempts: 2,
			},
		},
		node: { onError: 'continueRegularOutput' },
	});
	const about = {
		status: null,
		transaction_hash: null,
		wallet_id: IDS.wallet,
		to: RECIPIENT,
		token_address: null,
		idempotency_key: null,
	};
	const keyOf = (amount: string) =>
		simulator.ledger.find(({ amountText }) => amountText === amount)?.idempotencyKey;
	expect(jsonOf(ended)).toMatchObject([
		{ status: 'SUCCESS', amount: '1', payment_reference: 'row-0' },
		{
			...about,
			outcome: 'rejected',
			wallet_id: 'wal-9999',
			amount: '2',
			payment_reference: 'row-1',
			idempotency_key: expect.any(String),
		},
		{ ...about, outcome: 'not_sent', payment_reference: 'row-2' },
		{
			...about,
			outcome: 'unknown',
			wallet_id: IDS.secondWallet,
			amount: '4',
			payment_reference: 'row-3',
			idempotency_key: keyOf('4'),
		},
		{
			...about,
			outcome: 'failed',
			status: 'FAILED',
			to: MAGIC_RECIPIENTS.FAILED,
			amount: '5',
			payment_reference: 'row-4',
			transaction_hash: expect.anything(),
			idempotency_key: expect.any(String),
		},
		{ ...about, outcome: 'not_sent', to: MAGIC_RECIPIENTS.WARNING, amount: '6' },
		{ ...about, outcome: 'not_sent', payment_reference: 'row-6' },
	]);
	expect(jsonOf(ended)[0]).toMatchObject({ outcome: 'done' });
	expect(jsonOf(ended)[2]).toMatchObject({ amount: null });
});

/** Indexes of the items that a message names before certain words. It counts from 1. */
function itemsIn(text: string, words: string): number[] {
	const list = new RegExp(`^Items? ([\\d ,andto]*?) (?:was |were )?${words}\\.$`, 'm').exec(text);
	return (list?.[1] ?? '')
		.split(/, | and /)
		.filter(Boolean)
		.flatMap((range) => {
			const [from = 0, to = from] = range.split(' to ').map(Number);
			return Array.from({ length: to - from + 1 }, (_, index) => from - 1 + index);
		});
}

it('an item that ends a batch reports the outcomes of all others, matching the ledger', async () => {
	const items = many(50).map(({ json }, index) => ({
		json: { ...json, walletId: { 0: IDS.secondWallet, 6: 'unknown' }[index] ?? IDS.wallet },
	}));
	// Item 0 stays open, because its answer comes too late, and item 6 ends the run.
	simulator.faults.add({ kind: 'slow-after', delayMs: 5_000, match: { path: IDS.secondWallet } });
	const { error } = await run({
		items,
		parameters: {
			...withOptions({ timeoutSeconds: 3, maxAttempts: 1 }, transfers),
			walletId: '={{ $json.walletId }}',
		},
	});
	const said = (error?.description ?? '').replaceAll('<br>', '\n');
	const [done, open, rejected, unsent] = [
		'accepted',
		'may have been executed',
		'rejected',
		'not sent',
	].map((words) => itemsIn(said, words)) as [number[], number[], number[], number[]];
	expect([...done, ...open].sort((left, right) => left - right)).toEqual(executed());
	expect([open, rejected]).toEqual([[0], [6]]);
	expect(done).toEqual(expect.arrayContaining([1, 2, 3, 4, 5]));
	expect([...done, ...open, ...rejected, ...unsent].sort((left, right) => left - right)).toEqual(
		upTo(50).map((number) => number - 1),
	);
	expect(unsent.length).toBeGreaterThan(0);
	expect(said).toContain(
		'Correct the cause and run it again: what was accepted is not sent twice.',
	);
});

it('a hint lists transfers that must not be re-sent', async () => {
	const recipients = [MAGIC_RECIPIENTS.WARNING, MAGIC_RECIPIENTS.MANUAL_CHECK, RECIPIENT];
	const { hints } = await run({
		items: recipients.map((to, index) => ({ json: { amount: `${index + 1}`, to } })),
		parameters: { ...transfers, to: '={{ $json.to }}' },
	});
	expect(hints).toEqual([
		'2 transfers are pending or need a manual check. Do not send them again: wait for their treasury.transfer events.',
	]);
});
