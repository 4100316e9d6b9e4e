import type { MemorySample } from './deliveries.mts';

/** Minimum number of samples, taken two seconds apart. */
const ENOUGH = 60;
/** Largest accepted growth from one third of the time to the next, which a garbage collector may cause. */
const MOST_GROWTH = 1.25;

interface Growth {
	what: string;
	value: string;
	grew: boolean;
}

/** Reports each process that used much more memory at the end than after the last kill. */
export function judgeMemory(memory: MemorySample[], settledAt: number): Growth[] {
	const calm = memory.filter(({ at }) => at > settledAt);
	const third = Math.ceil(calm.length / 3);
	return Object.keys(calm.at(-1)?.rssBytes ?? {}).map((name) => {
		const [first, last] = [calm.slice(0, third), calm.slice(-third)].map((samples) =>
			medianMiB(samples.flatMap(({ rssBytes }) => rssBytes[name] ?? [])),
		);
		return {
			what: `Memory of ${name} after the last kill, first and last third of the time (MiB)`,
			value: `${first} → ${last}`,
			grew: calm.length >= ENOUGH && last! > first! * MOST_GROWTH,
		};
	});
}

function medianMiB(bytes: number[]): number {
	const sorted = bytes.toSorted((left, right) => left - right);
	return Math.round((sorted[Math.floor(sorted.length / 2)] ?? 0) / 2 ** 20);
}
