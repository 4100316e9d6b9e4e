import { writeBlocks } from './blocks.mts';
import { writeCountries } from './isoCodes.mts';
import { writeOutputSchemas } from './outputSchemas.mts';

writeBlocks();
writeOutputSchemas();
writeCountries();
