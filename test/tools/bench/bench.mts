import { printMeasured, type Table } from '../measured.mts';
import { authorization } from './authorization.mts';
import { blocks } from './blocks.mts';
import { crashes, SIGNALS } from './crashes.mts';
import { deliveries } from './deliveries.mts';
import { ENGINES } from './instance.mts';
import { memory, MEMORY_PARTS } from './memory.mts';
import { pacing } from './pacing.mts';
import { PART_CODES, parts } from './parts.mts';

/** Benchmarks by name; each part takes a few minutes. */
const BENCHMARKS: Record<string, [parts: readonly string[], measure: Measure]> = {
	authorization: [ENGINES, authorization],
	deliveries: [ENGINES, deliveries],
	pacing: [ENGINES, pacing],
	memory: [MEMORY_PARTS, memory],
	crashes: [SIGNALS, crashes],
	parts: [PART_CODES, parts],
	blocks: [['compared'], blocks],
};
type Measure = (part: string) => Promise<Table[]>;

const [name, part] = process.argv.slice(2);
const chosen = Object.entries(BENCHMARKS)
	.flatMap(([benchmark, [parts, measure]]) => parts.map((each) => ({ benchmark, each, measure })))
	.filter(
		({ benchmark, each }) => [benchmark, undefined].includes(name) && (part ?? each) === each,
	);
if (chosen.length === 0) {
	console.log(`npm run bench -- [name] [part]
  Measures and prints all benchmarks, one of them, or one part of it. Update docs/measured.md by hand.
${Object.entries(BENCHMARKS)
	.map(([benchmark, [parts]]) => `  ${benchmark}: ${parts.join(', ')}`)
	.join('\n')}`);
	process.exitCode = 1;
}
for (const { benchmark, each, measure } of chosen)
	await printMeasured(`npm run bench -- ${benchmark} ${each}`, async () => await measure(each));
