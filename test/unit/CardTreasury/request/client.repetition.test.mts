import { createClient } from '../../../../nodes/CardTreasury/request/client.ts';
import { RateLimiter, RequestGroup } from '../../../../nodes/CardTreasury/request/rateLimiter.ts';
import type { Effect } from '../../../../nodes/CardTreasury/request/request.ts';
import { FakeClock } from './fakeClock.mts';
import {
	answer,
	lost,
	OK,
	POLICY,
	scripted,
	TAKES_MS,
	workOf,
	type Step,
} from './scriptedClient.mts';

/** Combined with every Retry-After, a long and a short total time, and no, one or an earlier unclear attempt. */
describe('statuses and network errors', () => {
	const EFFECTS: Effect[] = ['read', 'keyed write', 'unkeyed write'];
	const DEFINITE = ['400', '401', '403', '404', '412', '429'];
	const NOT_SENT = [
		'ECONNREFUSED',
		'ENOTFOUND',
		'EAI_AGAIN',
		'CERT_HAS_EXPIRED',
		'ERR_INVALID_CHAR',
	];
	const BUSY = ['408', '502', '503', '504'];
	const STATUSES = ['301', '302', ...DEFINITE, '409', '422', '500', '501', ...BUSY];
	const CODES = [...NOT_SENT, 'ECONNRESET', 'NO_ANSWER'];
	const PASSING_CODES = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'ECONNRESET'];

	const attemptOf = (what: string, retryAfter?: string) =>
		STATUSES.includes(what) ? answer(Number(what), retryAfter) : lost(what);

	/** True if another attempt follows such a failure, given time and attempts. */
	function repeated(what: string, effect: Effect): boolean {
		if (what === '429') return true;
		if (BUSY.includes(what) || what === 'ECONNRESET') return effect !== 'unkeyed write';
		return PASSING_CODES.includes(what);
	}

	/** Earlier unclear attempt; an unkeyed write never follows an attempt of the same run. */
	const BEFORE = ['nothing', 'an attempt', 'an earlier run'] as const;

	const circumstances = (effect: Effect) =>
		[undefined, '3', '1000'].flatMap((retryAfter) =>
			[120_000, 2_000].flatMap((maxTotalMs) =>
				BEFORE.filter((before) => effect !== 'unkeyed write' || before !== 'an attempt').map(
					(unclear) => ({ retryAfter, maxTotalMs, unclear }),
				),
			),
		);

	const CASES = [...STATUSES, ...CODES].flatMap((what) =>
		EFFECTS.map((effect) => [what, effect] as const),
	);

	it.each(CASES)('%s is repeated as allowed for a %s', async (what, effect) => {
		for (const circumstance of circumstances(effect))
			await check(what, effect, circumstance).catch((error: Error) => {
				throw new Error(`${JSON.stringify(circumstance)}: ${error.message}`, { cause: error });
			});
	});

	async function check(
		what: string,
		effect: Effect,
		{ retryAfter, maxTotalMs, unclear }: ReturnType<typeof circumstances>[number],
	): Promise<void> {
		const attempted = unclear === 'an attempt';
		const before = attempted ? [lost('ECONNRESET')] : [];
		// A second attempt succeeds.
		const line = scripted(...before, attemptOf(what, retryAfter), OK);
		const result = await line.send({
			...workOf(effect),
			policy: { ...POLICY, maxTotalMs },
			outcomeUnknown: unclear === 'an earlier run',
		});
		const isStatus = STATUSES.includes(what);
		const asked = isStatus && retryAfter ? Number(retryAfter) * 1_000 : undefined;
		// Jitter is at its maximum: one second after the first attempt, two after the second.
		const startedAt = attempted ? 1_050 : 0;
		const backOff = what === '429' ? 0 : attempted ? 2_000 : 1_000;
		const nextAt = startedAt + TAKES_MS + Math.max(asked ?? 0, backOff);
		const again = repeated(what, effect) && nextAt <= maxTotalMs;

		expect(line.sent).toHaveLength(before.length + (again ? 2 : 1));
		expect(line.limiter.told).toEqual(
			what === '429' ? [{ start: { at: startedAt }, retryAfterMs: asked }] : [],
		);
		if (again) {
			const pause = what === '429' ? Math.max(asked ?? 0, 200) : Math.max(asked ?? 0, backOff);
			expect(line.times().at(-1)).toBeCloseTo(startedAt + TAKES_MS + pause, 6);
			expect(result).toMatchObject({ kind: 'answered', attempts: before.length + 2 });
			return;
		}
		if (result.kind !== 'failed') throw new Error(`It is ${result.kind}`);
		const definite = DEFINITE.includes(what) || NOT_SENT.includes(what);
		const unknown = effect !== 'read' && (unclear !== 'nothing' || !definite);
		const outcome = unknown ? 'unknown' : NOT_SENT.includes(what) ? 'not_sent' : 'rejected';
		expect(result.attempts).toBe(before.length + 1);
		expect(result.failure.outcome).toBe(outcome);
		expect(result.failure.status).toBe(isStatus ? Number(what) : undefined);
		expect(result.failure.code).toBe(isStatus ? undefined : what);
		expect(result.failure.traceId).toBe(isStatus ? 'trace-1' : null);
		expect(result.failure.idempotencyKey).toBe(
			unknown && effect === 'keyed write' ? 'key-1' : undefined,
		);
		expect(result.failure.fix.includes('n8n tried 2 times.')).toBe(attempted);
	}
});

