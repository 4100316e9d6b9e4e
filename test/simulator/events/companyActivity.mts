import { IDS } from '../ids.mts';
import { REGULAR, type EventDefinition } from './definition.mts';
import { now, operationId } from './samples.mts';

/** Product company_activity: a client rejected by the ramp provider (§3), hence the event status `failed`. */
export const COMPANY_ACTIVITY_EVENTS: readonly EventDefinition[] = [
	{
		product: 'company_activity',
		event_type: 'client_status',
		...REGULAR,
		sample: () => ({
			operation_id: operationId(),
			status: 'failed',
			data: {
				id: IDS.client,
				company_id: IDS.company,
				type: 'individual',
				email: 'ana.souza@example.com',
				first_name: 'Ana',
				last_name: 'Souza',
				status: 'rejected',
				rejection_code: 'DOCUMENT_UNREADABLE',
				rejection_description: 'The front image of the passport could not be read.',
				created_at: '2026-10-01T08:00:00.000Z',
				updated_at: now(),
			},
		}),
	},
];
