import { writeBlocks } from './blocks.mts';
import { writeCountries } from './isoCodes.mts';

writeBlocks();
writeCountries();
