import { setTimeout as wait } from 'node:timers/promises';
import { Agent } from 'undici';

import { deliver, deliverOpenLoop, type Delivery } from '../../simulator/index.mts';
import { processUsage } from './processUsage.mts';

/** §6.4: the full response of an authorization. */
export const DEADLINE_MS = 1_200;

/** What came of deliveries at a fixed rate. Times in milliseconds, from when a delivery was due to its full response. */
export interface Figures {
	ratePerSecond: number;
	count: number;
	p50: number;
	p95: number;
	p99: number;
	/** Share answered within 1,200 ms, 0 to 1. */
	inTime: number;
	/** Share that got the expected answer, 0 to 1. */
	asExpected: number;
	/** Processor time of the receiver from the first delivery until everything it started has ended; null where it cannot be read. */
	cpuMsPerEvent: number | null;
}

export interface Load {
	url: string;
	webhookKey: string;
	/** The event number 0, 1, 2 … */
	event: (index: number) => unknown;
	/** The receiver's process. */
	pid: number;
	/** The answer of §6.3 that is expected; default the acknowledgement. A number is a status with any body. */
	expected?: string | number;
}

const ACKNOWLEDGEMENT = '{"response_code":"OK"}';

/** Latencies of one run, before they are summed up. */
export interface Sample {
	latencies: number[];
	asExpected: number;
	cpuMs: number | null;
}

/** Delivers at a fixed rate whether or not earlier deliveries have been answered, then waits until the receiver is idle. */
export async function sampleRate(
	load: Load,
	ratePerSecond: number,
	seconds: number,
): Promise<Sample> {
	const dispatcher = new Agent();
	const before = processUsage(load.pid);
	const results = await deliverOpenLoop({
		...load,
		ratePerSecond,
		count: Math.round(ratePerSecond * seconds),
		attempts: 1,
		// Longer than the deadline, so that a late answer shows how late it was.
		timeoutMs: 60_000,
		dispatcher,
	});
	await untilIdle(load.pid);
	const after = processUsage(load.pid);
	await dispatcher.destroy();
	return {
		latencies: results.map(({ latencyMs }) => latencyMs),
		asExpected: results.filter(({ delivery }) => isExpected(load, delivery)).length,
		cpuMs: before && after ? after.cpuMs - before.cpuMs : null,
	};
}

function isExpected({ expected = ACKNOWLEDGEMENT }: Load, { attempts }: Delivery): boolean {
	const { status, body } = attempts[0]!;
	return typeof expected === 'number' ? status === expected : status === 200 && body === expected;
}

/** Runs of the same rate, summed up as one. */
export function figuresOf(ratePerSecond: number, samples: Sample[]): Figures {
	const latencies = samples
		.flatMap((sample) => sample.latencies)
		.sort((left, right) => left - right);
	const count = latencies.length;
	const at = (share: number) =>
		round(latencies[Math.min(count - 1, Math.ceil(share * count) - 1)]!, 1);
	const cpu = samples.map(({ cpuMs }) => cpuMs);
	return {
		ratePerSecond,
		count,
		p50: at(0.5),
		p95: at(0.95),
		p99: at(0.99),
		inTime: round(latencies.filter((ms) => ms <= DEADLINE_MS).length / count, 4),
		asExpected: round(sum(samples.map(({ asExpected }) => asExpected)) / count, 4),
		cpuMsPerEvent: cpu.includes(null) ? null : round(sum(cpu.map(Number)) / count, 2),
	};
}

/** Turns at the same rate: percentiles of the middle turn, the rest of all of them. */
export function typicalFigures(ratePerSecond: number, samples: Sample[]): Figures {
	const turns = samples.map((sample) => figuresOf(ratePerSecond, [sample]));
	const middle = (percentile: 'p50' | 'p95' | 'p99') =>
		turns.map((turn) => turn[percentile]).sort((left, right) => left - right)[
			Math.floor(turns.length / 2)
		]!;
	return {
		...figuresOf(ratePerSecond, samples),
		p50: middle('p50'),
		p95: middle('p95'),
		p99: middle('p99'),
	};
}

/** Measures each contender once a round: each follows another one, and nobody always the heaviest. */
export async function inTurns<Contender, Measured>(
	contenders: Contender[],
	rounds: number,
	measure: (contender: Contender) => Promise<Measured>,
): Promise<Map<Contender, Measured[]>> {
	const measured = new Map<Contender, Measured[]>(contenders.map((contender) => [contender, []]));
	for (let round = 0; round < rounds; round++) {
		const first = round % contenders.length;
		for (const contender of [...contenders.slice(first), ...contenders.slice(0, first)]) {
			measured.get(contender)!.push(await measure(contender));
		}
	}
	return measured;
}

/** What a receiver under full load carried through to the end of its executions, and in how many milliseconds. */
export interface Throughput {
	count: number;
	ms: number;
}

/** Keeps so many deliveries under way for some seconds, each followed by the next. */
export async function measureThroughput(
	load: Load,
	seconds: number,
	underWay = 32,
): Promise<Throughput> {
	const dispatcher = new Agent();
	const began = performance.now();
	let count = 0;
	const one = async () => {
		while (performance.now() - began < seconds * 1_000) {
			await deliver(load.event(count++), { ...load, attempts: 1, timeoutMs: 60_000, dispatcher });
		}
	};
	await Promise.all(Array.from({ length: underWay }, one));
	const answered = performance.now() - began;
	const idleAfter = await untilIdle(load.pid);
	await dispatcher.destroy();
	return { count, ms: answered + idleAfter };
}

/** Over all turns. */
export function eventsPerSecond(turns: Throughput[]): number {
	return round((1_000 * sum(turns.map(({ count }) => count))) / sum(turns.map(({ ms }) => ms)), 1);
}

/** Calls a few times first, so that nothing is measured that happens only in the beginning. */
export async function warmUp(load: Load, seconds = 5): Promise<Delivery | undefined> {
	const dispatcher = new Agent();
	const results = await deliverOpenLoop({
		...load,
		ratePerSecond: 20,
		count: 20 * seconds,
		attempts: 1,
		timeoutMs: 60_000,
		dispatcher,
	});
	await untilIdle(load.pid);
	await dispatcher.destroy();
	return results.at(-1)?.delivery;
}

const STEP_MS = 250;
/** An idle n8n uses about 1 % of a processor. */
const IDLE_CPU_MS = 0.12 * STEP_MS;
const IDLE_STEPS = 4;

/**
 * Waits until a process has used next to no processor time for a second.
 * @returns how long it went on working, in milliseconds
 */
async function untilIdle(pid: number): Promise<number> {
	const began = performance.now();
	let idle = 0;
	let last = processUsage(pid)?.cpuMs;
	while (idle < IDLE_STEPS && performance.now() - began < 120_000) {
		await wait(STEP_MS);
		const now = processUsage(pid)?.cpuMs;
		// Without /proc there is nothing to see: wait a second.
		idle = now === undefined || last === undefined || now - last <= IDLE_CPU_MS ? idle + 1 : 0;
		last = now;
	}
	return Math.max(0, performance.now() - began - IDLE_STEPS * STEP_MS);
}

function sum(numbers: number[]): number {
	return numbers.reduce((left, right) => left + right, 0);
}

function round(value: number, digits: number): number {
	return Math.round(value * 10 ** digits) / 10 ** digits;
}
