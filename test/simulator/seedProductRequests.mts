import { IDS } from './ids.mts';
import type { DataRequirement, DocumentRequirement, ProductRequest } from './records.mts';

/** Requests of two clients, newest first (§4.3): rejected history, one waiting for documents, one in review, one enabled. */
export function seedProductRequests(): ProductRequest[] {
	return [
		{
			...request(
				IDS.pendingProductRequest,
				IDS.client,
				'cards_individuals',
				'2026-11-18T09:30:00.000Z',
			),
			status: 'pending_documentation',
			missing_requirements: { documents: missingDocuments(), data: missingData() },
		},
		{
			...request(
				IDS.sampleProductRequest,
				IDS.sampleClient,
				'cards_individuals',
				'2026-11-18T09:30:00.000Z',
			),
			status: 'pending_documentation',
			missing_requirements: { documents: missingDocuments(), data: missingData() },
		},
		{
			...request('pr-0002', IDS.client, 'ramps_pix', '2026-11-02T14:00:00.000Z'),
			status: 'enabled',
		},
		{
			...request(
				IDS.rejectedProductRequest,
				IDS.client,
				'cards_individuals',
				'2026-10-12T08:15:00.000Z',
			),
			status: 'rejected',
			rejection_code: 'DOCUMENT_UNREADABLE',
			rejection_description: 'The front image of the passport could not be read.',
		},
		{
			...request(
				IDS.requestedProductRequest,
				IDS.otherClient,
				'ramps_pix',
				'2026-11-19T10:00:00.000Z',
			),
			status: 'requested',
		},
		{
			...request(
				IDS.inKycProductRequest,
				IDS.otherClient,
				'ramps_cards',
				'2026-11-10T10:00:00.000Z',
			),
			status: 'in_kyc',
		},
		{
			...request(
				IDS.enabledProductRequest,
				IDS.otherClient,
				'cards_individuals',
				'2026-09-30T10:00:00.000Z',
			),
			status: 'enabled',
		},
	];
}

function request(
	id: string,
	client_id: string,
	product: ProductRequest['product'],
	created_at: string,
) {
	return { id, client_id, product, created_at, updated_at: created_at };
}

function missingDocuments(): DocumentRequirement[] {
	return [
		{
			id: 'identity',
			name: 'Proof of identity',
			description: 'A government-issued identification document.',
			required: true,
			valid_documents: [
				{
					id: 'passport',
					name: 'Passport',
					description: 'The page with the photo.',
					required: false,
					require_image: true,
					require_back_image: false,
					metadata: [
						{ id: 'number', name: 'Passport number', data_type: 'STRING', required: true },
						{
							id: 'issuing_country',
							name: 'Issuing country',
							data_type: 'STRING',
							required: false,
						},
						// Only PHONE and STRING are shown (§2.3); another type keeps clients from assuming a closed set.
						{ id: 'expiration_date', name: 'Expiration date', data_type: 'DATE', required: false },
					],
				},
				{
					id: 'national_id',
					name: 'National identity card',
					description: 'Both sides.',
					required: false,
					require_image: true,
					require_back_image: true,
					metadata: [
						{ id: 'number', name: 'Document number', data_type: 'STRING', required: true },
					],
				},
			],
		},
		{
			id: 'address',
			name: 'Proof of address',
			description: 'Not older than three months.',
			required: true,
			valid_documents: [
				{
					id: 'utility_bill',
					name: 'Utility bill',
					description: 'Electricity, water, gas or internet.',
					required: false,
					require_image: true,
					require_back_image: false,
					metadata: [
						{ id: 'contact_phone', name: 'Contact phone', data_type: 'PHONE', required: false },
					],
				},
			],
		},
		{
			id: 'income',
			name: 'Proof of income',
			description: 'Speeds up the review.',
			required: false,
			valid_documents: [
				{
					id: 'payslip',
					name: 'Payslip',
					description: 'Of the last month.',
					required: false,
					require_image: true,
					require_back_image: false,
					metadata: [],
				},
			],
		},
	];
}

function missingData(): DataRequirement[] {
	return [
		{
			id: 'contact',
			name: 'Contact',
			description: 'How the client can be reached.',
			required: true,
			fields: [
				{ key: 'phone', data_type: 'PHONE', required: true },
				{ key: 'nickname', data_type: 'STRING', required: false },
			],
		},
		{
			id: 'employment',
			name: 'Employment',
			description: 'What the client does for a living.',
			required: false,
			fields: [{ key: 'occupation', data_type: 'STRING', required: true }],
		},
	];
}
