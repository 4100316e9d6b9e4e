import { getEventListeners } from 'node:events';
import { Readable } from 'node:stream';

import { n8nTransport } from '../../../../nodes/CardTreasury/n8n/connect.ts';

const REQUEST = { method: 'GET', path: '/', headers: {}, timeoutMs: 60_000 } as const;
const ANSWER = { statusCode: 200, headers: {}, body: Buffer.from('%PDF-') };

let deadline: AbortController;

beforeEach(() => {
	deadline = new AbortController();
	jest.spyOn(AbortSignal, 'timeout').mockReturnValue(deadline.signal);
});
afterEach(() => jest.restoreAllMocks());

it('an answer is released from memory when it has arrived, not at its deadline', async () => {
	let waiting = 0;
	const request = async () => {
		// The listener is added after the helper was called.
		await new Promise((resolve) => setImmediate(resolve));
		waiting = getEventListeners(deadline.signal, 'abort').length;
		return ANSWER;
	};
	const attempt = await n8nTransport(request, { baseUrl: 'http://127.0.0.1' })(REQUEST);
	expect(attempt).toMatchObject({ kind: 'response', status: 200, body: ANSWER.body });
	expect(waiting).toBe(1);
	expect(getEventListeners(deadline.signal, 'abort')).toHaveLength(0);
});

it('an endless answer ends at the deadline', async () => {
	const request = async () => await new Promise<never>(() => {});
	const attempt = n8nTransport(request, { baseUrl: 'http://127.0.0.1' })(REQUEST);
	deadline.abort();
	expect(await attempt).toEqual({ kind: 'no response', code: 'ECONNABORTED', timedOut: true });
});

describe('streamed answer', () => {
	const MEGABYTE = Buffer.alloc(1024 * 1024);
	const attemptWith = async (body: Readable) =>
		await n8nTransport(async () => ({ ...ANSWER, body }), { baseUrl: 'http://127.0.0.1' })(REQUEST);

	it('the stream is read to its end', async () => {
		const attempt = await attemptWith(Readable.from([Buffer.from('%P'), Buffer.from('DF-')]));
		expect(attempt).toMatchObject({ kind: 'response', status: 200, body: ANSWER.body });
		expect(getEventListeners(deadline.signal, 'abort')).toHaveLength(0);
	});

	it('the stream is closed at the deadline', async () => {
		const body = new Readable({ read: () => {} });
		body.push('a part');
		const attempt = attemptWith(body);
		await new Promise((resolve) => setImmediate(resolve));
		deadline.abort();
		expect(await attempt).toEqual({ kind: 'no response', code: 'ECONNABORTED', timedOut: true });
		expect(body.destroyed).toBe(true);
	});

	it('the stream is closed if its headers arrive after the deadline', async () => {
		const body = new Readable({ read: () => {} });
		let arrive = (_: object) => {};
		const request = async () =>
			await new Promise<typeof ANSWER>((resolve) => (arrive = resolve as typeof arrive));
		const attempt = n8nTransport(request, { baseUrl: 'http://127.0.0.1' })(REQUEST);
		deadline.abort();
		expect(await attempt).toMatchObject({ timedOut: true });
		arrive({ ...ANSWER, body });
		await new Promise((resolve) => setImmediate(resolve));
		expect(body.destroyed).toBe(true);
	});

	it('the stream is closed if it exceeds 50 MB', async () => {
		let sent = 0;
		const body = new Readable({
			read() {
				sent++;
				this.push(MEGABYTE);
			},
		});
		expect(await attemptWith(body)).toEqual({
			kind: 'no response',
			code: 'TOO_LARGE',
			timedOut: false,
		});
		expect(body.destroyed).toBe(true);
		expect(sent).toBeLessThan(60);
	});

	it('an interrupted one does not count as an answer', async () => {
		const body = new Readable({ read: () => {} });
		const attempt = attemptWith(body);
		body.destroy(Object.assign(new Error('aborted'), { code: 'ECONNRESET' }));
		expect(await attempt).toEqual({ kind: 'no response', code: 'ECONNRESET', timedOut: false });
	});
});

it.each(['SsrfBlockedIpError', 'SsrfBlockedHostnameError'])(
	"n8n's %s is recognized at any depth",
	async (name) => {
		const blocked = Object.assign(new Error('blocked'), { name });
		const request = async () => await Promise.reject(new Error('wrapped', { cause: blocked }));
		const attempt = await n8nTransport(request, { baseUrl: 'https://10.1.2.3' })(REQUEST);
		expect(attempt).toEqual({ kind: 'no response', code: 'SSRF_BLOCKED', timedOut: false });
	},
);

