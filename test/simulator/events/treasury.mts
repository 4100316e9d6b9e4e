import { REGULAR, type EventDefinition } from './definition.mts';
import { operationId, outgoing, rampOn } from './samples.mts';

const product = 'treasury';

/** Product treasury, in the order of the catalog. */
export const TREASURY_EVENTS: readonly EventDefinition[] = [
	event('transfer', outgoing),
	event('ramp_on', rampOn),
];

function event(event_type: string, data: () => Record<string, unknown>): EventDefinition {
	return {
		product,
		event_type,
		...REGULAR,
		sample: () => ({ operation_id: operationId(), status: 'success', data: data() }),
	};
}
