import { setTimeout as wait } from 'node:timers/promises';
import lodash from 'lodash';
import { Agent } from 'undici';

import { deliverOpenLoop, type Delivery } from '../../simulator/index.mts';
import { cpuMsOf } from './processorTime.mts';

/** Deadline of an authorization (§6.4). */
const DEADLINE_MS = 1_200;

export interface Load {
	url: string;
	webhookKey: string;
	/** Event with this index (0, 1, 2 …). */
	event: (index: number) => unknown;
	/** Process of the receiver. */
	pid: number;
	/** Body of an answer that `sampleRate` counts as expected (§6.3). */
	expected?: string;
}

/** One turn at a fixed rate. */
export interface Sample {
	/** Milliseconds from a delivery's due time to its full answer. */
	latencies: number[];
	asExpected: number;
	/** Processor time of the receiver until everything it started has ended; null if it cannot be read. */
	cpuMs: number | null;
}

/** Results at a fixed rate. The shares are between 0 and 1. */
export interface Figures {
	ratePerSecond: number;
	inTime: number;
	/** Share with the expected answer. A fallback at the deadline is in time, but not expected. */
	asExpected: number;
	cpuMsPerEvent: number | null;
}

/** One attempt with a timeout beyond the deadline, so that a late answer shows its delay. */
const ONCE = { attempts: 1, timeoutMs: 60_000 };

/** Delivers at a fixed rate without waiting for answers. */
export async function sendAt(load: Load, ratePerSecond: number, seconds: number) {
	const dispatcher = new Agent();
	const count = Math.round(ratePerSecond * seconds);
	const results = await deliverOpenLoop({ ...load, ...ONCE, ratePerSecond, count, dispatcher });
	await dispatcher.destroy();
	return results;
}

/** Delivers at a fixed rate, then waits until the receiver is idle. */
export async function sampleRate(load: Load, ratePerSecond: number, seconds: number) {
	const before = cpuMsOf(load.pid);
	const results = await sendAt(load, ratePerSecond, seconds);
	await untilIdle(load.pid);
	const after = cpuMsOf(load.pid);
	return {
		latencies: results.map(({ latencyMs }) => latencyMs),
		asExpected: results.filter(({ delivery }) => isExpected(load, delivery)).length,
		cpuMs: before === undefined || after === undefined ? null : after - before,
	} satisfies Sample;
}

/** Sends some deliveries first, so that start-up costs are not measured. */
export const warmUp = async (load: Load, seconds = 5) => void (await sampleRate(load, 20, seconds));

const isExpected = ({ expected }: Load, { attempts: [attempt] }: Delivery) =>
	attempt!.status === 200 && attempt!.body === expected;

export const inTime = (latencies: number[]) => latencies.filter((ms) => ms <= DEADLINE_MS).length;

export function figuresOf(ratePerSecond: number, samples: Sample[]): Figures {
	const latencies = samples.flatMap((sample) => sample.latencies);
	const count = latencies.length;
	const cpu = samples.map(({ cpuMs }) => cpuMs);
	return {
		ratePerSecond,
		inTime: inTime(latencies) / count,
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

const STEP_MS = 250;
/** An idle n8n uses about 1 % of a processor. */
const IDLE_CPU_MS = 0.12 * STEP_MS;
const IDLE_STEPS = 4;

/** Waits until a process has used almost no processor time for a second. */
async function untilIdle(pid: number): Promise<void> {
	const began = performance.now();
	let idle = 0;
	let last = cpuMsOf(pid);
	while (idle < IDLE_STEPS && performance.now() - began < 120_000) {
		await wait(STEP_MS);
		const now = cpuMsOf(pid);
		// Without /proc the usage is unknown, so wait a second.
		idle = now === undefined || last === undefined || now - last <= IDLE_CPU_MS ? idle + 1 : 0;
		last = now;
	}
}
