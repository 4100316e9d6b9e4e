import { CARDS } from './cards.mts';
import { CLIENTS } from './clients.mts';
import type { OperationSample } from './operation.mts';
import { TREASURY } from './treasury.mts';

/** Samples by resource and operation, as workflows save them. */
export const OPERATION_SAMPLES: Record<string, OperationSample> = {
	...{ ...CARDS, ...CLIENTS, ...TREASURY },
};

/** Parameters of the sample of an operation, such as `card: get`, with changes. */
export function sampleOf(name: string, more: object = {}) {
	const [resource = '', operation = ''] = name.split(': ');
	return { resource, operation, ...OPERATION_SAMPLES[name]!.given, ...more };
}