describe('repetition', () => {
	it.each([503, 408, 502, 504])(
		'sends a %d as often as Maximum Attempts allows',
		async (status) => {
			const line = scripted(answer(status));
			const result = await line.send();
			expect(line.times()).toEqual([0, 1_050, 3_100, 7_150, 15_200]);
			expect(result).toMatchObject({ kind: 'failed', attempts: 5 });
			expect(result.kind === 'failed' && result.failure.fix).toContain('n8n tried 5 times.');
		},
	);

	it('repeats a 429 without counting it, for every effect', async () => {
		for (const effect of ['read', 'keyed write', 'unkeyed write'] as const) {
			const line = scripted(...Array<Step>(9).fill(answer(429)), OK);
			const result = await line.send({ ...workOf(effect), policy: { ...POLICY, maxAttempts: 1 } });
			expect(result).toMatchObject({ kind: 'answered', attempts: 10 });
			expect(line.limiter.told).toHaveLength(9);
		}
	});

	it('backs off by the counted attempts', async () => {
		const line = scripted(answer(429), answer(503), OK);
		await line.send();
		const [, second, third] = line.times();
		expect(third! - second!).toBe(1_000 + TAKES_MS);
	});

	it('ends at the total time after a 429, as not executed', async () => {
		const line = scripted(answer(429));
		const result = await line.send({ policy: { ...POLICY, maxTotalMs: 20_000 } });
		expect(line.times().at(-1)).toBeLessThanOrEqual(20_000);
		expect(line.times().at(-1)).toBeGreaterThan(15_000);
		expect(result).toMatchObject({ kind: 'failed', failure: { status: 429, outcome: 'rejected' } });
	});

	it('measures the total time from the first start, not from the wait before it', async () => {
		const line = scripted(answer(503), OK);
		const others = Array.from(
			{ length: 40 },
			async () => await line.limiter.acquire(line.group, 1),
		);
		const result = await line.send({ policy: { ...POLICY, maxTotalMs: 5_000 } });
		await Promise.all(others);
		expect(line.times()[0]).toBeGreaterThan(30_000);
		expect(result.kind).toBe('answered');
	});

	it('starts nothing when its turn comes after the total time', async () => {
		const line = scripted(answer(503), OK);
		const result = await line.send({
			policy: { ...POLICY, maxTotalMs: 5_000, requestsPerSecond: 0.1 },
		});
		expect(line.sent).toHaveLength(1);
		expect(result).toMatchObject({ kind: 'failed', attempts: 1, failure: { status: 503 } });
	});

	it('always makes the first attempt, even if the process is busy after its turn', async () => {
		class BusyClock extends FakeClock {
			private calls = 0;

			override now(): number {
				this.calls += 1;
				return super.now() + this.calls * 100;
			}
		}
		const clock = new BusyClock();
		const transport = async () => await Promise.resolve(OK);
		const client = createClient({ clock, limiter: new RateLimiter(clock), transport });
		const policy = { ...POLICY, maxTotalMs: 1 };
		expect((await client.send(workOf('read', { policy }), new RequestGroup())).kind).toBe(
			'answered',
		);
	});
});

it("a Retry-After date is compared with the clock's date", async () => {
	const line = scripted(answer(503, 'Sat, 21 Nov 2026 10:00:05 GMT'), OK);
	await line.send();
	expect(line.times()).toEqual([0, 5_000]);
});

it('a batch of unkeyed writes under a strict limit completes without a failure', async () => {
	const taken: number[] = [];
	const line = scripted(async () => {
		const now = line.clock.now();
		if (taken.filter((at) => now - at < 1_000).length >= 4) return answer(429);
		taken.push(now);
		return OK;
	});
	const work = workOf('unkeyed write', { policy: { ...POLICY, maxAttempts: 1 } });
	const results = Array.from(
		{ length: 60 },
		async () => await line.start({ ...work, idempotencyKey: undefined }),
	);
	await line.clock.runUntil();
	expect((await Promise.all(results)).map(({ kind }) => kind)).toEqual(Array(60).fill('answered'));
	expect(taken).toHaveLength(60);
});
