import { call, type Call } from './client.mts';
import { IDS, type Fault } from './index.mts';
import { keyedTransfer, TRANSFER_PATH } from './keyedTransfer.mts';
import { until } from './until.mts';
import { simulator, useSimulator } from './useSimulator.mts';

let clock = 0;
useSimulator({ requestsPerSecond: 0, now: () => clock });

const transfer = async (body?: unknown, key?: Call['key']) =>
	await keyedTransfer(simulator, body, key);
const ramp = () =>
	call(simulator, 'PATCH', `/virtual-wallets/ramps/transfer/${IDS.processingRamp}`, {
		body: { amount: 5 },
		headers: { 'Idempotency-Key': 'key-1' },
	});

describe('idempotencyWindowMs', () => {
	it('lets the same key execute again after the window', async () => {
		simulator.settings.idempotencyWindowMs = 1_000;
		const first = await transfer();
		clock += 999;
		expect((await transfer()).text).toBe(first.text);
		clock += 1;
		const second = await transfer();
		expect(second.text).not.toBe(first.text);
		expect((await transfer()).text).toBe(second.text);
		expect(simulator.ledger).toHaveLength(2);
	});

	it('lets a forgotten key send another request', async () => {
		simulator.settings.idempotencyWindowMs = 1_000;
		await transfer();
		clock += 1_000;
		expect((await transfer({ to: '0x2', amount: 2 })).status).toBe(200);
	});

	it('never ends by default', async () => {
		await transfer();
		clock += 10 * 365 * 86_400_000;
		await transfer();
		expect(simulator.ledger).toHaveLength(1);
	});

	it.each([
		['forgetKeys()', async () => simulator.forgetKeys()],
		[
			'DELETE keys',
			async () => void (await call(simulator, 'DELETE', '/_simulator/keys', { key: 'none' })),
		],
	])('ends at once through %s', async (_name, forget) => {
		await transfer();
		await forget();
		await transfer();
		expect(simulator.ledger).toHaveLength(2);
	});
});

describe('repetitionUnderWay', () => {
	/** Sends the first request and returns while it is in flight. */
	async function begin(fault: Fault, body?: unknown) {
		simulator.faults.add(fault);
		const answer = transfer(body).catch(() => undefined);
		await until(() => simulator.requests[0]?.fault);
		return { answer };
	}

	it('answer returns the result as soon as it exists', async () => {
		await begin({ kind: 'slow-after', delayMs: 600_000 });
		await until(() => simulator.ledger.length === 1);
		expect((await transfer()).status).toBe(200);
		expect(simulator.requests.map(({ status }) => status)).toEqual([undefined, 200]);
		expect(simulator.ledger).toHaveLength(1);
	});

	it('reject answers 409 while the first request is in flight', async () => {
		simulator.settings.repetitionUnderWay = 'reject';
		await begin({ kind: 'slow-after', delayMs: 600_000 });
		await until(() => simulator.ledger.length === 1);
		const repetition = await transfer();
		expect([repetition.status, repetition.json.code]).toEqual([409, 'VAL']);
		// Another key is not affected.
		const other = { body: { to: '0x1', amount: 1 }, headers: { 'Idempotency-Key': 'key-2' } };
		expect((await call(simulator, 'POST', TRANSFER_PATH, other)).status).toBe(200);
	});

	it('reject returns the result once the first request was answered', async () => {
		simulator.settings.repetitionUnderWay = 'reject';
		const first = await transfer();
		expect((await transfer()).text).toBe(first.text);
	});

	it('wait returns the first result to the repetition, which executes nothing', async () => {
		simulator.settings.repetitionUnderWay = 'wait';
		const { answer } = await begin({ kind: 'late-effect', delayMs: 100 });
		const second = await transfer();
		expect((await answer)!.text).toBe(second.text);
		expect(simulator.requests.map(({ replayed }) => replayed)).toEqual([undefined, true]);
	});

	it('wait processes the repetition if the first request was rejected', async () => {
		simulator.settings.repetitionUnderWay = 'wait';
		await begin({ kind: 'late-effect', delayMs: 100 }, { to: '', amount: 1 });
		expect((await transfer()).status).toBe(200);
		expect(simulator.requests.map(({ status }) => status)).toEqual([400, 200]);
	});

	it('wait executes several waiting repetitions once', async () => {
		simulator.settings.repetitionUnderWay = 'wait';
		await begin({ kind: 'late-effect', delayMs: 100 }, { to: '', amount: 1 });
		const answers = await Promise.all(Array.from({ length: 10 }, () => transfer()));
		expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
		expect(simulator.ledger).toHaveLength(1);
	});
});

describe('keepRejections', () => {
	it.each([
		[false, 200],
		[true, 400],
	])('%s answers the repetition of a rejected request with %d', async (keepRejections, status) => {
		simulator.settings.keepRejections = keepRejections;
		expect((await ramp()).status).toBe(400);
		simulator.state.records.rampTransfers.find(({ id }) => id === IDS.processingRamp)!.status =
			'PENDING';
		expect((await ramp()).status).toBe(status);
	});

	it('never keeps a rejected API key', async () => {
		simulator.settings.keepRejections = true;
		expect((await transfer(undefined, 1)).status).toBe(401);
		expect((await transfer(undefined, 2)).status).toBe(200);
	});
});
