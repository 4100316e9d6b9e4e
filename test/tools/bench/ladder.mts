import lodash from 'lodash';

import type { RunOptions, Table } from './benchmark.mts';
import {
	inTurns,
	sampleRate,
	typicalFigures,
	warmUp,
	type Figures,
	type Load,
} from './measure.mts';

/** Turns of each contender at a rate, and how long each lasts. */
const LADDER = { rounds: 3, seconds: 5 } as const;

/** How it is measured, for the page. */
export const LADDER_TEXT = `Receivers take turns of ${LADDER.seconds} seconds, ${LADDER.rounds} at each rate, and a different one begins each round. The percentiles are those of the middle turn, so that a slow moment of the machine does not decide; the shares are of all deliveries. A receiver that has fallen far behind is not tried at higher rates.`;

/** Who is measured. */
export interface Climber {
	contender: string;
	load: Load;
}

/** One contender at rising rates. */
export interface Climb {
	contender: string;
	figures: Figures[];
}

/**
 * Measures contenders at rising rates, in turns. Each stops after the first rate at which it does not keep up: beyond
 * that, a queue only grows.
 */
export async function climb(
	climbers: Climber[],
	rates: number[],
	{ say, seconds = LADDER.seconds }: RunOptions,
): Promise<Climb[]> {
	const climbs = climbers.map((climber) => ({ ...climber, figures: new Array<Figures>() }));
	for (const { load } of climbs) await warmUp(load, Math.min(4, seconds));
	let climbing = climbs;
	for (const rate of rates) {
		const sampled = await inTurns(
			climbing,
			LADDER.rounds,
			async ({ load }) => await sampleRate(load, rate, seconds),
		);
		for (const [{ contender, figures }, samples] of sampled) {
			const at = typicalFigures(rate, samples);
			figures.push(at);
			say(
				`  ${contender}, ${rate}/s: p50 ${at.p50}, p99 ${at.p99} ms, ${percent(at.inTime)} in time, ${at.cpuMsPerEvent} ms CPU`,
			);
		}
		climbing = climbing.filter(({ figures }) => keepsUp(figures.at(-1)!));
	}
	return climbs.map(({ contender, figures }) => ({ contender, figures }));
}

/** The highest measured rate up to which the receiver kept up at every rate; undefined when there is none. */
export function highestInTime({ figures }: Climb): number | undefined {
	return lodash.takeWhile(figures, keepsUp).at(-1)?.ratePerSecond;
}

/** A fallback at the deadline is in time, but it is not the answer that was asked for. */
function keepsUp({ inTime, asExpected }: Figures): boolean {
	return inTime >= 0.99 && asExpected >= 0.99;
}

export function climbTable(caption: string, climbs: Climb[]): Table {
	return {
		caption,
		headings: [
			'Receiver',
			'Per second',
			'p50 ms',
			'p95 ms',
			'p99 ms',
			'Within 1,200 ms',
			'Answered as expected',
			'CPU ms each',
		],
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
