import { RateLimiter, RequestGroup } from '../../../../nodes/CardTreasury/request/rateLimiter.ts';
import { SERVICE_RATE } from '../../../../nodes/shared/serviceRate.ts';
import { seededRandom } from '../../../simulator/seededRandom.mts';
import { FakeClock } from './fakeClock.mts';

/** Service with a strict sliding window, used by processes that know nothing of each other. */
interface SharedService {
	processes: number;
	seconds: number;
	/** True if a rejected request counts towards the limit. */
	refusedCount: boolean;
	seed: number;
}

/** Runs the processes at full load; each repeats a request until it is accepted. */
export async function useTogether(service: SharedService) {
	const { processes, seconds, refusedCount, seed } = service;
	const clock = new FakeClock();
	const random = seededRandom(seed);
	const travel = async () => await clock.wait(20 + 20 * random());
	let window: number[] = [];
	const count = { sent: 0, accepted: 0, slowestMs: 0 };
	const arrive = (): boolean => {
		const now = clock.now();
		window = window.filter((at) => now - at < 1_000);
		const accepted = window.length < SERVICE_RATE;
		if (accepted || refusedCount) window.push(now);
		count.sent += 1;
		if (accepted) count.accepted += 1;
		return accepted;
	};
	const finished = Array<number>(processes).fill(0);
	const groups = finished.map((_, process) => {
		const group = new RequestGroup();
		const limiter = new RateLimiter(clock);
		const send = async () => {
			let began: number | undefined;
			for (;;) {
				const start = await limiter.acquire(group, SERVICE_RATE, began !== undefined);
				if (!start) return;
				began ??= start.at;
				await travel();
				const accepted = arrive();
				await travel();
				if (accepted) break;
				limiter.onRateLimited(start);
			}
			count.slowestMs = Math.max(count.slowestMs, clock.now() - began);
			finished[process]! += 1;
		};
		for (let each = 0; each < seconds * SERVICE_RATE; each++) void send();
		return group;
	});
	await clock.runUntil(seconds * 1_000);
	groups.forEach((group) => group.halt());
	await clock.runUntil();
	return {
		/** Accepted requests, as a share of the limit. */
		share: count.accepted / (SERVICE_RATE * seconds),
		/** Rejected requests, as a share of all sent. */
		refused: 1 - count.accepted / count.sent,
		/** Longest time from a request's first start to its success. */
		slowestMs: count.slowestMs,
		finished,
	};
}
