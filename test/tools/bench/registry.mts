import { authorization } from './authorization.mts';
import type { Benchmark } from './benchmark.mts';
import { deliveries } from './deliveries.mts';
import { memory } from './memory.mts';
import { pacing } from './pacing.mts';

/** Every benchmark, in the order of the page. */
export const BENCHMARKS: readonly Benchmark[] = [authorization, deliveries, pacing, memory];
