import { REGULAR, type EventDefinition } from './definition.mts';
import { TOKEN, deposit, operationId, outgoing, rampOn } from './samples.mts';

const product = 'virtual_wallets';

/** Product virtual_wallets, in the order of the catalog. */
export const VIRTUAL_WALLET_EVENTS: readonly EventDefinition[] = [
	event('deposit', () => ({ ...deposit(), token: TOKEN })),
	// `reason` is populated on failures only; its type is not shown.
	{
		...event('withdraw', outgoing),
		failureData: { reason: 'Insufficient balance for the network fee' },
	},
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
