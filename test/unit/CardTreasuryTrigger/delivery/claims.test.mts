import fc from 'fast-check';

import {
	AUTHORIZATION_CLAIMS,
	createClaims,
	EVENT_CLAIMS,
	type Claim,
	type ClaimLimits,
} from '../../../../nodes/CardTreasuryTrigger/delivery/claims.ts';

const MINUTES = 60_000;

function setUp(limits: Partial<ClaimLimits> = {}) {
	let at = 0;
	const claims = createClaims({
		windowMs: 30 * MINUTES,
		openMs: MINUTES,
		max: 100,
		now: () => at,
		...limits,
	});
	return {
		claims: (key: string, node = 'node') => claims(node, key),
		pass: (ms: number) => (at += ms),
	};
}

function commit(claim: Claim) {
	if (claim.first) claim.commit();
	return claim;
}

const resultOf = async (claim: Claim) => (claim.first ? 'first' : await claim.result);

describe('claims', () => {
	it('exactly one of several duplicates is the first, and the others share its result', async () => {
		const { claims } = setUp();
		const [first, ...copies] = Array.from({ length: 200 }, () => claims('a'));
		if (!first?.first) throw new Error('The first copy must be the first');
		expect(copies.every((copy) => !copy.first)).toBe(true);
		first.commit({ responseCode: '05' });
		expect(
			new Set((await Promise.all(copies.map(resultOf))).map((each) => JSON.stringify(each))),
		).toEqual(new Set(['{"committed":true,"answer":{"responseCode":"05"}}']));
		expect(await resultOf(claims('a'))).toEqual({
			committed: true,
			answer: { responseCode: '05' },
		});
	});

	it('a release reaches the waiting duplicates, and the next one is a first delivery again', async () => {
		const { claims } = setUp();
		const first = claims('a');
		const copy = claims('a');
		if (!first.first) throw new Error('The first copy must be the first');
		first.release();
		expect(claims('a').first).toBe(true);
		expect(await resultOf(copy)).toEqual({ committed: false });
	});

	it('a claim that has ended does not change', async () => {
		const { claims } = setUp();
		const first = claims('a');
		if (!first.first) throw new Error('The first copy must be the first');
		first.commit();
		first.release();
		expect(await resultOf(claims('a'))).toEqual({ committed: true });
	});

	it('an open claim, such as during a database failure, does not block retries of the event permanently', async () => {
		const { claims, pass } = setUp();
		const hanging = claims('a');
		if (!hanging.first) throw new Error('The first copy must be the first');
		pass(MINUTES - 1);
		expect(claims('a').first).toBe(false);
		pass(1);
		const retry = claims('a');
		if (!retry.first) throw new Error('The retry must be tried for itself');
		const copy = claims('a');
		// The one that hung comes back late: it takes nothing away from the retry.
		hanging.release();
		retry.commit();
		expect(await resultOf(copy)).toEqual({ committed: true });
		expect(claims('a').first).toBe(false);
	});

	it('a claim lasts exactly as long as the window', () => {
		const { claims, pass } = setUp();
		commit(claims('a'));
		pass(30 * MINUTES - 1);
		expect(claims('a').first).toBe(false);
		pass(1);
		expect(claims('a').first).toBe(true);
	});

	it("the node's limits cover the retry schedule at 15 events a second (§6.4)", () => {
		const waits = Array.from({ length: 10 }, (_, n) => 1_000 * 2 ** n).reduce(
			(sum, ms) => sum + ms,
			0,
		);
		const schedule = waits + 10 * 30_000;
		const { claims, pass } = setUp(EVENT_CLAIMS);
		commit(claims('the one'));
		const between = 1_000 / 15;
		for (let n = 0; n * between < schedule; n++) {
			commit(claims(`event ${n}`));
			pass(between);
		}
		expect(claims('the one').first).toBe(false);
	});

	it('the oldest claim is dropped at the maximum', () => {
		const { claims } = setUp({ max: 3 });
		for (const key of ['a', 'b', 'c', 'd']) commit(claims(key));
		expect(claims('d').first).toBe(false);
		expect(claims('b').first).toBe(false);
		expect(claims('a').first).toBe(true);
	});

	it("the node's limits allow at most 30,000 claims", () => {
		const { claims } = setUp(EVENT_CLAIMS);
		for (let n = 0; n <= 30_000; n++) commit(claims(`event ${n}`));
		expect(claims('event 1').first).toBe(false);
		expect(claims('event 0').first).toBe(true);
	});

	it('claims of one trigger do not displace those of another', () => {
		const { claims } = setUp({ max: 3 });
		commit(claims('a'));
		for (let n = 0; n < 10; n++) commit(claims(`event ${n}`, 'busy'));
		expect(claims('a').first).toBe(false);
		expect(claims('a', 'busy').first).toBe(true);
	});

	it("the node's limits for authorizations allow 10,000 claims of a minute", () => {
		const { claims, pass } = setUp(AUTHORIZATION_CLAIMS);
		for (let n = 0; n <= 10_000; n++) commit(claims(`authorization ${n}`));
		expect(claims('authorization 1').first).toBe(false);
		expect(claims('authorization 0').first).toBe(true);
		pass(MINUTES);
		expect(claims('authorization 10000').first).toBe(true);
	});

	it('the claims agree with a plain list of committed deliveries', () => {
		const step = fc.record({
			key: fc.constantFrom('a', 'b', 'c'),
			end: fc.constantFrom('commit', 'release', 'none'),
		});
		fc.assert(
			fc.property(fc.array(step), (steps) => {
				const { claims } = setUp();
				const taken = new Set<string>();
				for (const { key, end } of steps) {
					const claim = claims(key);
					expect(claim.first).toBe(!taken.has(key));
					if (!claim.first) continue;
					taken.add(key);
					if (end === 'commit') claim.commit();
					if (end === 'release') {
						claim.release();
						taken.delete(key);
					}
				}
			}),
		);
	});
});
