import { createJournal, type JournalData } from '../../nodes/CardTreasury/batch/journal.ts';
import { runBatch } from '../../nodes/CardTreasury/batch/runBatch.ts';
import { createClient } from '../../nodes/CardTreasury/request/client.ts';
import { RateLimiter, RequestGroup } from '../../nodes/CardTreasury/request/rateLimiter.ts';
import { clock, fetchTransport } from '../harness/plainNode.mts';
import { IDS } from '../simulator/index.mts';
import { simulator, useSimulator } from '../simulator/useSimulator.mts';
import {
	callerOf,
	inputOf,
	operationOf,
	type Item,
} from '../unit/CardTreasury/operations/reading.mts';

// Whatever the batch and the client import: n8n is not there.
jest.mock('n8n-workflow', () => {
	throw new Error('n8n was imported');
});
jest.mock('n8n-core', () => {
	throw new Error('n8n was imported');
});

useSimulator();

async function run(operation: string, items: Item[], data: JournalData = {}) {
	const transport = fetchTransport(simulator.url, 'test-api-key-level-3');
	const rows = await runBatch({
		operation: operationOf(operation),
		caller: callerOf(items[0]!),
		journal: createJournal(data, 'n', 0),
		resend: 'retry',
		count: items.length,
		readItem: async (index) => inputOf(items[index]!),
		service: {
			client: createClient({ transport, limiter: new RateLimiter(clock), clock }),
			target: 'simulator',
			credential: 'key',
			windowMs: 86_400_000,
			environment: 'sandbox',
		},
		group: new RequestGroup(),
		isRetry: false,
		continueOnFail: false,
		now: () => clock.date(),
		pause: async () => await Promise.resolve(),
		storeFile: async (bytes) => bytes,
	});
	return rows.map(({ result }) => result);
}

const transfer = (amount: string, walletId: string = IDS.wallet): Item => ({
	parameters: {
		accountId: IDS.account,
		walletId,
		to: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
		tokenAddress: 'native',
		amountMode: 'fixed',
		amount,
		referenceFrom: 'data',
		paymentReference: `INV-${amount}`,
		maximumAmount: '100',
		options: {},
	},
});
const amounts = () =>
	simulator.ledger.map(({ amountText }) => Number(amountText)).sort((left, right) => left - right);

it('a batch of transfers runs without n8n, each executed once through faults', async () => {
	simulator.faults.add({ kind: 'reset-after' }, { kind: 'html502', effect: true }, { kind: '429' });
	const results = await run(
		'wallet: transfer',
		['1', '2', '3', '4', '5'].map((amount) => transfer(amount)),
	);
	expect(results).toEqual(
		['1', '2', '3', '4', '5'].map((amount) => ({
			kind: 'done',
			attempts: expect.any(Number),
			traceId: expect.any(String),
			items: [expect.objectContaining({ amount, status: expect.any(String) })],
		})),
	);
	expect(amounts()).toEqual([1, 2, 3, 4, 5]);
});

it('a retry with the same journal sends only what was rejected', async () => {
	const data: JournalData = {};
	simulator.faults.add({ kind: 'status', status: 404, match: { path: IDS.secondWallet } });
	const items = [transfer('1'), transfer('2', IDS.secondWallet)];
	const first = await run('wallet: transfer', items, data);
	expect([first.map((result) => result?.kind), amounts()]).toEqual([['done', 'failed'], [1]]);
	const stored = JSON.parse(JSON.stringify(data)) as JournalData;
	const second = await run('wallet: transfer', items, stored);
	expect(second.map((result) => result?.kind)).toEqual(['done', 'done']);
	expect(amounts()).toEqual([1, 2]);
	expect(simulator.requests).toHaveLength(3);
});

it('a statement is handed over as its bytes', async () => {
	const results = await run('cardTransaction: downloadStatement', [
		{
			parameters: {
				cardId: IDS.activeCard,
				fromDate: '2026-01-01',
				toDate: '2026-01-31',
				binaryPropertyName: 'data',
				options: {},
			},
		},
	]);
	const [result] = results;
	expect(result?.kind).toBe('done');
	const file = result?.kind === 'done' ? result.files?.data : undefined;
	expect((file as Buffer).subarray(0, 5).toString()).toBe('%PDF-');
});