describe('attempt', () => {
	const attempt = async (
		request: Parameters<typeof n8nTransport>[0],
		more: { wire?: object; apiKey?: string; allowedDomains?: string } = {},
	) => {
		const { wire, ...options } = more;
		return await n8nTransport(request, { baseUrl: 'https://api.example.com/v1', ...options })({
			...REQUEST,
			...wire,
		});
	};

	it.each([
		['sk-live-0123', 'Incorrect key [API key] (or [API key])'],
		['sk-live-012', 'Incorrect key sk-live-012 (or sk-live-012)'],
		[undefined, 'Incorrect key undefined (or undefined)'],
	])('the answer does not contain the key: %s', async (apiKey, text) => {
		const body = Buffer.from(`Incorrect key ${apiKey} (or ${apiKey})`);
		const answer = await attempt(async () => ({ ...ANSWER, body }), { apiKey });
		expect('body' in answer && answer.body.toString()).toBe(text);
	});

	it.each([
		'sk/live+0123.ok',
		'sk\\/live+0123.ok',
		'sk\\u002flive\\u002B0123\\u002eok',
		'\\u0073k\\/live\\+0123.ok',
	])('the answer does not contain the key, however JSON spells it: %s', async (spelling) => {
		const around = Buffer.from([0xff, 0xc3, 0xa9]);
		const body = Buffer.concat([around, Buffer.from(`\\\\${spelling}`), around]);
		const answer = await attempt(async () => ({ ...ANSWER, body }), { apiKey: 'sk/live+0123.ok' });
		const masked = Buffer.concat([around, Buffer.from('\\\\[API key]'), around]);
		expect('body' in answer && answer.body).toEqual(masked);
	});

	it('the answer keeps what only resembles the key', async () => {
		const body = Buffer.from('sk\\/live+0123-ok \\u0053k/live+0123.ok sk/l\\ive+0123.ok');
		const answer = await attempt(async () => ({ ...ANSWER, body }), { apiKey: 'sk/live+0123.ok' });
		expect('body' in answer && answer.body).toEqual(body);
	});

	it.each<[string, object, object]>([
		['a read', {}, {}],
		[
			'a write',
			{ method: 'POST', headers: { 'X-Api-Version': '2' }, body: '{"amount":1.10}' },
			{ method: 'POST', headers: { 'X-Api-Version': '2' }, body: '{"amount":1.10}' },
		],
	])('%s calls n8n once, for any answer unchanged', async (_, wire, asked) => {
		const request = jest.fn(async () => ANSWER);
		await attempt(request, { wire });
		expect(request.mock.calls).toEqual([
			[
				{
					method: 'GET',
					url: 'https://api.example.com/v1/',
					headers: {},
					timeout: 60_000,
					abortSignal: expect.any(AbortSignal),
					encoding: 'stream',
					returnFullResponse: true,
					disableFollowRedirect: true,
					ignoreHttpStatusErrors: true,
					...asked,
				},
			],
		]);
		const listed = jest.fn(async () => ANSWER);
		await attempt(listed, { wire, allowedDomains: 'api.example.com' });
		expect(listed).toHaveBeenCalledWith(
			expect.objectContaining({ allowedDomains: 'api.example.com' }),
		);
	});

	it.each<[string, unknown, string]>([
		['bytes', Buffer.from('é'), 'é'],
		['a text', 'é', 'é'],
		['an object', { a: 1 }, '{"a":1}'],
		['nothing', undefined, ''],
	])('the attempt returns the bytes of an answer that is %s', async (_, body, expected) => {
		const result = await attempt(async () => ({ ...ANSWER, statusCode: 503, body }));
		expect(result).toMatchObject({ kind: 'response', status: 503, headers: {} });
		expect(result.kind === 'response' && Buffer.from(result.body).toString('utf8')).toBe(expected);
	});

	it('the attempt returns the headers as texts by lower-case name', async () => {
		const headers = { 'X-Trace-Id': 'T-1', 'Retry-After': 5, 'set-cookie': ['a', 'b'] };
		expect(await attempt(async () => ({ ...ANSWER, headers }))).toMatchObject({
			headers: { 'x-trace-id': 'T-1', 'retry-after': '5', 'set-cookie': 'a, b' },
		});
		expect(await attempt(async () => ({ ...ANSWER, headers: undefined }))).toMatchObject({
			headers: {},
		});
	});

	const nested = (depth: number): object =>
		depth === 0 ? { code: 'ECONNRESET' } : { message: 'x', cause: nested(depth - 1) };

	it.each<[unknown, string, boolean]>([
		[{ code: 'ECONNREFUSED' }, 'ECONNREFUSED', false],
		[{ code: 'ETIMEDOUT' }, 'ETIMEDOUT', true],
		[{ httpCode: 'ENOTFOUND' }, 'ENOTFOUND', false],
		[{ code: 500, httpCode: 'EPIPE' }, 'EPIPE', false],
		[{ code: 'bad request', httpCode: '404' }, 'NO_ANSWER', false],
		[{ code: 'EIO' }, 'NO_ANSWER', false],
		[{ code: 'ECONNRESET!' }, 'NO_ANSWER', false],
		[{ code: 'ERR_TLS', cause: { code: 'ETIMEDOUT' } }, 'ERR_TLS', false],
		[{ cause: { name: 'ExpressionError' } }, 'NO_CREDENTIAL', false],
		[{ cause: { name: 'ExpressionExtensionError' } }, 'NO_CREDENTIAL', false],
		[{ name: 'NodeOperationError' }, 'NO_ANSWER', false],
		[{ cause: { name: 'TypeError', message: 'ExpressionError' } }, 'NO_ANSWER', false],
		[{ code: 'ECONNRESET', cause: { name: 'ExpressionError' } }, 'ECONNRESET', false],
		[nested(4), 'ECONNRESET', false],
		[nested(5), 'NO_ANSWER', false],
		[null, 'NO_ANSWER', false],
	])('the attempt returns the code of the error %j: %s', async (thrown, code, timedOut) => {
		const failing = jest.fn(async () => await Promise.reject(thrown as Error));
		expect(await attempt(failing)).toEqual({ kind: 'no response', code, timedOut });
		expect(failing).toHaveBeenCalledTimes(1);
	});

	it('the timeout is rounded up to a whole millisecond', async () => {
		await attempt(async () => ANSWER, { wire: { timeoutMs: 999.2 } });
		expect(AbortSignal.timeout).toHaveBeenCalledWith(1_000);
	});
});
