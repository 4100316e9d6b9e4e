import { writeBlocks } from './blocks.mts';
import { writeOutputSchemas } from './outputSchemas.mts';

writeBlocks();
writeOutputSchemas();
