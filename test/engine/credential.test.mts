import { requestOf } from '../harness/fixtures.mts';
import { API_KEYS, IDS } from '../simulator/index.mts';
import { amounts, simulator, useSimulator } from '../simulator/useSimulator.mts';
import { body, itemsOf, jsonOf, run, transfer, transfers } from './payments.mts';

/** The credential as n8n provides it: read again for each request unless the node passes it on. */
useSimulator({ requestsPerSecond: 0 });

it('an edit in the middle of a batch has no effect, because the key must not reach the earlier address', async () => {
	const reads: string[] = [];
	const credential = {
		get apiKey() {
			return reads.push(API_KEYS[3]) === 1 ? API_KEYS[3] : 'key-of-production';
		},
	};
	const ended = await run(transfers, { credential, items: itemsOf('1', '2', '3') });
	expect(jsonOf(ended)).toHaveLength(3);
	// The simulator rejects any other key.
	expect(amounts()).toEqual(['1', '2', '3']);
	expect(reads).toHaveLength(1);
});

it('a key copied with a line break works', async () => {
	expect((await run(transfer, { apiKey: `${API_KEYS[3]}\n` })).error).toBeUndefined();
	expect(amounts()).toEqual(['5']);
});

const path = `=/mpc/accounts/${IDS.account}/wallets/{{ $json.walletId }}/transfer`;

it.each([
	['transfers', { ...transfers, walletId: '={{ $json.walletId }}' }],
	['other writes', { ...requestOf(body('5')), path }],
])(
	'a retry at another host sends nothing and takes no result over: %s',
	async (_name, parameters) => {
		const items = [IDS.wallet, IDS.secondWallet].map((walletId, index) => ({
			json: { walletId, amount: `${index + 1}` },
		}));
		simulator.faults.add({ kind: 'status', status: 404, match: { path: IDS.secondWallet } });
		const first = await run(parameters, { items });
		const before = simulator.requests.length;
		const credential = { baseUrl: simulator.url.replace('127.0.0.1', 'localhost') };
		const other = await run(parameters, { items, credential, retryOf: first.run.data });
		expect(other.error?.message).toMatch(
			/^1 of 2 is refused: .*\(?item 1\)?: This item was executed earlier in this execution with another host$/,
		);
		expect(other.error?.description).toContain('Item 1 was accepted.<br>Item 2 was rejected.');
		expect(simulator.requests).toHaveLength(before);
		const same = await run(parameters, { items, retryOf: other.run.data });
		expect(jsonOf(same)).toHaveLength(2);
		expect(simulator.ledger).toHaveLength(2);
	},
);

it('another Environment of the credential pays nothing again, because it is only a label', async () => {
	const sandbox = await run(transfer);
	const production = await run(transfer, { credential: { environment: 'production' } });
	expect(jsonOf(sandbox)).toMatchObject([{ status: 'SUCCESS' }]);
	expect(jsonOf(production)).toMatchObject([{ status: 'ALREADY_SENT' }]);
	expect(amounts()).toEqual(['5']);
});
