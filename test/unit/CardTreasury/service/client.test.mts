import type { Attempt } from '../../../../nodes/CardTreasury/service/attempt.ts';
import { createSend, type WireRequest } from '../../../../nodes/CardTreasury/service/client.ts';
import { RateLimiter } from '../../../../nodes/CardTreasury/service/limiter.ts';
import type { Effect, ServiceRequest } from '../../../../nodes/CardTreasury/service/request.ts';
import { Problem } from '../../../../nodes/shared/problem.ts';

const POST: ServiceRequest = { method: 'POST', path: '/x', body: { a: 1 } };
/** E.g. `503@2 ECONNRESET 200`: a reply with Retry-After, no reply, a reply. */
const attemptsIn = (text: string) =>
	text.split(' ').map((word): Attempt => {
		const [name = '', after] = word.split('@');
		const headers: Record<string, string> = after === undefined ? {} : { 'retry-after': after };
		const body = Buffer.from('{"code":"C"}');
		return /^\d/.test(name) ? { status: Number(name), headers, body } : { code: name };
	});

interface Sent {
	/** Starts of the attempts in milliseconds, rounded to 10. */
	starts: number[];
	requests: WireRequest[];
	outcome: string;
	problem?: Problem;
}

interface Given {
	effect?: Effect;
	key?: string;
	request?: ServiceRequest;
	/** Duration of an attempt. */
	ms?: number;
	/** Time of Stop. */
	stopAt?: number;
}

beforeEach(() => {
	jest.useFakeTimers();
	jest.spyOn(Math, 'random').mockReturnValue(0);
});

/** Sends a request whose attempts end one after the other as given, the last one again and again. */
async function send(text: string, given: Given = {}): Promise<Sent> {
	const attempts = attemptsIn(text);
	const { effect = 'payment', key, request = POST, ms = 0, stopAt = Infinity } = given;
	const starts: number[] = [];
	const requests: WireRequest[] = [];
	const transport = async (wire: WireRequest) => {
		starts.push(performance.now());
		requests.push(wire);
		const attempt = attempts[Math.min(requests.length, attempts.length) - 1]!;
		await new Promise((resolve) => setTimeout(resolve, ms));
		return attempt;
	};
	const sending = { effect, key, isStopped: () => performance.now() >= stopAt };
	const limiter = new RateLimiter();
	await limiter.turn(() => false);
	const sent = createSend(transport, limiter)(request, sending).then(
		() => ({ outcome: 'done' }),
		(thrown: unknown) => {
			if (!(thrown instanceof Problem)) throw thrown;
			return { outcome: thrown.outcome, problem: thrown };
		},
	);
	await jest.advanceTimersByTimeAsync(600_000);
	return { starts: starts.map((start) => Math.round(start / 10) * 10), requests, ...(await sent) };
}

it.each<[effect: Effect, attempts: string, count: number, outcome: string]>([
	['read', '200', 1, 'done'],
	['read', '503 ECONNRESET 200', 3, 'done'],
	['set', '500 200', 2, 'done'],
	['payment', 'ECONNRESET 502 ETIMEDOUT ECONNREFUSED 200', 5, 'done'],
	['payment', 'ECONNRESET', 5, 'unknown'],
	['payment', 'ECONNREFUSED', 5, 'not_sent'],
	// One attempt that may have been executed makes all unknown.
	['payment', 'ECONNRESET ECONNREFUSED', 5, 'unknown'],
	['payment', 'ECONNRESET 400', 2, 'unknown'],
	['payment', '400', 1, 'rejected'],
	['once', 'ECONNRESET 200', 1, 'unknown'],
	['once', 'ECONNREFUSED 200', 2, 'done'],
	['once', 'ECONNREFUSED ECONNRESET 200', 2, 'unknown'],
	['once', '429 200', 2, 'done'],
])('%s: after %s, the attempts are %d and end %s', async (effect, attempts, count, outcome) => {
	const sent = await send(attempts, { effect });
	expect([sent.starts.length, sent.outcome]).toEqual([count, outcome]);
});

