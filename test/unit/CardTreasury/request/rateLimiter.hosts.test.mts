import { createRateLimiters } from '../../../../nodes/CardTreasury/request/rateLimiter.ts';
import { FakeClock } from './fakeClock.mts';

describe('one limiter per host', () => {
	let clock: FakeClock;
	beforeEach(() => {
		clock = new FakeClock();
	});

	it('is the same for the same host, and another for another', () => {
		const limiterOf = createRateLimiters(clock);
		expect(limiterOf('a')).toBe(limiterOf('a'));
		expect(limiterOf('a')).not.toBe(limiterOf('b'));
		expect(createRateLimiters(clock)('a')).not.toBe(limiterOf('a'));
	});
});
