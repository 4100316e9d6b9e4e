import { getEventListeners } from 'node:events';

import { n8nTransport } from '../../../../nodes/CardTreasury/n8n/connect.ts';

const REQUEST = { method: 'GET', path: '/', headers: {}, timeoutMs: 60_000 } as const;
const ANSWER = { statusCode: 200, headers: {}, body: Buffer.from('%PDF-') };

let deadline: AbortController;

beforeEach(() => {
	deadline = new AbortController();
	jest.spyOn(AbortSignal, 'timeout').mockReturnValue(deadline.signal);
});
afterEach(() => jest.restoreAllMocks());

it('lets go of an answer when it has arrived, not when its deadline has passed', async () => {
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

it('gives up at the deadline on an answer that does not end', async () => {
	const request = async () => await new Promise<never>(() => {});
	const attempt = n8nTransport(request, { baseUrl: 'http://127.0.0.1' })(REQUEST);
	deadline.abort();
	expect(await attempt).toEqual({ kind: 'no response', code: 'ECONNABORTED', timedOut: true });
});

it.each(['SsrfBlockedIpError', 'SsrfBlockedHostnameError'])(
	"knows n8n's own %s, however deep it lies",
	async (name) => {
		const blocked = Object.assign(new Error('blocked'), { name });
		const request = async () => await Promise.reject(new Error('wrapped', { cause: blocked }));
		const attempt = await n8nTransport(request, { baseUrl: 'https://10.1.2.3' })(REQUEST);
		expect(attempt).toEqual({ kind: 'no response', code: 'SSRF_BLOCKED', timedOut: false });
	},
);
