import { writeBlocks } from './blocks.mts';
import { writeIsoCodes } from './isoCodes.mts';
import { writeOutputSchemas } from './outputSchemas.mts';

writeBlocks();
writeOutputSchemas();
writeIsoCodes();
