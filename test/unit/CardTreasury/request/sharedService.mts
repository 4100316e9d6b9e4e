import { RateLimiter, RequestGroup } from '../../../../nodes/CardTreasury/request/rateLimiter.ts';
import { SERVICE_RATE } from '../../../../nodes/shared/statuses.ts';
import { seededRandom } from '../../../simulator/seededRandom.mts';
import { FakeClock } from './fakeClock.mts';

/** A service with a strict sliding window, used by processes that know nothing of each other. */
export interface SharedService {
	processes: number;
	seconds: number;
	/** Whether a refused request takes a place in the window. */
	refusedCount: boolean;
	seed: number;
	/** One way, in milliseconds. */
	travelMs?: [least: number, most: number];
}

/** Lets each process send as much as it can, each request until it is accepted. */
export async function useTogether(service: SharedService) {
	const { processes, seconds, refusedCount, seed, travelMs: [least, most] = [20, 40] } = service;
	const clock = new FakeClock();
	const random = seededRandom(seed);
	const travel = async () => await clock.wait(least + (most - least) * random());
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
		/** Of what the service takes in that time. */
		share: count.accepted / (SERVICE_RATE * seconds),
		/** Of all requests sent. */
		refused: 1 - count.accepted / count.sent,
		/** Longest time from a request's first start to its success. */
		slowestMs: count.slowestMs,
		finished,
	};
}
