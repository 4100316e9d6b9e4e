import { PARTS } from '../../nodes/CardTreasury/batch/batch.ts';
import { createJournal } from '../../nodes/CardTreasury/batch/journal.ts';
import { runBatch } from '../../nodes/CardTreasury/batch/runBatch.ts';
import { createClient } from '../../nodes/CardTreasury/request/client.ts';
import { RateLimiter, RequestGroup } from '../../nodes/CardTreasury/request/rateLimiter.ts';
import { processClock as clock } from '../../nodes/shared/clock.ts';
import { transferOf, upTo } from '../harness/fixtures.mts';
import { fetchTransport } from '../harness/plainNode.mts';
import { amounts, simulator, useSimulator } from '../simulator/useSimulator.mts';
import { callerOf, inputOf, operationOf } from '../unit/CardTreasury/operations/reading.mts';

// Throws if the batch or the client imports n8n.
jest.mock('n8n-workflow', () => {
	throw new Error('n8n was imported');
});
jest.mock('n8n-core', () => {
	throw new Error('n8n was imported');
});

useSimulator();

it('a batch of transfers runs without n8n, each executed once through faults', async () => {
	simulator.faults.add({ kind: 'reset-after' }, { kind: 'html502', effect: true }, { kind: '429' });
	const items = upTo(5).map((amount) => ({
		parameters: { ...transferOf(`${amount}`), tokenAddress: 'native' },
	}));
	const transport = fetchTransport(simulator.url, 'test-api-key-level-3');
	const rows = await runBatch({
		operation: operationOf('wallet: transfer'),
		caller: callerOf(items[0]!),
		journal: createJournal({}, 'n', 0),
		node: 'n',
		parts: PARTS,
		resend: 'retry',
		count: items.length,
		readItem: async (index) => inputOf(items[index]!),
		service: {
			client: createClient({ transport, limiter: new RateLimiter(clock), clock }),
			target: 'simulator',
			credential: 'key',
			environment: 'sandbox',
		},
		group: new RequestGroup(),
		isRetry: false,
		continueOnFail: false,
		now: () => clock.date(),
		pause: async () => await Promise.resolve(),
		storeFile: async (bytes) => bytes,
		hint: () => {},
	});
	expect(rows.map(({ result }) => result.outcome)).toEqual(Array(5).fill('accepted'));
	expect(amounts().sort()).toEqual(['1', '2', '3', '4', '5']);
});
