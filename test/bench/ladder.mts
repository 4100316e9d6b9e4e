import type { RunOptions, Table } from './benchmark.mts';
import { DEADLINE_MS, figuresOf, sampleRate, warmUp, type Figures, type Load } from './measure.mts';

/** How long each rate is held. */
export const LADDER_SECONDS = 8;

/** One contender at rising rates. */
export interface Climb {
	contender: string;
	figures: Figures[];
}

/**
 * Measures a contender at rising rates, and stops after the first one at which it does not keep up: beyond that, a queue
 * only grows.
 */
export async function climb(contender: string, load: Load, rates: number[], { say, seconds = LADDER_SECONDS }: RunOptions): Promise<Climb> {
	const figures: Figures[] = [];
	await warmUp(load, Math.min(4, seconds));
	for (const rate of rates) {
		const at = figuresOf(rate, [await sampleRate(load, rate, seconds)]);
		say(`  ${contender}, ${rate}/s: p50 ${at.p50}, p99 ${at.p99} ms, ${percent(at.inTime)} in time, ${at.cpuMsPerEvent} ms CPU`);
		figures.push(at);
		if (!keepsUp(at)) break;
	}
	return { contender, figures };
}

/** The highest measured rate at which the receiver kept up; undefined when there is none. */
export function highestInTime({ figures }: Climb): number | undefined {
	return figures.filter(keepsUp).at(-1)?.ratePerSecond;
}

/** A fallback at the deadline is in time, but it is not the answer that was asked for. */
function keepsUp({ p99, asExpected }: Figures): boolean {
	return p99 <= DEADLINE_MS && asExpected >= 0.99;
}

export function climbTable(caption: string, climbs: Climb[]): Table {
	return {
		caption,
		headings: ['Receiver', 'Per second', 'p50 ms', 'p95 ms', 'p99 ms', 'Within 1,200 ms', 'Answered as expected', 'CPU ms each'],
		rows: climbs.flatMap(({ contender, figures }) =>
			figures.map((at, index) => [
				index === 0 ? contender : '',
				String(at.ratePerSecond),
				milliseconds(at.p50),
				milliseconds(at.p95),
				milliseconds(at.p99),
				percent(at.inTime),
				percent(at.asExpected),
				milliseconds(at.cpuMsPerEvent),
			]),
		),
	};
}

export function percent(share: number): string {
	return `${Math.floor(share * 1_000) / 10} %`;
}

/** Three digits are all that a measurement like these tells. */
export function milliseconds(value: number | null): string {
	if (value === null) return 'not read';
	return value < 100 ? value.toFixed(1) : Math.round(value).toLocaleString('en-US');
}
