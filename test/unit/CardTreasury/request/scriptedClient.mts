import {
	createClient,
	type ClientWork,
	type WireRequest,
} from '../../../../nodes/CardTreasury/request/client.ts';
import {
	RateLimiter,
	RequestGroup,
	type Start,
} from '../../../../nodes/CardTreasury/request/rateLimiter.ts';
import type { Effect } from '../../../../nodes/CardTreasury/request/request.ts';
import type { Attempt } from '../../../../nodes/CardTreasury/request/response.ts';
import { response } from './classified.mts';
import { FakeClock } from './fakeClock.mts';

/** Duration of each attempt. */
export const TAKES_MS = 50;

export type Step = Attempt | (() => Promise<Attempt>);

export const answer = (status: number, retryAfter?: string): Attempt =>
	response(status, { id: 1 }, retryAfter === undefined ? {} : { 'retry-after': retryAfter });
export const lost = (code: string): Attempt => ({ kind: 'no response', code, timedOut: false });
export const OK = answer(200);

class RecordingLimiter extends RateLimiter {
	readonly told: Array<{ start: Start; retryAfterMs?: number }> = [];

	override onRateLimited(start: Start, retryAfterMs?: number): void {
		this.told.push({ start, retryAfterMs });
		super.onRateLimited(start, retryAfterMs);
	}
}

/** Client whose network answers by a script; the last step repeats. */
export function scripted(...steps: Step[]) {
	const clock = new FakeClock();
	const limiter = new RecordingLimiter(clock);
	const sent: Array<{ at: number; wire: WireRequest }> = [];
	const client = createClient({
		clock,
		limiter,
		random: () => 1,
		transport: async (wire) => {
			sent.push({ at: clock.now(), wire });
			const step = steps[Math.min(sent.length, steps.length) - 1]!;
			await clock.wait(TAKES_MS);
			return typeof step === 'function' ? await step() : step;
		},
	});
	const group = new RequestGroup();
	return {
		client,
		clock,
		limiter,
		sent,
		group,
		times: () => sent.map(({ at }) => at),
		start: (work: Partial<ClientWork> = {}) => client.send(workOf('keyed write', work), group),
		async send(work: Partial<ClientWork> = {}) {
			const result = client.send(workOf('keyed write', work), group);
			await clock.runUntil();
			return await result;
		},
	};
}

export const POLICY = {
	maxAttempts: 5,
	maxTotalMs: 120_000,
	requestsPerSecond: 15,
	timeoutMs: 7_000,
};

export function workOf(effect: Effect, work: Partial<ClientWork> = {}): ClientWork {
	return {
		request: { method: 'POST', path: '/x', body: { amount: 1 } },
		profile: { effect, answer: 'object' },
		policy: POLICY,
		...(effect === 'keyed write' && { idempotencyKey: 'key-1' }),
		...work,
	};
}
