import { SAMPLE_IDS } from '../../shared/sampleIds';
import { event, instant, object, present, SAMPLE } from './definition';

/** Client record (§2.8). Types and allowed values are not documented. */
const clientRecord = object({
	id: present(),
	company_id: present(),
	type: present(),
	email: present(),
	first_name: present(),
	last_name: present(),
	status: present(),
	rejection_code: present(),
	rejection_description: present(),
	created_at: instant(),
	updated_at: instant(),
});

/** Events of the product company_activity (§6.5). */
export const COMPANY_ACTIVITY_EVENTS = [
	event({
		product: 'company_activity',
		event_type: 'client_status',
		label: 'Company Activity: Client Status',
		output: 'Client Status',
		action: 'On client status changed',
		when: "A client's KYC or KYB status changes, for example by a rejection",
		data: clientRecord,
		deviations: ({ status, data }) =>
			data.status === 'rejected' && status !== 'failed'
				? ['status: must be "failed" for a rejected client']
				: [],
		tell: (of) => [
			`Client is ${of('status')}`,
			`${of('first_name', '')} ${of('last_name', '')} (${of('id')})${of('rejection_description', '') && `: ${of('rejection_description')}`}`,
		],
		part: {
			suffix: 'rejected',
			label: 'Company Activity: Client Rejected',
			output: 'Rejected',
			action: 'On client rejected',
			when: 'A client was rejected',
			takes: (_, { status }) => status === 'rejected',
			sample: { status: 'failed' },
		},
		sample: {
			status: 'failed',
			data: (now) => ({
				id: SAMPLE_IDS.client,
				company_id: SAMPLE.company,
				type: 'individual',
				email: 'ana.souza@example.com',
				first_name: 'Ana',
				last_name: 'Souza',
				status: 'rejected',
				rejection_code: 'DOCUMENT_UNREADABLE',
				rejection_description: 'The document cannot be read',
				created_at: now,
				updated_at: now,
			}),
		},
	}),
];
