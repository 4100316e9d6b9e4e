import { createRateLimiters } from '../../../../nodes/CardTreasury/client/rateLimiter.ts';
import { RequestGroup } from '../../../../nodes/CardTreasury/client/rateLimiter.ts';
import { SERVICE_RATE } from '../../../../nodes/service/statuses.ts';
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

	/** A hundred hosts, host 0 the longest unused. */
	function hundred() {
		const limiterOf = createRateLimiters(clock);
		const kept = Array.from({ length: 100 }, (_, host) => limiterOf(String(host)));
		return { limiterOf, kept };
	}

	it('keeps a hundred, and forgets the idle one that was unused the longest', () => {
		const { limiterOf, kept } = hundred();
		expect(limiterOf('0')).toBe(kept[0]);
		limiterOf('new');
		expect(limiterOf('0')).toBe(kept[0]);
		expect(limiterOf('2')).toBe(kept[2]);
		expect(limiterOf('1')).not.toBe(kept[1]);
	});

	it('does not forget one that is in use while another is idle', async () => {
		const { limiterOf, kept } = hundred();
		void kept[0]!.acquire(new RequestGroup(), SERVICE_RATE);
		await clock.runUntil(500);
		limiterOf('new');
		expect(limiterOf('0')).toBe(kept[0]);
		expect(limiterOf('1')).not.toBe(kept[1]);
	});

	it('forgets the longest unused when all are in use', async () => {
		const { limiterOf, kept } = hundred();
		kept.forEach((each) => void each.acquire(new RequestGroup(), SERVICE_RATE));
		await clock.runUntil(500);
		limiterOf('new');
		expect(limiterOf('1')).toBe(kept[1]);
		expect(limiterOf('0')).not.toBe(kept[0]);
	});
});
