import { authorization } from './authorization.mts';
import type { Benchmark } from './benchmark.mts';
import { deliveries } from './deliveries.mts';
import { floor } from './floor.mts';
import { load } from './load.mts';
import { memory } from './memory.mts';
import { pacing } from './pacing.mts';
import { processes } from './processes.mts';

/** Every benchmark, in the order of the page. */
export const BENCHMARKS: readonly Benchmark[] = [
	authorization,
	deliveries,
	floor,
	pacing,
	processes,
	load,
	memory,
];