it.each<[attempts: string, random: number, starts: number[]]>([
	// Half to all of 1, 2, 4 and 8 s.
	['ECONNRESET', 0, [0, 500, 1_500, 3_500, 7_500]],
	['ECONNRESET', 1, [0, 1_000, 3_000, 7_000, 15_000]],
	['503@2 200', 0, [0, 2_000]],
	['503@0 200', 0, [0, 70]],
	['503@5m 200', 0, [0, 500]],
	['503@-5 200', 0, [0, 500]],
	// A 429 pauses all requests for a second, and does not count as an attempt.
	['429 200', 0, [0, 1_000]],
	['429@0 200', 0, [0, 70]],
	['429@30 200', 0, [0, 30_000]],
	['429 ECONNRESET', 0, [0, 1_000, 1_500, 2_500, 4_500, 8_500]],
])('after the attempts %s (random %d) the starts are %j', async (attempts, random, starts) => {
	jest.mocked(Math.random).mockReturnValue(random);
	expect((await send(attempts)).starts).toEqual(starts);
});

it.each<[attempts: string, ms: number, starts: number[], outcome: string]>([
	['503@86400', 0, [0], 'unknown'],
	['503@120', 0, [0], 'unknown'],
	['503@100', 0, [0, 100_000], 'unknown'],
	// The pause ends after a minute, and another attempt tells how it is.
	['429@86400', 0, [0, 60_000], 'rejected'],
	['ECONNRESET', 60_000, [0, 60_500], 'unknown'],
])('no attempt starts two minutes after the first: %s', async (attempts, ms, starts, outcome) => {
	expect(await send(attempts, { ms })).toMatchObject({ starts, outcome });
});

it.each<[stopAt: number, attempts: string, ms: number, starts: number[], outcome: string]>([
	[0, '200', 0, [], 'not_sent'],
	[600, 'ECONNREFUSED', 0, [0, 500], 'not_sent'],
	[600, 'ECONNRESET', 0, [0, 500], 'unknown'],
	[300, '429@30', 0, [0], 'rejected'],
	// The attempt in flight keeps its outcome.
	[100, '200', 5_000, [0], 'done'],
])('Stop after %d ms starts no further attempt', async (stopAt, attempts, ms, starts, outcome) => {
	expect(await send(attempts, { ms, stopAt })).toMatchObject({ starts, outcome });
});

it('what Stop reaches before its first attempt says so', async () => {
	const problem = { message: 'Stopped before it was sent', fix: 'Run it again.' };
	expect(await send('200', { stopAt: 0 })).toMatchObject({ problem });
});

const headers = { accept: 'application/json, */*;q=0.9' };
const withBody = { ...headers, 'content-type': 'application/json' };
const query: ServiceRequest['query'] = [
	['a b', '&'],
	['a b', 'ü'],
];

it.each<[request: object, key: string | undefined, wire: object]>([
	[{}, 'key', { headers: { ...withBody, 'Idempotency-Key': 'key' }, body: '{"a":1}' }],
	[{ body: '{"a": 1.50}' }, undefined, { headers: withBody, body: '{"a": 1.50}' }],
	[{ body: async () => await Promise.resolve({ b: 1 }) }, undefined, { body: '{"b":1}' }],
	[{ body: undefined, query }, undefined, { path: '/x?a%20b=%26&a%20b=%C3%BC', headers }],
	[{ headers: { 'X-API-Version': '2' } }, undefined, { headers: { 'X-API-Version': '2' } }],
])('the request %j with the key %s is sent, the same in each attempt', async (more, key, wire) => {
	const { requests } = await send('ECONNRESET 200', { request: { ...POST, ...more }, key });
	expect(requests).toEqual([requests[0], requests[0]]);
	expect(requests[0]).toMatchObject({ method: 'POST', path: '/x', ...wire });
	expect('body' in requests[0]!).toBe(!('query' in more));
});

it('files are read for each attempt, and a file that is gone is not sent', async () => {
	let reads = 0;
	const body = async () =>
		await (++reads === 1 ? Promise.resolve({}) : Promise.reject(new Error('gone')));
	const sent = await send('ECONNREFUSED', { request: { ...POST, body }, effect: 'once' });
	expect(sent).toMatchObject({ starts: [0], outcome: 'not_sent' });
	const message = 'A file could not be read: gone';
	expect(sent.problem).toMatchObject({ message, fix: 'Check where it comes from.' });
});
