import { BLOCKS } from './blocks.mts';
import { writeCountries } from './isoCodes.mts';
import { writeBlock } from './page.mts';

BLOCKS.forEach(writeBlock);
writeCountries();
