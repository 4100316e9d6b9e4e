import { call } from './client.mts';
import {
	IDS,
	MAGIC_RECIPIENTS,
	OTHER_COMPANY_API_KEY,
	startSimulator,
	type Simulator,
} from './index.mts';
import { startReceiver, type Receiver } from './receiver.mts';
import { until } from './until.mts';

let simulator: Simulator;
let receiver: Receiver;
beforeAll(async () => {
	receiver = await startReceiver();
	simulator = await startSimulator({
		requestsPerSecond: 0,
		pendingTransferMs: 0,
		subscription: { url: receiver.url, webhookKey: 'test-webhook-key', timeScale: 0.001 },
	});
});
beforeEach(() => {
	simulator.reset();
	receiver.reset();
});
// Deliveries end within the test that started them.
afterEach(() => until(() => simulator.deliveries.every(({ delivery }) => delivery)));
afterAll(async () => {
	await simulator.close();
	await receiver.close();
});

const transfer = (body: object, headers: Record<string, string> = {}, key: string | number = 2) =>
	call(simulator, 'POST', `/mpc/accounts/${IDS.account}/wallets/${IDS.wallet}/transfer`, {
		key: key as 2,
		body,
		headers,
	});
const events = () => receiver.received.map(({ json }) => json);

it('confirms a transfer with its own data in the format of events (6.5)', async () => {
	const { json } = await transfer({ to: '0xAb', amount: 12.5, token_address: '0x70ce' });
	await until(() => events().length === 1);
	expect(events()).toEqual([
		{
			product: 'treasury',
			event_type: 'transfer',
			operation_id: expect.any(String),
			status: 'success',
			data: {
				wallet_id: IDS.wallet,
				wallet_address: `0x${'a1'.repeat(20)}`,
				blockchain: 'polygon',
				transaction_hash: json.transaction_hash,
				to_wallet_address: '0xAb',
				amount: '12.5',
				token: { address: '0x70ce' },
				created_at: expect.any(String),
			},
		},
	]);
	expect(receiver.received[0]!.headers['x-webhook-key']).toBe('test-webhook-key');
});

it.each([
	['FAILED', 'failed'],
	['MANUAL_CHECK', 'manual_check'],
	['PENDING', 'success'],
	['WARNING', 'success'],
] as const)('confirms a %s transfer with the status %s', async (outcome, status) => {
	await transfer({ to: MAGIC_RECIPIENTS[outcome], amount: 1 });
	await until(() => events().length === 1);
	expect(events()[0].status).toBe(status);
});

it('confirms a transfer whose answer is lost', async () => {
	simulator.faults.add({ kind: 'reset-after' });
	await expect(transfer({ to: '0x1', amount: 1 })).rejects.toThrow();
	await until(() => events().length === 1);
	expect(events()[0].status).toBe('success');
});

it('confirms once, however often the request is repeated', async () => {
	for (let n = 0; n < 3; n++) await transfer({ to: '0x1', amount: 1 }, { 'Idempotency-Key': 'k' });
	expect(simulator.deliveries).toHaveLength(1);
});

it('confirms no rejected transfer, none while switched off, none of another company', async () => {
	await transfer({ to: '', amount: 1 });
	await transfer({ to: '0x1', amount: 1 }, {}, OTHER_COMPANY_API_KEY);
	simulator.settings.transferEvents = false;
	await transfer({ to: '0x1', amount: 1 });
	expect(simulator.ledger).toHaveLength(2);
	expect(simulator.deliveries).toEqual([]);
});

it('sends nothing without a subscription', async () => {
	const silent = await startSimulator();
	try {
		const path = `/mpc/accounts/${IDS.account}/wallets/${IDS.wallet}/transfer`;
		expect((await call(silent, 'POST', path, { body: { to: '0x1', amount: 1 } })).status).toBe(200);
		expect(silent.deliveries).toEqual([]);
	} finally {
		await silent.close();
	}
});

it('does not confirm a pending transfer after a reset', async () => {
	simulator.settings.pendingTransferMs = 20;
	await transfer({ to: MAGIC_RECIPIENTS.PENDING, amount: 1 });
	simulator.reset();
	// The second event shows that the time of the first has passed.
	simulator.settings.pendingTransferMs = 20;
	await transfer({ to: MAGIC_RECIPIENTS.PENDING, amount: 2 });
	await until(() => events().length > 0);
	expect(events().map(({ data }) => data.amount)).toEqual(['2']);
});
