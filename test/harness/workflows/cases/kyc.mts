import { sampleEvent } from '../../../simulator/index.mts';
import { ANA, clientRow, CLIENTS, LINK } from '../rows.mts';
import type { Case } from './case.mts';

/** Workflows about clients. */
export const KYC: Case[] = [
	{
		file: 'kyc-status-changed.json',
		key: 'status',
		situations: {
			rejected: {
				tables: { 'KYC statuses told': [] },
				event: sampleEvent('company_activity.client_status'),
				told: [/^Client status: .* is rejected: .*\nChanged at .*2026/],
			},
		},
	},
	{
		file: 'kyc-reminders.json',
		key: 'reminders',
		situations: {
			missing: {
				tables: { [CLIENTS]: [clientRow(ANA)] },
				told: [/^\*KYC reminders mailed: 1\*/],
				done: [ANA.email],
			},
			unknown: {
				tables: { [CLIENTS]: [clientRow({ ...ANA, client_id: 'cl-unknown' })] },
				told: [/^\*KYC reminders not mailed: 1\*\ncl-unknown <rejected>: .*not found/],
				nodes: ['Tell: not mailed'],
			},
		},
	},
	{
		file: 'kyc-upload.json',
		key: 'upload',
		situations: {
			passport: {
				tables: {
					[CLIENTS]: [clientRow(ANA, { link: LINK, link_until: '2999-01-01T00:00:00.000Z' })],
				},
				told: [/^\*KYC document\*\n<done>: document passport of client cl-0001/],
				done: ['productRequest.submitDocument'],
			},
		},
	},
];
