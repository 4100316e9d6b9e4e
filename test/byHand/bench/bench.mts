import { printMeasured, type Table } from '../measured.mts';
import type { Tool } from '../tool.mts';
import { authorization } from './authorization.mts';
import { beside } from './beside.mts';
import { crashes, SIGNALS } from './crashes.mts';
import { deliveries } from './deliveries.mts';
import { ENGINES } from './instance.mts';
import { LATENCIES, pacing } from './pacing.mts';

/** Benchmarks by name; each part takes a few minutes. */
const BENCHMARKS: Record<string, [parts: readonly string[], measure: Measure]> = {
	authorization: [ENGINES, authorization],
	deliveries: [ENGINES, deliveries],
	beside: [ENGINES, beside],
	pacing: [LATENCIES, pacing],
	crashes: [SIGNALS, crashes],
};
type Measure = (part: string) => Promise<Table[]>;

/** Measures and prints all benchmarks, one of them, or one part of it. */
export const bench: Tool = {
	usage: `[name] [part]
  Measures all benchmarks, one of them, or one part of it.
${Object.entries(BENCHMARKS)
	.map(([benchmark, [parts]]) => `    ${benchmark}: ${parts.join(', ')}`)
	.join('\n')}`,
	async run([name, part], command) {
		const chosen = Object.entries(BENCHMARKS)
			.flatMap(([benchmark, [parts, measure]]) =>
				parts.map((each) => ({ benchmark, each, measure })),
			)
			.filter(
				({ benchmark, each }) => [benchmark, undefined].includes(name) && (part ?? each) === each,
			);
		for (const { benchmark, each, measure } of chosen)
			await printMeasured(`${command} ${benchmark} ${each}`, async () => await measure(each));
		return chosen.length > 0;
	},
};
