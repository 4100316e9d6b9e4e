import { requestOf } from '../harness/fixtures.mts';
import { API_KEYS, IDS } from '../simulator/index.mts';
import { amounts, simulator, useSimulator } from '../simulator/useSimulator.mts';
import { runInCore, type CoreOptions } from './core.mts';
import { body, transfer } from './payments.mts';

/** Credential as n8n provides it: read again for each request unless the node passes it on. */
useSimulator({ requestsPerSecond: 0 });

const run = async (more: Partial<CoreOptions> = {}) =>
	await runInCore({ baseUrl: simulator.url, parameters: transfer, ...more });

it('an edit in the middle of a batch has no effect, because the key must not reach the earlier address', async () => {
	const reads: string[] = [];
	const credential = {
		get apiKey() {
			return reads.push(API_KEYS[3]) === 1 ? API_KEYS[3] : 'key-of-production';
		},
	};
	const items = ['1', '2', '3'].map((amount) => ({ json: { amount } }));
	const { outputs } = await run({
		credential,
		items,
		parameters: { ...transfer, amount: '={{ $json.amount }}' },
	});
	expect(outputs[0]).toHaveLength(3);
	// The simulator rejects any other key.
	expect(amounts()).toEqual(['1', '2', '3']);
	expect(reads).toHaveLength(1);
});

it('a key copied with a line break works', async () => {
	expect((await run({ apiKey: `${API_KEYS[3]}\n` })).error).toBeUndefined();
	expect(amounts()).toEqual(['5']);
});

it.each([0, -1, 'a day'])('the Idempotency Window %j is refused', async (hours) => {
	const credential = { idempotencyWindowHours: hours };
	const { error } = await run({ credential });
	expect(error?.message).toBe(
		'Idempotency Window in the credential is not a number of hours above 0',
	);
	expect(error?.description).toBe(
		'Enter for how many hours the provider remembers an idempotency key, e.g. 24. Nothing was sent.',
	);
	expect(simulator.requests).toEqual([]);
});

it('the Idempotency Window ends the repetition of a write that may have been executed', async () => {
	simulator.faults.add({ kind: 'status', status: 500, effect: true });
	const first = await run();
	// A ten-millionth of an hour, over by the time of the retry.
	const credential = { idempotencyWindowHours: 0.0000001 };
	const retry = await run({ executionId: '2', retryOf: first.run.data, credential });
	expect(retry.error?.message).toMatch(
		/^Outcome unknown\. This item may have been executed more than/,
	);
	expect(retry.error?.description).toContain('Ask the provider whether it was executed.');
	expect(simulator.requests).toHaveLength(1);
	const remembered = await run({ executionId: '3', retryOf: retry.run.data });
	expect(remembered.error).toBeUndefined();
	expect(amounts()).toEqual(['5']);
});

const walletId = '={{ $json.walletId }}';
const path = `=/mpc/accounts/${IDS.account}/wallets/{{ $json.walletId }}/transfer`;

it.each([
	['transfers', { ...transfer, walletId }],
	['other writes', { ...requestOf(body('5')), path }],
])('another environment has no earlier results: %s', async (_name, parameters) => {
	const items = [IDS.wallet, IDS.secondWallet].map((wallet) => ({ json: { walletId: wallet } }));
	simulator.faults.add({ kind: 'status', status: 404, match: { path: IDS.secondWallet } });
	const first = await run({ items, parameters });
	const retryOf = first.run.data;
	const before = simulator.requests.length;
	const credential = { environment: 'production' };
	const other = await run({ executionId: '2', retryOf, items, parameters, credential });
	expect(other.error?.message).toBe(
		'This item was executed earlier in this execution with another credential: its environment, host or API key was different',
	);
	expect(other.error?.description).toContain('Item 0 was accepted.<br>Item 1 was rejected.');
	expect(simulator.requests).toHaveLength(before);
	const same = await run({ executionId: '3', retryOf: other.run.data, items, parameters });
	expect(same.outputs[0]).toHaveLength(2);
	expect(simulator.ledger).toHaveLength(2);
});
