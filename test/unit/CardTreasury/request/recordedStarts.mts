import {
	RequestGroup,
	type RateLimiter,
	type Start,
} from '../../../../nodes/CardTreasury/request/rateLimiter.ts';
import { SERVICE_RATE } from '../../../../nodes/shared/serviceRate.ts';

/** Requests turns from a limiter and records each start. */
export class RecordedStarts {
	recorded: Array<{ group: RequestGroup; at: number; repeated: boolean }> = [];

	constructor(private readonly limiter: RateLimiter) {}

	/** Requests turns without waiting for them; `recorded` shows what became of them. */
	ask(...request: Parameters<RecordedStarts['turns']>): void {
		void this.turns(...request);
	}

	turns(
		group = new RequestGroup(),
		count = 1,
		rate = SERVICE_RATE,
		repeated = false,
	): Array<Promise<Start | undefined>> {
		return Array.from({ length: count }, async () => {
			const start = await this.limiter.acquire(group, rate, repeated);
			if (start) this.recorded.push({ group, at: start.at, repeated });
			return start;
		});
	}

	times(group?: RequestGroup): number[] {
		return this.recorded
			.filter((start) => group === undefined || start.group === group)
			.map(({ at }) => at);
	}

	/** Largest number of starts in any window of this length. */
	busiest(windowMs: number, all = this.times()): number {
		return Math.max(
			0,
			...all.map((from) => all.filter((at) => at >= from && at < from + windowMs).length),
		);
	}
}

export const gaps = (all: number[]) => all.slice(1).map((at, index) => at - all[index]!);
