import { setTimeout as wait } from 'node:timers/promises';
import lodash from 'lodash';
import { Agent } from 'undici';

import { deliver, deliverOpenLoop, type Delivery } from '../../simulator/index.mts';
import { processUsage } from './processUsage.mts';

/** Deadline of an authorization (§6.4). */
const DEADLINE_MS = 1_200;

/** Results at a fixed rate. Times are milliseconds from a delivery's due time to its full response. */
export interface Figures {
	ratePerSecond: number;
	count: number;
	p50: number;
	p95: number;
	p99: number;
	/** Share answered within 1,200 ms, from 0 to 1. */
	inTime: number;
	/** Share with the expected answer, from 0 to 1. */
	asExpected: number;
	/** Processor time of the receiver per event, until everything it started has ended; null if it cannot be read. */
	cpuMsPerEvent: number | null;
}

export interface Load {
	url: string;
	webhookKey: string;
	/** Event with this index (0, 1, 2 …). */
	event: (index: number) => unknown;
	pid: number;
	/** Expected `response_code` (§6.3); default the acknowledgement. A number is a status with any body. */
	expected?: string | number;
}

/** Measured receiver and its results at each rate. */
export interface Contender {
	label: string;
	load: Load;
	figures: Figures[];
}

/** Latencies of one turn. */
export interface Sample {
	latencies: number[];
	asExpected: number;
	cpuMs: number | null;
}

/** One attempt with a timeout beyond the deadline, so that a late answer shows its delay. */
const ONCE = { attempts: 1, timeoutMs: 60_000 };

/** Delivers at a fixed rate without waiting for answers, then waits until the receiver is idle. */
export async function sampleRate(
	load: Load,
	ratePerSecond: number,
	seconds: number,
): Promise<Sample> {
	const dispatcher = new Agent();
	const before = processUsage(load.pid);
	const count = Math.round(ratePerSecond * seconds);
	const results = await deliverOpenLoop({ ...load, ...ONCE, ratePerSecond, count, dispatcher });
	await untilIdle(load.pid);
	const after = processUsage(load.pid);
	await dispatcher.destroy();
	return {
		latencies: results.map(({ latencyMs }) => latencyMs),
		asExpected: results.filter(({ delivery }) => isExpected(load, delivery)).length,
		cpuMs: before && after ? after.cpuMs - before.cpuMs : null,
	};
}

/** Sends some deliveries first, so that start-up costs are not measured. */
export const warmUp = async (load: Load, seconds = 5) => void (await sampleRate(load, 20, seconds));

const ACKNOWLEDGEMENT = '{"response_code":"OK"}';

function isExpected({ expected = ACKNOWLEDGEMENT }: Load, { attempts }: Delivery): boolean {
	const { status, body } = attempts[0]!;
	return typeof expected === 'number' ? status === expected : status === 200 && body === expected;
}

/** Percentile over all deliveries of the turns. */
function percentile(samples: Sample[], share: number): number {
	const sorted = lodash.sortBy(samples.flatMap(({ latencies }) => latencies));
	return lodash.round(sorted[Math.ceil(share * sorted.length) - 1]!, 1);
}

/** Percentile of the middle turn, so that a slow moment of the machine does not count. */
export function middlePercentile(samples: Sample[], share: number): number {
	const turns = lodash.sortBy(samples.map((sample) => percentile([sample], share)));
	return turns[Math.floor(turns.length / 2)]!;
}

export function figuresOf(
	ratePerSecond: number,
	samples: Sample[],
	percentileOf = percentile,
): Figures {
	const latencies = samples.flatMap((sample) => sample.latencies);
	const count = latencies.length;
	const cpu = samples.map(({ cpuMs }) => cpuMs);
	return {
		ratePerSecond,
		count,
		p50: percentileOf(samples, 0.5),
		p95: percentileOf(samples, 0.95),
		p99: percentileOf(samples, 0.99),
		inTime: latencies.filter((ms) => ms <= DEADLINE_MS).length / count,
		asExpected: lodash.sumBy(samples, 'asExpected') / count,
		cpuMsPerEvent: cpu.includes(null) ? null : lodash.sum(cpu) / count,
	};
}

/** Measures each contender once per round, in an order that changes from round to round. */
export async function inTurns<Each, Measured>(
	contenders: Each[],
	rounds: number,
	measure: (contender: Each) => Promise<Measured>,
): Promise<Map<Each, Measured[]>> {
	const measured = new Map<Each, Measured[]>(contenders.map((contender) => [contender, []]));
	for (let round = 0; round < rounds; round++) {
		const first = round % contenders.length;
		for (const contender of [...contenders.slice(first), ...contenders.slice(0, first)])
			measured.get(contender)!.push(await measure(contender));
	}
	return measured;
}

/** Measures how many executions a receiver completes at full load, and in how many milliseconds. */
export async function measureThroughput(
	load: Load,
	seconds: number,
): Promise<{ count: number; ms: number }> {
	const dispatcher = new Agent();
	const began = performance.now();
	let count = 0;
	const one = async () => {
		while (performance.now() - began < seconds * 1_000)
			await deliver(load.event(count++), { ...load, ...ONCE, dispatcher });
	};
	await Promise.all(Array.from({ length: 32 }, one));
	const answered = performance.now() - began;
	const idleAfter = await untilIdle(load.pid);
	await dispatcher.destroy();
	return { count, ms: answered + idleAfter };
}

const STEP_MS = 250;
/** An idle n8n uses about 1 % of a processor. */
const IDLE_CPU_MS = 0.12 * STEP_MS;
const IDLE_STEPS = 4;

/**
 * Waits until a process has used almost no processor time for a second.
 * @returns the milliseconds until it was idle
 */
async function untilIdle(pid: number): Promise<number> {
	const began = performance.now();
	let idle = 0;
	let last = processUsage(pid)?.cpuMs;
	while (idle < IDLE_STEPS && performance.now() - began < 120_000) {
		await wait(STEP_MS);
		const now = processUsage(pid)?.cpuMs;
		// Without /proc the usage is unknown, so wait a second.
		idle = now === undefined || last === undefined || now - last <= IDLE_CPU_MS ? idle + 1 : 0;
		last = now;
	}
	return Math.max(0, performance.now() - began - IDLE_STEPS * STEP_MS);
}

export const cellsOf = (at: Figures) => ({
	'Per second': at.ratePerSecond,
	'p50 ms': milliseconds(at.p50),
	'p95 ms': milliseconds(at.p95),
	'p99 ms': milliseconds(at.p99),
	'Within 1,200 ms': percent(at.inTime),
	'Answered as expected': percent(at.asExpected),
	'CPU ms each': milliseconds(at.cpuMsPerEvent),
});

export const percent = (share: number): string => `${Math.floor(share * 1_000) / 10} %`;

/** More than three digits would exceed the accuracy of the measurement. */
function milliseconds(value: number | null): string {
	if (value === null) return 'not read';
	return value < 100 ? value.toFixed(1) : Math.round(value).toLocaleString('en-US');
}
