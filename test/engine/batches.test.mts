import { setTimeout as wait } from 'node:timers/promises';

import { RECIPIENT, transferOf } from '../harness/fixtures.mts';
import { IDS, MAGIC_RECIPIENTS, startSimulator, type Simulator } from '../simulator/index.mts';
import { until } from '../simulator/until.mts';
import { runInCore, type CoreOptions } from './core.mts';

let simulator: Simulator;

beforeEach(async () => {
	simulator = await startSimulator();
});
afterEach(async () => await simulator.close());

const transfer = { ...transferOf('={{ $json.amount }}'), to: '={{ $json.to }}' };
const transfers = (count: number, to = RECIPIENT) =>
	Array.from({ length: count }, (_, index) => ({ json: { amount: `${index + 1}`, to } }));
const run = async (more: Partial<CoreOptions>) =>
	await runInCore({ baseUrl: simulator.url, parameters: transfer, ...more });

/**
 * Most requests of a batch without pacing are rejected. Only a virtual clock can show that none is
 * (test/unit/CardTreasury/request/rateLimiter.limited.test.mts), because other work may keep the process busy here.
 */
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
	const items = transfers(120);
	const { outputs, error, hints } = await run({
		items,
		parameters: { ...transfer, options: { maxAttempts: 12 } },
	});
	expect(error).toBeUndefined();
	expect(outputs[0]!.map(({ pairedItem }) => pairedItem)).toEqual(
		items.map((_, item) => ({ item })),
	);
	expect(simulator.faults.list().every(({ struck }) => struck > 0)).toBe(true);
	expect(
		simulator.ledger
			.map(({ amountText }) => Number(amountText))
			.sort((left, right) => left - right),
	).toEqual(items.map((_, index) => index + 1));
	expect(new Set(simulator.ledger.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(120);
	expectPaced();
	expect(hints.join('\n')).toMatch(
		/^\d+ of 120 items needed more than one attempt\. \d+ requests were sent, at most 15 per second: that is the service's limit\.$/m,
	);
}, 60_000);

it('two batches and a single item share the limit, and the single item does not wait for the batches', async () => {
	const batches = ['1', '2'].map(
		async (executionId) => await run({ items: transfers(40), executionId }),
	);
	await until(() => simulator.requests.length >= 20);
	const before = simulator.requests.length;
	const single = await run({
		items: [{ json: { amount: '77.7', to: RECIPIENT } }],
		executionId: '3',
	});
	const place = simulator.requests.findIndex(({ bodyText }) => bodyText.includes('77.7'));
	expect(single.error).toBeUndefined();
	// After both batches it would be the last of 81. It comes a few places later, more on a busy machine.
	expect(place).toBeGreaterThanOrEqual(before);
	expect(place).toBeLessThan(60);
	const ended = await Promise.all(batches);
	expect(ended.map(({ outputs }) => outputs[0]!.length)).toEqual([40, 40]);
	expectPaced();
	expect(simulator.ledger).toHaveLength(81);
}, 60_000);

it('a failed item shows its transfer, as far as it is readable', async () => {
	const broken = { path: `/wallets/${IDS.secondWallet}/` };
	simulator.faults.add({ kind: 'reset-after', match: broken, times: 5 });
	const nowhere = "={{ $json.amount ?? $('Nope').first().json.x }}";
	const { outputs } = await run({
		items: [
			{ json: { amount: '1', to: RECIPIENT } },
			{ json: { amount: '2', to: RECIPIENT, wallet: 'wal-9999' } },
			{ json: { amount: '3,5', to: RECIPIENT } },
			{ json: { amount: '4', to: RECIPIENT, wallet: IDS.secondWallet } },
			{ json: { amount: '5', to: MAGIC_RECIPIENTS.FAILED } },
			{ json: { to: RECIPIENT } },
		],
		parameters: {
			...transfer,
			walletId: `={{ $json.wallet ?? '${IDS.wallet}' }}`,
			amount: nowhere,
			options: { allowedRecipients: RECIPIENT, maxAttempts: 2 },
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
	const [done, notFound, unreadable, unknown, refused, without] = outputs[0]!.map(
		({ json }) => json,
	);
	expect(done).not.toHaveProperty('outcome');
	const key = expect.any(String);
	const missing = { ...about, wallet_id: 'wal-9999', amount: '2', idempotency_key: key };
	expect(notFound).toMatchObject({ outcome: 'rejected', ...missing });
	expect(unreadable).toMatchObject({ outcome: 'not_sent', ...about });
	expect(unreadable).not.toHaveProperty('amount');
	expect(unknown).toMatchObject({
		outcome: 'unknown',
		...about,
		wallet_id: IDS.secondWallet,
		amount: '4',
		idempotency_key: simulator.ledger.find(({ amountText }) => amountText === '4')!.idempotencyKey,
	});
	expect(refused).toMatchObject({
		outcome: 'not_sent',
		...about,
		to: MAGIC_RECIPIENTS.FAILED,
		amount: '5',
	});
	expect(without).toMatchObject({ outcome: 'not_sent', ...about });
});

it('Stop ends the wait: nothing more is sent, and the output shows what was', async () => {
	// Without a limit, because on a busy machine a request may be rejected and repeated.
	await simulator.close();
	simulator = await startSimulator({ requestsPerSecond: 0 });
	const items = transfers(100);
	const stopped = await run({
		items,
		onStart: (stop) => void until(() => simulator.requests.length >= 20).then(stop),
	});
	const sent = simulator.requests.length;
	expect(stopped.run.status).toBe('canceled');
	expect(sent).toBeLessThan(50);
	// The output shows what was sent, by item.
	expect(stopped.outputs[0]!.map(({ pairedItem }) => pairedItem)).toEqual(
		simulator.ledger.map(({ amountText }) => ({ item: Number(amountText) - 1 })),
	);
	expect(stopped.hints).toContain(`Items not sent: ${100 - sent} of 100.`);
});

it('Stop ends the wait before the next attempt', async () => {
	simulator.faults.add({ kind: 'status', status: 503, times: 5, retryAfter: 60 });
	const stopped = await run({
		items: transfers(1),
		onStart: (stop) =>
			void until(() => simulator.requests[0]?.status === 503)
				// The answer is in transit to the node, which then waits for a minute.
				.then(async () => await wait(300))
				.then(stop),
	});
	expect(stopped.outputs[0]![0]!.json).toMatchObject({
		description: expect.stringContaining('The outcome is unknown: it may have been executed.'),
		outcome: 'unknown',
	});
	expect(simulator.requests).toHaveLength(1);
});

it('a hint lists transfers that must not be re-sent', async () => {
	const items = [
		...transfers(1, MAGIC_RECIPIENTS.WARNING),
		...transfers(1, MAGIC_RECIPIENTS.MANUAL_CHECK),
		...transfers(1),
	];
	const { hints } = await run({ items });
	expect(hints).toEqual([
		'2 transfers are pending or need a manual check. Do not send them again: wait for their treasury.transfer events.',
	]);
});
