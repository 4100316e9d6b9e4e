import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { createClient, type ClientWork } from '../../../../nodes/CardTreasury/request/client.ts';
import { paymentKey } from '../../../../nodes/CardTreasury/request/idempotencyKey.ts';
import {
	createRateLimiters,
	RequestGroup,
} from '../../../../nodes/CardTreasury/request/rateLimiter.ts';
import { RawJson } from '../../../../nodes/CardTreasury/request/request.ts';
import { clock, fetchTransport } from '../../../harness/plainNode.mts';
import { API_KEYS, IDS, startSimulator, type Simulator } from '../../../simulator/index.mts';

let simulator: Simulator;

beforeAll(async () => {
	simulator = await startSimulator();
});
beforeEach(() => simulator.reset());
afterAll(async () => await simulator.close());

const POLICY = { maxAttempts: 3, maxTotalMs: 20_000, requestsPerSecond: 15, timeoutMs: 5_000 };

function transfer(item: number): ClientWork {
	const request = {
		method: 'POST' as const,
		path: `/mpc/accounts/${IDS.account}/wallets/${IDS.wallet}/transfer`,
		body: { to: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', amount: new RawJson('1.10') },
	};
	return {
		request,
		profile: { effect: 'keyed write', answer: 'object', level: 2, pending: true },
		policy: POLICY,
		idempotencyKey: paymentKey('sandbox simulator', `INV-${item}`, [JSON.stringify(request)]),
	};
}

function connect(apiKey: string = API_KEYS[3]) {
	const client = createClient({
		transport: fetchTransport(simulator.url, apiKey),
		limiter: createRateLimiters(clock)(new URL(simulator.url).host),
		clock,
		random: () => 0,
	});
	const group = new RequestGroup();
	return async (work: ClientWork) => await client.send(work, group);
}

const transfers = () => simulator.ledger.length;

it('the request folder imports nothing of n8n', () => {
	const folder = join(__dirname, '../../../../nodes/CardTreasury/request');
	for (const file of readdirSync(folder)) {
		const imports = [...readFileSync(join(folder, file), 'utf8').matchAll(/from '([^']+)'/g)];
		for (const [, module] of imports) {
			expect(module).toMatch(/^(?:\.{1,2}\/[\w./]+|node:crypto|luxon)$/);
		}
	}
});

it('a transfer executes once when its first reply is lost', async () => {
	simulator.faults.add({ kind: 'reset-after' });
	const result = await connect()(transfer(0));
	expect(result).toMatchObject({ kind: 'answered', attempts: 2, answer: { status: 200 } });
	expect(transfers()).toBe(1);
	expect(simulator.requests).toHaveLength(2);
});

it('twenty transfers execute once each, within the limit', async () => {
	const send = connect();
	const results = await Promise.all(
		Array.from({ length: 20 }, async (_, item) => await send(transfer(item))),
	);
	expect(results.map(({ kind }) => kind)).toEqual(Array(20).fill('answered'));
	expect(transfers()).toBe(20);
});
