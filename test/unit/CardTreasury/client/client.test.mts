import { createClient, type ClientWork } from '../../../../nodes/CardTreasury/client/client.ts';
import { RateLimiter, type Start } from '../../../../nodes/CardTreasury/client/rateLimiter.ts';
import { RequestGroup } from '../../../../nodes/CardTreasury/client/requestGroup.ts';
import type { Attempt, WireRequest } from '../../../../nodes/CardTreasury/client/transport.ts';
import { InvalidFieldError } from '../../../../nodes/CardTreasury/errors.ts';
import { FileReference } from '../../../../nodes/CardTreasury/input.ts';
import type { Effect } from '../../../../nodes/CardTreasury/request.ts';
import { FakeClock } from './fakeClock.mts';

/** How long each attempt takes. */
const TAKES_MS = 50;

type Step = Attempt | (() => Promise<Attempt>);

const answer = (status: number, retryAfter?: string): Attempt => ({
	kind: 'response',
	status,
	headers: { 'x-trace-id': 'trace-1', ...(retryAfter && { 'retry-after': retryAfter }) },
	body: Buffer.from('{"id":1}'),
});
const lost = (code: string): Attempt => ({ kind: 'no response', code, timedOut: false });
const OK = answer(200);

class RecordingLimiter extends RateLimiter {
	readonly told: Array<{ start: Start; retryAfterMs?: number }> = [];

	override onRateLimited(start: Start, retryAfterMs?: number): void {
		this.told.push({ start, retryAfterMs });
		super.onRateLimited(start, retryAfterMs);
	}
}

/** A client on a network that answers by a script; its last step is repeated. */
function scripted(...steps: Step[]) {
	const clock = new FakeClock();
	const limiter = new RecordingLimiter(clock);
	const sent: Array<{ at: number; wire: WireRequest }> = [];
	const client = createClient({
		clock,
		limiter,
		random: () => 1,
		transport: async (wire) => {
			sent.push({ at: clock.now(), wire });
			const step = steps[Math.min(sent.length, steps.length) - 1]!;
			await clock.wait(TAKES_MS);
			return typeof step === 'function' ? await step() : step;
		},
	});
	const group = new RequestGroup();
	return {
		clock,
		limiter,
		sent,
		group,
		times: () => sent.map(({ at }) => at),
		start: (work: Partial<ClientWork> = {}) => client.send(workOf('keyed write', work), group),
		async send(work: Partial<ClientWork> = {}) {
			const result = client.send(workOf('keyed write', work), group);
			await clock.runUntil();
			return await result;
		},
	};
}

const POLICY = { maxAttempts: 5, maxTotalMs: 120_000, requestsPerSecond: 15, timeoutMs: 7_000 };

function workOf(effect: Effect, work: Partial<ClientWork> = {}): ClientWork {
	return {
		request: { method: 'POST', path: '/x', body: { amount: 1 } },
		profile: { effect, answer: 'object', recovery: 'retry' },
		policy: POLICY,
		...(effect === 'keyed write' && { idempotencyKey: 'key-1' }),
		...work,
	};
}

describe('every status, for every effect, with every Retry-After, in much and little time, after an unclear attempt, an unclear try of the node, or none', () => {
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

	/** Whether such a failure is followed by another attempt, were there time and attempts enough. */
	function repeated(what: string, effect: Effect): boolean {
		if (what === '429') return true;
		if (BUSY.includes(what) || what === 'ECONNRESET') return effect !== 'unkeyed write';
		return PASSING_CODES.includes(what);
	}

	/** What is unclear from before; an attempt without a key is not followed by another one. */
	const BEFORE = ['nothing', 'an attempt', 'a try of the node'] as const;

	const CASES = [...STATUSES, ...CODES].flatMap((what) =>
		EFFECTS.flatMap((effect) =>
			[undefined, '3', '1000'].flatMap((retryAfter) =>
				[120_000, 2_000].flatMap((maxTotalMs) =>
					BEFORE.filter((before) => effect !== 'unkeyed write' || before !== 'an attempt').map(
						(before) => [what, effect, retryAfter, maxTotalMs, before] as const,
					),
				),
			),
		),
	);

	it.each(CASES)(
		'%s · %s · Retry-After %p · %d ms · unclear before: %s',
		async (what, effect, retryAfter, maxTotalMs, unclear) => {
			const attempted = unclear === 'an attempt';
			const before = attempted ? [lost('ECONNRESET')] : [];
			// Then it goes well, if it is sent again at all.
			const line = scripted(...before, attemptOf(what, retryAfter), OK);
			const result = await line.send({
				...workOf(effect),
				policy: { ...POLICY, maxTotalMs },
				outcomeUnknown: unclear === 'a try of the node',
			});
			const isStatus = STATUSES.includes(what);
			const asked = isStatus && retryAfter ? Number(retryAfter) * 1_000 : undefined;
			// Jitter is at its most: one second after the first attempt, two after the second.
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
		},
	);
});

