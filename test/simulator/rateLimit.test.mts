import { call, control } from './client.mts';
import { RateLimit } from './rateLimit.mts';
import { simulator, useSimulator } from './useSimulator.mts';

let clock = 0;
useSimulator({ requestsPerSecond: 0, now: () => clock });

describe('request limit (§8)', () => {
	it('RateLimit accepts at most 15 in any 1,000 ms, however they are spread', () => {
		const limit = new RateLimit({ requestsPerSecond: 15, countRejected: false });
		const accepted: number[] = [];
		for (let at = 0; at < 10_000; at += 7) if (limit.admit(at) === 0) accepted.push(at);
		for (const [index, at] of accepted.entries())
			expect(at - (accepted[index - 15] ?? -Infinity)).toBeGreaterThanOrEqual(1_000);
		// It rejects no more than necessary.
		expect(accepted.length).toBeGreaterThanOrEqual(15 * 9);
	});

	it.each([
		[false, [0, 0, 500, 500, 0]],
		[true, [0, 0, 500, 500, 500]],
	])('countRejected %s lets requests wait %j ms', (countRejected, waits) => {
		const limit = new RateLimit({ requestsPerSecond: 2, countRejected });
		expect([0, 0, 500, 500, 1_000].map((at) => limit.admit(at))).toEqual(waits);
	});

	it('every request of the company counts, and a 429 has no JSON body', async () => {
		Object.assign(simulator.settings, { requestsPerSecond: 15, retryAfter: 'seconds' });
		const answers = await Promise.all(
			Array.from({ length: 20 }, (_, n) =>
				call(n % 2 ? 'GET /mpc/tokens/list' : 'GET /nowhere', { key: n % 3 === 0 ? 'none' : 1 }),
			),
		);
		const rejected = answers.filter(({ status }) => status === 429);
		expect([rejected.length, simulator.rateLimit.rejected]).toEqual([5, 5]);
		for (const { json, headers } of rejected) {
			expect([json, headers['retry-after']]).toEqual([undefined, '1']);
			expect(headers['x-trace-id']).toMatch(/./);
		}
		clock += 1_000;
		expect((await call('GET /mpc/tokens/list')).status).toBe(200);
		// The control API is not limited.
		const { json } = await control('GET state');
		expect(json.rateLimit).toEqual({ perSecond: 15, rejected: 5 });
	});
});
