import { CARDS } from './cards.mts';
import { CLIENTS } from './clients.mts';
import type { OperationSample } from './operation.mts';
import { TREASURY } from './treasury.mts';

/** Samples by resource and operation, as workflows save them. */
export const OPERATION_SAMPLES: Record<string, OperationSample> = {
	...{ ...CARDS, ...CLIENTS, ...TREASURY },
};
