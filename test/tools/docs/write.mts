import { writeBlocks } from './blocks.mts';

writeBlocks();
