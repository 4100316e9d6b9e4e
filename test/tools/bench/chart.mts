import type { Climb } from './ladder.mts';
import { DEADLINE_MS } from './measure.mts';

const WIDTH = 760;
const HEIGHT = 420;
const PLOT = { left: 78, right: 740, top: 50, bottom: 320 };
/** Distinct for those who see no red or green, on white and on black. */
const COLOURS = ['#0072b2', '#009e73', '#cc79a7', '#d55e00', '#8c6d1f', '#5f6caf'];
const TEXT = '#808080';
const TICKS_MS = [1, 10, 100, 1_000, 10_000, 100_000];

/** p99 over the rate, a line per receiver, with the deadline; milliseconds on a logarithmic scale. */
export function climbChart(title: string, climbs: Climb[]): string {
	const most = Math.max(
		...climbs.flatMap(({ figures }) => figures.map(({ ratePerSecond }) => ratePerSecond)),
	);
	const x = (rate: number) => round(PLOT.left + (rate / most) * (PLOT.right - PLOT.left));
	const slowest = Math.max(...climbs.flatMap(({ figures }) => figures.map(({ p99 }) => p99)));
	const ticks = TICKS_MS.filter((_, index) => index < 5 || TICKS_MS[index - 1]! < slowest);
	const y = (ms: number) => {
		const [low, high] = [Math.log10(ticks[0]!), Math.log10(ticks.at(-1)!)];
		const share = (Math.log10(Math.max(ms, ticks[0]!)) - low) / (high - low);
		return round(PLOT.bottom - Math.min(1, share) * (PLOT.bottom - PLOT.top));
	};
	const rates = [
		...new Set(climbs.flatMap(({ figures }) => figures.map(({ ratePerSecond }) => ratePerSecond))),
	].sort((a, b) => a - b);
	return [
		...head(title),
		...ticks.map(
			(ms) =>
				`${line(PLOT.left, y(ms), PLOT.right, y(ms), 'stroke-opacity="0.25"')}${text(PLOT.left - 8, y(ms) + 4, `${ms.toLocaleString('en-US')} ms`, 'text-anchor="end"')}`,
		),
		...spacedOut(rates, x).map((rate) =>
			text(x(rate), PLOT.bottom + 18, `${rate}/s`, 'text-anchor="middle"'),
		),
		line(PLOT.left, y(DEADLINE_MS), PLOT.right, y(DEADLINE_MS), 'stroke-dasharray="6 4"'),
		text(PLOT.right, y(DEADLINE_MS) - 6, 'deadline 1,200 ms', 'text-anchor="end"'),
		...climbs.map(({ figures }, index) =>
			series(
				figures.map(({ ratePerSecond, p99 }) => [x(ratePerSecond), y(p99)]),
				index,
				3.5,
			),
		),
		...climbs.map(({ contender }, index) => legend(contender, index)),
		'</svg>',
		'',
	].join('\n');
}

/** Something that changes while time passes: a value for each step. */
export interface TimeSeries {
	label: string;
	values: number[];
}

export interface TimeScale {
	/** Of each step. */
	seconds: number;
	unit: string;
}

/** Values over time, a line per series, on a linear scale from zero. */
export function timeChart(title: string, all: TimeSeries[], scale: TimeScale): string {
	const steps = Math.max(...all.map(({ values }) => values.length)) - 1;
	const highest = Math.max(...all.flatMap(({ values }) => values));
	const tick = tickFor(highest);
	const top = Math.ceil(highest / tick) * tick;
	const x = (step: number) => round(PLOT.left + (step / steps) * (PLOT.right - PLOT.left));
	const y = (value: number) => round(PLOT.bottom - (value / top) * (PLOT.bottom - PLOT.top));
	const ticks = Array.from({ length: top / tick + 1 }, (_, index) => index * tick);
	const duration = steps * scale.seconds;
	const every = tickFor(duration);
	const times = Array.from({ length: Math.floor(duration / every) + 1 }, (_, at) => at * every);
	return [
		...head(title),
		...ticks.map(
			(value) =>
				`${line(PLOT.left, y(value), PLOT.right, y(value), 'stroke-opacity="0.25"')}${text(PLOT.left - 8, y(value) + 4, `${value} ${scale.unit}`, 'text-anchor="end"')}`,
		),
		...times.map((seconds) =>
			text(x(seconds / scale.seconds), PLOT.bottom + 18, `${seconds} s`, 'text-anchor="middle"'),
		),
		...all.map(({ values }, index) =>
			series(
				values.map((value, step) => [x(step), y(value)]),
				index,
				0,
			),
		),
		...all.map(({ label }, index) => legend(label, index)),
		'</svg>',
		'',
	].join('\n');
}

/** A round number of which about five reach the highest. */
function tickFor(highest: number): number {
	const power = 10 ** Math.floor(Math.log10(Math.max(highest, 1) / 5));
	return [1, 2, 5, 10].map((times) => times * power).find((step) => highest / step <= 6)!;
}

const head = (title: string): string[] => [
	`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="13">`,
	text(PLOT.left, 24, title, 'font-size="15"'),
];

const colourOf = (index: number): string => COLOURS[index % COLOURS.length]!;

function series(points: Array<readonly [x: number, y: number]>, index: number, radius: number) {
	const dots = radius
		? points.map(
				([cx, cy]) => `<circle cx="${cx}" cy="${cy}" r="${radius}" fill="${colourOf(index)}"/>`,
			)
		: [];
	return `<polyline points="${points.map((point) => point.join(',')).join(' ')}" fill="none" stroke="${colourOf(index)}" stroke-width="2"/>${dots.join('')}`;
}

/** Two columns below the plot. */
function legend(label: string, index: number): string {
	const left = PLOT.left + (index % 2) * 330;
	const top = PLOT.bottom + 46 + Math.floor(index / 2) * 22;
	return `<rect x="${left}" y="${top - 9}" width="14" height="4" fill="${colourOf(index)}"/>${text(left + 22, top - 2, label)}`;
}

/** Rates whose labels would touch are left out. */
function spacedOut(rates: number[], x: (rate: number) => number): number[] {
	const shown: number[] = [];
	for (const rate of rates.toReversed()) {
		if (shown.length === 0 || x(shown.at(-1)!) - x(rate) >= 40) shown.push(rate);
	}
	return shown;
}

function line(x1: number, y1: number, x2: number, y2: number, more: string): string {
	return `<line x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}" stroke="${TEXT}" ${more}/>`;
}

function text(x: number, y: number, words: string, more = ''): string {
	return `<text x="${x}" y="${y}" fill="${TEXT}" ${more}>${words.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</text>`;
}

function round(value: number): number {
	return Math.round(value * 10) / 10;
}