describe('repetition', () => {
	it.each([503, 408, 502, 504])('sends a %d as often as Maximum Attempts says', async (status) => {
		const line = scripted(answer(status));
		const result = await line.send();
		expect(line.times()).toEqual([0, 1_050, 3_100, 7_150, 15_200]);
		expect(result).toMatchObject({ kind: 'failed', attempts: 5 });
		expect(result.kind === 'failed' && result.failure.fix).toContain('n8n tried 5 times.');
	});

	it('repeats a 503 as often as Maximum Attempts says at 0.4 requests per second', async () => {
		const line = scripted(answer(503));
		await line.send({ policy: { ...POLICY, requestsPerSecond: 0.4 } });
		expect(line.sent).toHaveLength(5);
	});

	it('repeats a 429 without counting it, whatever the request does', async () => {
		for (const effect of ['read', 'keyed write', 'unkeyed write'] as const) {
			const line = scripted(...Array<Step>(9).fill(answer(429)), OK);
			const result = await line.send({ ...workOf(effect), policy: { ...POLICY, maxAttempts: 1 } });
			expect(result).toMatchObject({ kind: 'answered', attempts: 10 });
			expect(line.limiter.told).toHaveLength(9);
		}
	});

	it('counts the attempts between two 429s only', async () => {
		const line = scripted(answer(429), answer(503), answer(429), answer(503), OK);
		expect(await line.send({ policy: { ...POLICY, maxAttempts: 2 } })).toMatchObject({
			kind: 'failed',
			attempts: 4,
			failure: { status: 503 },
		});
	});

	it('backs off by the attempts that count', async () => {
		const line = scripted(answer(429), answer(503), OK);
		await line.send();
		const [, second, third] = line.times();
		expect(third! - second!).toBe(1_000 + TAKES_MS);
	});

	it('ends a 429 with the total time, as not executed', async () => {
		const line = scripted(answer(429));
		const result = await line.send({ policy: { ...POLICY, maxTotalMs: 20_000 } });
		expect(line.times().at(-1)).toBeLessThanOrEqual(20_000);
		expect(line.times().at(-1)).toBeGreaterThan(15_000);
		expect(result).toMatchObject({ kind: 'failed', failure: { status: 429, outcome: 'rejected' } });
	});

	it('counts the total time from the first start, not from the wait for it', async () => {
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

	it.each([
		[1_050, 2],
		[1_049, 1],
	])(
		'begins nothing after the total time, which ends %d ms after a late start: %d sent',
		async (maxTotalMs, sent) => {
			const line = scripted(answer(503));
			await line.clock.runUntil(7_000);
			await line.send({ policy: { ...POLICY, maxTotalMs } });
			expect(line.times()).toEqual([7_000, 8_050].slice(0, sent));
		},
	);

	it('begins nothing when its turn comes after the total time', async () => {
		const line = scripted(answer(503), OK);
		const result = await line.send({
			policy: { ...POLICY, maxTotalMs: 5_000, requestsPerSecond: 0.1 },
		});
		expect(line.sent).toHaveLength(1);
		expect(result).toMatchObject({ kind: 'failed', attempts: 1, failure: { status: 503 } });
	});

	it('waits a minute at most for a 429 that asks for more', async () => {
		const line = scripted(answer(429, '90'), OK);
		await line.send();
		expect(line.times()).toEqual([0, 60_000 + TAKES_MS]);
	});

	it('always makes the first attempt, even when the process is held up right after its turn', async () => {
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

	it('goes in front of what its group has not sent yet', async () => {
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

describe('stop', () => {
	it('sends nothing for a group that was stopped before', async () => {
		const line = scripted(OK);
		line.group.halt();
		expect(await line.send()).toEqual({ kind: 'stopped' });
		expect(line.sent).toEqual([]);
	});

	it('sends nothing when the group is stopped while it waits for its turn', async () => {
		const line = scripted(OK);
		const results = [line.start(), line.start()];
		await line.clock.runUntil(10);
		line.group.halt();
		await line.clock.runUntil();
		expect((await Promise.all(results)).map(({ kind }) => kind)).toEqual(['answered', 'stopped']);
		expect(line.sent).toHaveLength(1);
	});

	it('says what is unknown when the group is stopped between two attempts', async () => {
		const line = scripted(lost('ECONNRESET'), OK);
		const result = line.start();
		await line.clock.runUntil(500);
		line.group.halt();
		await line.clock.runUntil();
		expect(await result).toMatchObject({
			kind: 'failed',
			attempts: 1,
			failure: { outcome: 'unknown', idempotencyKey: 'key-1' },
		});
		expect(line.clock.now()).toBe(500);
	});

	it('sends nothing when the group is stopped while the body is made', async () => {
		const line = scripted(OK);
		const file = new FileReference(
			'data',
			1,
			async () => Buffer.alloc(1),
			async () => {
				line.group.halt();
				return Buffer.alloc(1);
			},
		);
		expect(await line.send({ request: { method: 'POST', path: '/x', body: file } })).toEqual({
			kind: 'stopped',
		});
		expect(line.sent).toEqual([]);
	});

	it('gives the answer that comes after the stop', async () => {
		const line = scripted(OK);
		const result = line.start();
		await line.clock.runUntil(10);
		line.group.halt();
		await line.clock.runUntil();
		expect((await result).kind).toBe('answered');
	});
});

describe('the wire', () => {
	const wireOf = async (work: Partial<ClientWork>) => {
		const line = scripted(OK);
		await line.send(work);
		return line.sent[0]!.wire;
	};

	it('carries the request, its key and its deadline', async () => {
		const request = {
			method: 'POST' as const,
			path: '/a%20b',
			query: [
				['from date', 'a&b'],
				['x', 'ä='],
			] as Array<[string, string]>,
			headers: { 'X-API-Version': '2' },
			body: { amount: 1 },
		};
		expect(await wireOf({ request })).toEqual({
			method: 'POST',
			path: '/a%20b?from%20date=a%26b&x=%C3%A4%3D',
			headers: {
				accept: 'application/json',
				'content-type': 'application/json',
				'X-API-Version': '2',
				'Idempotency-Key': 'key-1',
			},
			body: '{"amount":1}',
			timeoutMs: 7_000,
		});
	});

	it('names no content type without a body, and no key without one', async () => {
		expect(
			await wireOf({
				request: { method: 'GET', path: '/x', query: [] },
				idempotencyKey: undefined,
			}),
		).toStrictEqual({
			method: 'GET',
			path: '/x',
			headers: { accept: 'application/json' },
			timeoutMs: 7_000,
		});
	});

	it('asks for a PDF where one is expected', async () => {
		const { headers } = await wireOf({ profile: { effect: 'read', answer: 'pdf' } });
		expect(headers.accept).toBe('application/pdf, application/json');
	});

	it('sends the same key and body with every attempt, and reads a file anew for each', async () => {
		const line = scripted(answer(503), OK);
		const bytes = jest.fn(async () => Buffer.from('abc'));
		const file = new FileReference('data', 3, async () => Buffer.alloc(0), bytes, 'image/png');
		await line.send({ request: { method: 'POST', path: '/x', body: { file } } });
		const [first, second] = line.sent.map(({ wire }) => wire);
		expect(first).toEqual(second);
		expect(first!.body).toBe('{"file":"data:image/png;base64,YWJj"}');
		expect(bytes).toHaveBeenCalledTimes(2);
	});

	it('reads a file only when it is the turn of its request', async () => {
		const line = scripted(OK);
		const bytes = jest.fn(async () => Buffer.from('abc'));
		const file = new FileReference('data', 3, async () => Buffer.alloc(0), bytes);
		const policy = { ...POLICY, requestsPerSecond: 1 };
		const results = [1, 2, 3].map(
			async () => await line.start({ request: { method: 'POST', path: '/x', body: file }, policy }),
		);
		await line.clock.runUntil(500);
		expect(bytes).toHaveBeenCalledTimes(1);
		await line.clock.runUntil();
		await Promise.all(results);
		expect(bytes).toHaveBeenCalledTimes(3);
	});
});

describe('what cannot be sent', () => {
	const fileThat = (bytes: () => Promise<Buffer>) =>
		new FileReference('data', 3, async () => Buffer.alloc(0), bytes);

	it('says that nothing was sent when a file is gone', async () => {
		const line = scripted(OK);
		const body = fileThat(async () => {
			throw new InvalidFieldError(
				'Front Image Field',
				'names a file that is gone',
				'Load it again.',
			);
		});
		expect(await line.send({ request: { method: 'POST', path: '/x', body } })).toEqual({
			kind: 'failed',
			attempts: 0,
			failure: {
				kind: 'request failure',
				message: 'Front Image Field names a file that is gone',
				fix: 'Load it again. It was not sent.',
				traceId: null,
				outcome: 'not_sent',
			},
		});
		expect(line.sent).toEqual([]);
	});

	it('stays unknown when the file is gone at the second attempt', async () => {
		const line = scripted(lost('ECONNRESET'), OK);
		const bytes = jest.fn<Promise<Buffer>, []>().mockRejectedValue(new Error('ENOENT'));
		bytes.mockResolvedValueOnce(Buffer.from('abc'));
		const result = await line.send({
			request: { method: 'POST', path: '/x', body: fileThat(bytes) },
		});
		expect(result).toMatchObject({
			kind: 'failed',
			attempts: 1,
			failure: { outcome: 'unknown', idempotencyKey: 'key-1' },
		});
	});

	it('does not throw for a query that cannot be encoded', async () => {
		const line = scripted(OK);
		const request = {
			method: 'GET' as const,
			path: '/x',
			query: [['a', '\ud800']] as Array<[string, string]>,
		};
		expect(await line.send({ request })).toMatchObject({ failure: { outcome: 'not_sent' } });
	});

	it('takes a transport that throws for an unknown outcome, and does not repeat it', async () => {
		const line = scripted(async () => await Promise.reject(new Error('defect')));
		expect(await line.send()).toMatchObject({
			kind: 'failed',
			attempts: 1,
			failure: { code: 'NO_ANSWER', outcome: 'unknown' },
		});
	});
});

it('spreads its waits by chance when no other chance is given', async () => {
	const clock = new FakeClock();
	const times: number[] = [];
	const client = createClient({
		clock,
		limiter: new RateLimiter(clock),
		transport: async () => {
			times.push(clock.now());
			return times.length === 1 ? lost('ECONNRESET') : OK;
		},
	});
	const result = client.send(workOf('read'), new RequestGroup());
	await clock.runUntil();
	expect((await result).kind).toBe('answered');
	expect(times[1]).toBeGreaterThanOrEqual(500);
	expect(times[1]).toBeLessThanOrEqual(1_000);
});

it('reads the date of a Retry-After by the date of the clock', async () => {
	const line = scripted(answer(503, 'Sat, 21 Nov 2026 10:00:05 GMT'), OK);
	await line.send();
	expect(line.times()).toEqual([0, 5_000]);
});

it('ends a batch of unkeyed writes under a strict limit without a failure', async () => {
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
