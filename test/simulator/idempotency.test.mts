import { call, control, keyedTransfer, transfer } from './client.mts';
import { IDS, MAGIC_RECIPIENTS, type Fault } from './index.mts';
import { until } from './until.mts';
import { simulator, useSimulator } from './useSimulator.mts';

let clock = 0;
useSimulator({ requestsPerSecond: 0, now: () => clock });

describe('Idempotency-Key (1.6)', () => {
	it.each(['0x1', MAGIC_RECIPIENTS.WARNING])(
		'a repetition of a transfer to %s gets the original result and executes nothing',
		async (to) => {
			const first = await keyedTransfer({ to, amount: 1 });
			const again = await keyedTransfer({ to, amount: 1 });
			expect([again.status, again.text, again.headers.location]).toEqual([
				first.status,
				first.text,
				first.headers.location,
			]);
			expect(again.headers['x-trace-id']).not.toBe(first.headers['x-trace-id']);
			expect(simulator.ledger).toMatchObject([{ idempotencyKey: 'key-1' }]);
			expect(simulator.requests.map(({ replayed }) => replayed)).toEqual([undefined, true]);
		},
	);

	it('concurrent requests execute once', async () => {
		const answers = await Promise.all(Array.from({ length: 20 }, () => keyedTransfer()));
		expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
		expect(simulator.ledger).toHaveLength(1);
	});

	it('another request gets the first result, or 409 by setting', async () => {
		const first = await keyedTransfer();
		expect((await keyedTransfer({ to: '0x1', amount: 2 })).text).toBe(first.text);
		simulator.settings.refuseKeyReuse = true;
		const answer = await keyedTransfer({ to: '0x1', amount: 2 });
		expect([answer.status, answer.json.code]).toEqual([409, 'VAL']);
		expect(simulator.ledger).toHaveLength(1);
	});

	it('requests without a key always execute', async () => {
		await transfer();
		await transfer();
		expect(simulator.ledger).toHaveLength(2);
	});
});

describe('idempotencyWindowMs', () => {
	it('the same key executes again after the window, also for another request', async () => {
		simulator.settings.idempotencyWindowMs = 1_000;
		const first = await keyedTransfer();
		clock += 999;
		expect((await keyedTransfer()).text).toBe(first.text);
		clock += 1;
		const second = await keyedTransfer({ to: '0x2', amount: 2 });
		expect(second.text).not.toBe(first.text);
		expect((await keyedTransfer()).text).toBe(second.text);
		expect(simulator.ledger).toHaveLength(2);
	});

	it('the window never ends by default, and at once through the control API', async () => {
		await keyedTransfer();
		clock += 10 * 365 * 86_400_000;
		await keyedTransfer();
		expect(simulator.ledger).toHaveLength(1);
		await control('DELETE keys');
		await keyedTransfer();
		expect(simulator.ledger).toHaveLength(2);
	});
});

describe('repetitionUnderWay', () => {
	/** Sends the first request and returns while it is in flight. */
	async function begin(fault: Fault, body?: unknown) {
		simulator.faults.add(fault);
		const answer = keyedTransfer(body).catch(() => undefined);
		await until(() => simulator.requests[0]?.fault);
		return { answer };
	}
	const SLOW: Fault = { kind: 'slow-after', delayMs: 600_000 };
	const LATE: Fault = { kind: 'late-effect', delayMs: 100 };

	it('`answer` returns the result as soon as it exists', async () => {
		await begin(SLOW);
		await until(() => simulator.ledger.length === 1);
		expect((await keyedTransfer()).status).toBe(200);
		expect(simulator.requests.map(({ status }) => status)).toEqual([undefined, 200]);
		expect(simulator.ledger).toHaveLength(1);
	});

	it('`reject` answers 409 while the first request is in flight, and then its result', async () => {
		simulator.settings.repetitionUnderWay = 'reject';
		await begin(SLOW);
		await until(() => simulator.ledger.length === 1);
		const repetition = await keyedTransfer();
		expect([repetition.status, repetition.json.code]).toEqual([409, 'VAL']);
		const other = await keyedTransfer(undefined, { idempotencyKey: 'key-2' });
		expect(other.status).toBe(200);
		expect((await keyedTransfer(undefined, { idempotencyKey: 'key-2' })).text).toBe(other.text);
	});

	it('`wait` returns the first result to the repetition, which executes nothing', async () => {
		simulator.settings.repetitionUnderWay = 'wait';
		const { answer } = await begin(LATE);
		const second = await keyedTransfer();
		expect((await answer)!.text).toBe(second.text);
		expect(simulator.requests.map(({ replayed }) => replayed)).toEqual([undefined, true]);
	});

	it('`wait` executes several waiting repetitions once if the first request was rejected', async () => {
		simulator.settings.repetitionUnderWay = 'wait';
		await begin(LATE, { to: '', amount: 1 });
		const answers = await Promise.all(Array.from({ length: 10 }, () => keyedTransfer()));
		expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
		expect(simulator.requests[0]!.status).toBe(400);
		expect(simulator.ledger).toHaveLength(1);
	});

	it('a reset cancels requests in flight and releases their keys', async () => {
		simulator.settings.repetitionUnderWay = 'wait';
		const { answer } = await begin({ kind: 'late-effect', delayMs: 600_000 });
		simulator.reset();
		expect(await answer).toBeUndefined();
		simulator.settings.repetitionUnderWay = 'wait';
		expect((await keyedTransfer()).status).toBe(200);
		expect(simulator.ledger).toHaveLength(1);
	});
});

describe('keepRejections', () => {
	it.each([
		[false, 200],
		[true, 400],
	])('%s answers the repetition of a rejected request with %d', async (keepRejections, status) => {
		simulator.settings.keepRejections = keepRejections;
		const ramp = async () =>
			await call(`PATCH /virtual-wallets/ramps/transfer/${IDS.processingRamp}`, {
				body: { amount: 5 },
				idempotencyKey: 'key-1',
			});
		expect((await ramp()).status).toBe(400);
		simulator.state.records.rampTransfers.find(({ id }) => id === IDS.processingRamp)!.status =
			'PENDING';
		expect((await ramp()).status).toBe(status);
	});

	it('a rejected API key is never kept', async () => {
		simulator.settings.keepRejections = true;
		expect((await keyedTransfer(undefined, { key: 1 })).status).toBe(401);
		expect((await keyedTransfer(undefined, { key: 2 })).status).toBe(200);
	});
});
