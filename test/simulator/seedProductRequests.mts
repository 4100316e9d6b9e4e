import { IDS } from './ids.mts';

/** Product enablement request (§2.2). */
export interface ProductRequest {
	id: string;
	client_id: string;
	product: string;
	created_at: string;
	updated_at: string;
	status: 'requested' | 'pending_documentation' | 'in_kyc' | 'enabled' | 'rejected';
	missing_requirements?: ReturnType<typeof missingRequirements>;
	rejection_code?: string;
	rejection_description?: string;
}

/** Requirement for documents (§2.3). */
export type DocumentRequirement = ReturnType<typeof missingRequirements>['documents'][number];
export type DocumentType = ReturnType<typeof documentType>;

/** Requests of three clients, newest first (§4.3), in every status. */
export const seedProductRequests = (): ProductRequest[] => [
	request(IDS.pendingProductRequest, IDS.client, CARDS, '2026-11-18', pending()),
	request(IDS.sampleProductRequest, IDS.sampleClient, CARDS, '2026-11-18', pending()),
	request('pr-0002', IDS.client, 'ramps_pix', '2026-11-02', { status: 'enabled' }),
	request(IDS.rejectedProductRequest, IDS.client, CARDS, '2026-10-12', {
		status: 'rejected',
		rejection_code: 'DOCUMENT_UNREADABLE',
		rejection_description: 'The front image of the passport could not be read.',
	}),
	request(IDS.requestedProductRequest, IDS.otherClient, 'ramps_pix', '2026-11-19', {
		status: 'requested',
	}),
	request(IDS.inKycProductRequest, IDS.otherClient, 'ramps_cards', '2026-11-10', {
		status: 'in_kyc',
	}),
	request(IDS.enabledProductRequest, IDS.otherClient, CARDS, '2026-09-30', { status: 'enabled' }),
];

const CARDS = 'cards_individuals';

function request(
	id: string,
	client_id: string,
	product: string,
	day: string,
	more: Pick<ProductRequest, 'status'> & Partial<ProductRequest>,
): ProductRequest {
	const created_at = `${day}T09:30:00.000Z`;
	return { id, client_id, product, created_at, updated_at: created_at, ...more };
}

const pending = () => ({
	status: 'pending_documentation' as const,
	missing_requirements: missingRequirements(),
});

const missingRequirements = () => ({
	documents: [
		{
			...requirement('identity', 'Proof of identity', 'A government-issued document.'),
			valid_documents: [
				documentType('passport', 'Passport', 'The page with the photo.', false, [
					metadata('number', 'Passport number', 'STRING', true),
					metadata('issuing_country', 'Issuing country', 'STRING', false),
					// §2.3 shows only PHONE and STRING. Another type keeps clients from assuming a closed set.
					metadata('expiration_date', 'Expiration date', 'DATE', false),
				]),
				documentType('national_id', 'National identity card', 'Both sides.', true, [
					metadata('number', 'Document number', 'STRING', true),
				]),
			],
		},
		{
			...requirement('address', 'Proof of address', 'Not older than three months.'),
			valid_documents: [
				documentType('utility_bill', 'Utility bill', 'Electricity, water or internet.', false, [
					metadata('contact_phone', 'Contact phone', 'PHONE', false),
				]),
			],
		},
		{
			...requirement('income', 'Proof of income', 'Speeds up the review.', false),
			valid_documents: [documentType('payslip', 'Payslip', 'Of the last month.', false, [])],
		},
	],
	data: [
		{
			...requirement('contact', 'Contact', 'How the client can be reached.'),
			fields: [
				{ key: 'phone', data_type: 'PHONE', required: true },
				{ key: 'nickname', data_type: 'STRING', required: false },
			],
		},
		{
			...requirement('employment', 'Employment', 'What the client does for a living.', false),
			fields: [{ key: 'occupation', data_type: 'STRING', required: true }],
		},
	],
});

const requirement = (id: string, name: string, description: string, required = true) => ({
	...{ id, name, description, required },
});

const documentType = (
	id: string,
	name: string,
	description: string,
	require_back_image: boolean,
	fields: Array<ReturnType<typeof metadata>>,
) => ({
	...requirement(id, name, description, false),
	...{ require_image: true, require_back_image, metadata: fields },
});

const metadata = (id: string, name: string, data_type: string, required: boolean) => ({
	...{ id, name, data_type, required },
});
