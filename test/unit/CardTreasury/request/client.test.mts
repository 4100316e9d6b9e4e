import { createClient, type ClientWork } from '../../../../nodes/CardTreasury/request/client.ts';
import { FileReference } from '../../../../nodes/CardTreasury/request/input.ts';
import { RateLimiter, RequestGroup } from '../../../../nodes/CardTreasury/request/rateLimiter.ts';
import { InvalidFieldError } from '../../../../nodes/shared/fields/invalidField.ts';
import { FakeClock } from './fakeClock.mts';
import { answer, lost, OK, POLICY, scripted, workOf } from './scriptedClient.mts';

describe('stop', () => {
	it('nothing is sent if the group is stopped while waiting for its turn', async () => {
		const line = scripted(OK);
		const results = [line.start(), line.start()];
		await line.clock.runUntil(10);
		line.group.halt();
		await line.clock.runUntil();
		expect((await Promise.all(results)).map(({ kind }) => kind)).toEqual(['answered', 'stopped']);
		expect(line.sent).toHaveLength(1);
	});

	it('the outcome is unknown if the group is stopped between two attempts', async () => {
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

	it('nothing is sent if the group is stopped while the body is built', async () => {
		const line = scripted(OK);
		const file = new FileReference('data', 1, Buffer.alloc(1), async () => {
			line.group.halt();
			return Buffer.alloc(1);
		});
		expect(await line.send({ request: { method: 'POST', path: '/x', body: file } })).toEqual({
			kind: 'stopped',
		});
		expect(line.sent).toEqual([]);
	});

	it('the client returns an answer that arrives after the stop', async () => {
		const line = scripted(OK);
		const result = line.start();
		await line.clock.runUntil(10);
		line.group.halt();
		await line.clock.runUntil();
		expect((await result).kind).toBe('answered');
	});
});

describe('sent request', () => {
	const wireOf = async (work: Partial<ClientWork>) => {
		const line = scripted(OK);
		await line.send(work);
		return line.sent[0]!.wire;
	};

	it('a request carries the query, headers, body, key and deadline', async () => {
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

	it('a request omits the content type without a body, and the key header without a key', async () => {
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

	it('a request accepts a PDF if the operation expects one', async () => {
		const { headers } = await wireOf({ profile: { effect: 'read', answer: 'pdf' } });
		expect(headers.accept).toBe('application/pdf, application/json');
	});

	it('every attempt has the same key and body, and reads a file again', async () => {
		const line = scripted(answer(503), OK);
		const bytes = jest.fn(async () => Buffer.from('abc'));
		const file = new FileReference('data', 3, Buffer.alloc(0), bytes, 'image/png');
		await line.send({ request: { method: 'POST', path: '/x', body: { file } } });
		const [first, second] = line.sent.map(({ wire }) => wire);
		expect(first).toEqual(second);
		expect(first!.body).toBe('{"file":"data:image/png;base64,YWJj"}');
		expect(bytes).toHaveBeenCalledTimes(2);
	});

	it('a file is read only when its turn comes', async () => {
		const line = scripted(OK);
		const bytes = jest.fn(async () => Buffer.from('abc'));
		const file = new FileReference('data', 3, Buffer.alloc(0), bytes);
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

describe('unsendable request', () => {
	const fileThat = (bytes: () => Promise<Buffer>) =>
		new FileReference('data', 3, Buffer.alloc(0), bytes);

	it('nothing is sent if a file is missing', async () => {
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
				fix: 'Load it again.',
				traceId: null,
				outcome: 'not_sent',
			},
		});
		expect(line.sent).toEqual([]);
	});

	it('an unknown outcome stays if the file is missing at the second attempt', async () => {
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

	it('a transport that throws leaves an unknown outcome and no repetition', async () => {
		const line = scripted(async () => await Promise.reject(new Error('defect')));
		expect(await line.send()).toMatchObject({
			kind: 'failed',
			attempts: 1,
			failure: { code: 'NO_ANSWER', outcome: 'unknown' },
		});
	});
});

describe('forgotten idempotency key', () => {
	const FORGOTTEN = {
		message: 'The service may have forgotten the idempotency key by now',
		fix: 'It was not sent again, because the Idempotency Window of the credential is over.',
		outcome: 'unknown',
		idempotencyKey: 'key-1',
	};
	const dueIn = (line: ReturnType<typeof scripted>, ms: number) => ({
		outcomeUnknown: true,
		forgottenAt: line.clock.date() + ms,
	});

	it('the client stops a write that may have been executed', async () => {
		const line = scripted(OK);
		expect(await line.send(dueIn(line, 0))).toMatchObject({
			kind: 'failed',
			attempts: 0,
			failure: FORGOTTEN,
		});
		expect(line.sent).toEqual([]);
		expect((await line.send(dueIn(line, 1_000))).kind).toBe('answered');
	});

	it('the client stops such a write if its turn comes too late', async () => {
		const line = scripted(OK);
		const results = [line.start(), line.start(dueIn(line, 10))];
		await line.clock.runUntil();
		expect(await Promise.all(results)).toMatchObject([
			{ kind: 'answered' },
			{ kind: 'failed', attempts: 0, failure: FORGOTTEN },
		]);
		expect(line.sent).toHaveLength(1);
	});

	it('the repetition of such a write ends with its last failure', async () => {
		const line = scripted(lost('ECONNRESET'), OK);
		const work = { forgottenAt: line.clock.date() + 400 };
		expect(await line.send(work)).toMatchObject({
			kind: 'failed',
			attempts: 1,
			failure: { code: 'ECONNRESET', outcome: 'unknown', idempotencyKey: 'key-1' },
		});
		expect(line.sent).toHaveLength(1);
	});

	it('the client allows a write that was never sent or was rejected', async () => {
		const first = scripted(OK);
		expect((await first.send({ forgottenAt: 0 })).kind).toBe('answered');
		const busy = scripted(answer(429), OK);
		expect(await busy.send({ forgottenAt: 0 })).toMatchObject({ kind: 'answered', attempts: 2 });
	});

	it('the client allows the repetition of a read', async () => {
		const line = scripted(lost('ECONNRESET'), OK);
		const result = line.client.send(workOf('read', { forgottenAt: 0 }), line.group);
		await line.clock.runUntil();
		expect(await result).toMatchObject({ kind: 'answered', attempts: 2 });
	});
});

it('the default jitter varies the wait', async () => {
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
