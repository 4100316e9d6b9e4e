import { call } from './client.mts';
import { OTHER_COMPANY_API_KEY, startSimulator } from './index.mts';
import { RateLimit } from './rateLimit.mts';
import { simulator, useSimulator } from './useSimulator.mts';

let clock = 0;
useSimulator({ requestsPerSecond: 0, now: () => clock });

describe('request limit (§8)', () => {
	it('accepts at most 15 in any 1,000 ms, however they are spread', () => {
		const limit = new RateLimit({ requestsPerSecond: 15, countRejected: false });
		const accepted: number[] = [];
		for (let at = 0; at < 10_000; at += 7)
			if (limit.admit(at, ['anybody']) === 0) accepted.push(at);
		for (const [index, at] of accepted.entries()) {
			const earlier = accepted[index - 15];
			if (earlier !== undefined) expect(at - earlier).toBeGreaterThanOrEqual(1_000);
		}
		// It rejects no more than necessary.
		expect(accepted.length).toBeGreaterThanOrEqual(15 * 9);
	});

	it('counts all requests of the company, even unauthenticated ones, and answers 429 without a JSON body', async () => {
		const limited = await startSimulator({ retryAfter: 'seconds' });
		try {
			const answers = await Promise.all(
				Array.from({ length: 20 }, (_, n) =>
					call(limited, 'GET', n % 2 ? '/mpc/tokens/list' : '/nowhere', {
						key: n % 3 === 0 ? 'none' : 1,
					}),
				),
			);
			const rejected = answers.filter(({ status }) => status === 429);
			expect([rejected.length, limited.rateLimit.rejected]).toEqual([5, 5]);
			for (const { json, headers } of rejected) {
				expect(json).toBeUndefined();
				expect(headers['retry-after']).toBe('1');
				expect(headers['x-trace-id']).toMatch(/./);
			}
			expect(limited.requests.filter(({ status }) => status === 429)).toHaveLength(5);
			// The control API is not limited.
			expect(
				(await call(limited, 'GET', '/_simulator/state', { key: 'none' })).json.rateLimit,
			).toEqual({
				perSecond: 15,
				rejected: 5,
			});
		} finally {
			await limited.close();
		}
	});

	it.each([
		[false, 'do not count', 0],
		[true, 'count', 1],
	])('countRejected %s: rejected requests %s', (countRejected, _what, rejected) => {
		const limit = new RateLimit({ requestsPerSecond: 2, countRejected });
		for (const at of [0, 0, 500, 500]) limit.admit(at, ['a']);
		limit.rejected = 0;
		limit.admit(1_000, ['a']);
		expect(limit.rejected).toBe(rejected);
	});

	it('returns the time to wait', () => {
		const limit = new RateLimit({ requestsPerSecond: 2, countRejected: false });
		expect([0, 300, 700, 1_000, 1_100].map((at) => limit.admit(at, ['a']))).toEqual([
			0, 0, 300, 0, 200,
		]);
	});

	it('applies per IP address and per company', async () => {
		simulator.settings.requestsPerSecond = 2;
		const status = async (ip: string, key: string) =>
			(await call(simulator, 'GET', '/mpc/tokens/list', { key, headers: { 'x-simulated-ip': ip } }))
				.status;
		const own = 'test-api-key-level-1';
		const seen = [
			await status('10.0.0.1', own),
			await status('10.0.0.1', OTHER_COMPANY_API_KEY),
			// The address has used both of its requests, the company one of two.
			await status('10.0.0.1', own),
			await status('10.0.0.2', own),
			await status('10.0.0.2', own),
			await status('10.0.0.2', OTHER_COMPANY_API_KEY),
			await status('10.0.0.3', OTHER_COMPANY_API_KEY),
		];
		expect(seen).toEqual([200, 200, 429, 200, 429, 200, 429]);
		expect(simulator.rateLimit.rejected).toBe(3);
		clock += 1_000;
		expect(await status('10.0.0.1', own)).toBe(200);
	});

	it('uses 127.0.0.1 for a request that names no address', async () => {
		simulator.settings.requestsPerSecond = 1;
		const ask = (headers = {}) =>
			call(simulator, 'GET', '/mpc/tokens/list', { key: 'none', headers });
		expect((await ask()).status).toBe(401);
		expect((await ask({ 'x-simulated-ip': '127.0.0.1' })).status).toBe(429);
		expect((await ask({ 'x-simulated-ip': '10.0.0.1' })).status).toBe(401);
	});
});
