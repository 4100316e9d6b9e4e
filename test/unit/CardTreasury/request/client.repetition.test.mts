import { createClient } from '../../../../nodes/CardTreasury/request/client.ts';
import { RateLimiter, RequestGroup } from '../../../../nodes/CardTreasury/request/rateLimiter.ts';
import type { Attempt } from '../../../../nodes/CardTreasury/request/response.ts';
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

describe('failed attempt', () => {
	const failed = (outcome: string, more: object = {}) => ({
		kind: 'failed',
		failure: { outcome, ...more },
	});
	const KEY = { idempotencyKey: 'key-1' };
	const ANSWERED = { kind: 'answered' };

	/** Outcome of a read, of a keyed write and of an unkeyed write. */
	it.each<[string, Attempt, object, object, object]>([
		['301', answer(301), failed('rejected'), failed('unknown', KEY), failed('unknown')],
		['400', answer(400), failed('rejected'), failed('rejected'), failed('rejected')],
		['409', answer(409), failed('rejected'), failed('unknown', KEY), failed('unknown')],
		['429', answer(429), ANSWERED, ANSWERED, ANSWERED],
		['500', answer(500), failed('rejected'), failed('unknown', KEY), failed('unknown')],
		['503', answer(503), ANSWERED, ANSWERED, failed('unknown')],
		['ECONNREFUSED', lost('ECONNREFUSED'), ANSWERED, ANSWERED, ANSWERED],
		['ECONNRESET', lost('ECONNRESET'), ANSWERED, ANSWERED, failed('unknown')],
		[
			'CERT_HAS_EXPIRED',
			lost('CERT_HAS_EXPIRED'),
			failed('not_sent'),
			failed('not_sent'),
			failed('not_sent'),
		],
		['NO_ANSWER', lost('NO_ANSWER'), failed('rejected'), failed('unknown', KEY), failed('unknown')],
	])('%s ends each effect as expected', async (_, attempt, ...expected) => {
		for (const [index, effect] of (['read', 'keyed write', 'unkeyed write'] as const).entries()) {
			const line = scripted(attempt, OK);
			const result = await line.send(workOf(effect));
			expect([effect, result]).toMatchObject([effect, expected[index]!]);
			expect(line.sent).toHaveLength(result.kind === 'answered' ? 2 : 1);
		}
	});

	it.each([lost('ECONNREFUSED'), answer(400)])(
		'a write stays unknown after an unclear attempt, even of an earlier run: %j',
		async (attempt) => {
			const policy = { ...POLICY, maxAttempts: 2 };
			const own = await scripted(lost('ECONNRESET'), attempt).send({ policy });
			expect(own).toMatchObject({ ...failed('unknown', KEY), attempts: 2 });
			const earlier = await scripted(attempt).send({ policy, outcomeUnknown: true });
			expect(earlier).toMatchObject(failed('unknown', KEY));
		},
	);

	it.each([
		[undefined, 1_050],
		['3', 3_050],
	])('Retry-After %j is waited for if it is longer than the back-off', async (after, at) => {
		const line = scripted(answer(503, after), OK);
		await line.send();
		expect(line.times()).toEqual([0, at]);
	});

	it('the limiter is told of a 429 with its start and Retry-After', async () => {
		const line = scripted(answer(429, '3'), OK);
		await line.send();
		expect(line.limiter.told).toEqual([{ start: { at: 0 }, retryAfterMs: 3_000 }]);
		expect(line.times()).toEqual([0, 3_050]);
		const other = scripted(answer(503, '3'), OK);
		await other.send();
		expect(other.limiter.told).toEqual([]);
	});

	it('a 429 is repeated after the pause of the limiter, without a back-off', async () => {
		const line = scripted(answer(429), OK);
		const result = await line.send({ policy: { ...POLICY, maxTotalMs: 300 } });
		expect(result).toMatchObject({ kind: 'answered', attempts: 2 });
	});
});

describe('repetition', () => {
	/** Statuses that are repeated, and for which effects. Every other status is final for all. */
	const REPEATED: Record<number, readonly string[]> = {
		408: ['read', 'keyed write'],
		429: ['read', 'keyed write', 'unkeyed write'],
		502: ['read', 'keyed write'],
		503: ['read', 'keyed write'],
		504: ['read', 'keyed write'],
	};

	it('only 408, 429, 502, 503 and 504 are repeated, and an unkeyed write only after 429', async () => {
		const repeated: typeof REPEATED = {};
		for (let status = 300; status <= 599; status++) {
			const effects = [];
			for (const effect of ['read', 'keyed write', 'unkeyed write'] as const) {
				const line = scripted(answer(status), OK);
				await line.send(workOf(effect));
				if (line.sent.length > 1) effects.push(effect);
			}
			if (effects.length > 0) repeated[status] = effects;
		}
		expect(repeated).toEqual(REPEATED);
	});

	it.each([503, 408, 502, 504])(
		'the client sends a %d as often as Maximum Attempts allows',
		async (status) => {
			const line = scripted(answer(status));
			const result = await line.send();
			expect(line.times()).toEqual([0, 1_050, 3_100, 7_150, 15_200]);
			expect(result).toMatchObject({ kind: 'failed', attempts: 5 });
			expect(result.kind === 'failed' && result.failure.fix).toContain('n8n tried 5 times.');
		},
	);

	it('the client repeats a 429 without counting it, for every effect', async () => {
		for (const effect of ['read', 'keyed write', 'unkeyed write'] as const) {
			const line = scripted(...Array<Step>(9).fill(answer(429)), OK);
			const result = await line.send({ ...workOf(effect), policy: { ...POLICY, maxAttempts: 1 } });
			expect(result).toMatchObject({ kind: 'answered', attempts: 10 });
			expect(line.limiter.told).toHaveLength(9);
		}
	});

	it('the client backs off by the counted attempts', async () => {
		const line = scripted(answer(429), answer(503), OK);
		await line.send();
		const [, second, third] = line.times();
		expect(third! - second!).toBe(1_000 + TAKES_MS);
	});

	it('a 429 ends at the total time, as not executed', async () => {
		const line = scripted(answer(429));
		const result = await line.send({ policy: { ...POLICY, maxTotalMs: 20_000 } });
		expect(line.times().at(-1)).toBeLessThanOrEqual(20_000);
		expect(line.times().at(-1)).toBeGreaterThan(15_000);
		expect(result).toMatchObject({ kind: 'failed', failure: { status: 429, outcome: 'rejected' } });
	});

	it('the total time starts with the first attempt, not from the wait before it', async () => {
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

	it('nothing starts when its turn comes after the total time', async () => {
		const line = scripted(answer(503), OK);
		const result = await line.send({
			policy: { ...POLICY, maxTotalMs: 5_000, requestsPerSecond: 0.1 },
		});
		expect(line.sent).toHaveLength(1);
		expect(result).toMatchObject({ kind: 'failed', attempts: 1, failure: { status: 503 } });
	});

	it('the client always makes the first attempt, even if the process is busy after its turn', async () => {
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

	it('a repetition precedes new requests of its group', async () => {
		const line = scripted(answer(429), OK);
		const results = ['/1', '/2', '/3'].map(
			async (path) =>
				await line.start({
					request: { method: 'POST', path },
					policy: { ...POLICY, requestsPerSecond: 5 },
				}),
		);
		await line.clock.runUntil();
		await Promise.all(results);
		expect(line.sent.map(({ wire }) => wire.path)).toEqual(['/1', '/1', '/2', '/3']);
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
