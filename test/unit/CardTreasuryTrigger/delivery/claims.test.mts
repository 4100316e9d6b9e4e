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
	it('are taken by exactly one of any number of copies, which share its result', async () => {
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

	it('released, are shared as such by the copies that waited and free for the next', async () => {
		const { claims } = setUp();
		const first = claims('a');
		const copy = claims('a');
		if (!first.first) throw new Error('The first copy must be the first');
		first.release();
		expect(claims('a').first).toBe(true);
		expect(await resultOf(copy)).toEqual({ committed: false });
	});

	it('once ended, stay as they are', async () => {
		const { claims } = setUp();
		const first = claims('a');
		if (!first.first) throw new Error('The first copy must be the first');
		first.commit();
		first.release();
		expect(await resultOf(claims('a'))).toEqual({ committed: true });
	});

	it('left open, as when a database hangs, do not hold back the retries of the event for good', async () => {
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

	it('last for the window and no longer', () => {
		const { claims, pass } = setUp();
		commit(claims('a'));
		pass(30 * MINUTES - 1);
		expect(claims('a').first).toBe(false);
		pass(1);
		expect(claims('a').first).toBe(true);
	});

	it('reach beyond the retry schedule at 15 events a second, with the limits of the node (§6.4)', () => {
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

	it('have a clock of their own', () => {
		const claims = createClaims(EVENT_CLAIMS);
		expect([claims('node', 'a').first, claims('node', 'a').first]).toEqual([true, false]);
	});

	it('are bounded: the oldest goes first', () => {
		const { claims } = setUp({ max: 3 });
		for (const key of ['a', 'b', 'c', 'd']) commit(claims(key));
		expect(claims('d').first).toBe(false);
		expect(claims('b').first).toBe(false);
		expect(claims('a').first).toBe(true);
	});

	it('are no more than 30,000 at a time, with the limits of the node', () => {
		const { claims } = setUp(EVENT_CLAIMS);
		for (let n = 0; n <= 30_000; n++) commit(claims(`event ${n}`));
		expect(claims('event 1').first).toBe(false);
		expect(claims('event 0').first).toBe(true);
	});

	it('of one trigger push out none of another', () => {
		const { claims } = setUp({ max: 3 });
		commit(claims('a'));
		for (let n = 0; n < 10; n++) commit(claims(`event ${n}`, 'busy'));
		expect(claims('a').first).toBe(false);
		expect(claims('a', 'busy').first).toBe(true);
	});

	it('of authorizations are few: 10,000 of a minute', () => {
		const { claims, pass } = setUp(AUTHORIZATION_CLAIMS);
		for (let n = 0; n <= 10_000; n++) commit(claims(`authorization ${n}`));
		expect(claims('authorization 1').first).toBe(false);
		expect(claims('authorization 0').first).toBe(true);
		pass(MINUTES);
		expect(claims('authorization 10000').first).toBe(true);
	});

	it('agree with a plain list of what has been committed', () => {
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
