import { writeBlocks } from './blocks.mts';
import { writeOutputSchemas } from './outputSchemas.mts';

await writeBlocks();
writeOutputSchemas();
