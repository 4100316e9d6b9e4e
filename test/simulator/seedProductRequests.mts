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
export type DocumentRequirement = ReturnType<typeof requirement>;
export type DocumentType = ReturnType<typeof documentType>;

/** Requests of three clients, newest first (§4.3), in every status. */
export function seedProductRequests(): ProductRequest[] {
	const { client, otherClient, sampleClient } = IDS;
	const cards = 'cards_individuals';
	const pending = {
		status: 'pending_documentation' as const,
		missing_requirements: missingRequirements(),
	};
	return [
		request(IDS.pendingProductRequest, client, cards, '2026-11-18', pending),
		request(IDS.sampleProductRequest, sampleClient, cards, '2026-11-18', structuredClone(pending)),
		request('pr-0002', client, 'ramps_pix', '2026-11-02', { status: 'enabled' }),
		request(IDS.rejectedProductRequest, client, cards, '2026-10-12', {
			status: 'rejected',
			rejection_code: 'DOCUMENT_UNREADABLE',
			rejection_description: 'The front image of the passport could not be read.',
		}),
		request(IDS.requestedProductRequest, otherClient, 'ramps_pix', '2026-11-19', {
			status: 'requested',
		}),
		request(IDS.inKycProductRequest, otherClient, 'ramps_cards', '2026-11-10', {
			status: 'in_kyc',
		}),
		request(IDS.enabledProductRequest, otherClient, cards, '2026-09-30', { status: 'enabled' }),
	];
}

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

const missingRequirements = () => ({
	documents: [
		requirement('identity', 'Proof of identity', 'A government-issued document.', true, [
			documentType('passport', 'Passport', 'The page with the photo.', false, [
				field('number', 'Passport number', 'STRING', true),
				field('issuing_country', 'Issuing country', 'STRING', false),
				// §2.3 shows only PHONE and STRING. Another type keeps clients from assuming a closed set.
				field('expiration_date', 'Expiration date', 'DATE', false),
			]),
			documentType('national_id', 'National identity card', 'Both sides.', true, [
				field('number', 'Document number', 'STRING', true),
			]),
		]),
		requirement('address', 'Proof of address', 'Not older than three months.', true, [
			documentType('utility_bill', 'Utility bill', 'Electricity, water, gas or internet.', false, [
				field('contact_phone', 'Contact phone', 'PHONE', false),
			]),
		]),
		requirement('income', 'Proof of income', 'Speeds up the review.', false, [
			documentType('payslip', 'Payslip', 'Of the last month.', false, []),
		]),
	],
	data: [
		data('contact', 'Contact', 'How the client can be reached.', true, [
			{ key: 'phone', data_type: 'PHONE', required: true },
			{ key: 'nickname', data_type: 'STRING', required: false },
		]),
		data('employment', 'Employment', 'What the client does for a living.', false, [
			{ key: 'occupation', data_type: 'STRING', required: true },
		]),
	],
});

const requirement = (
	id: string,
	name: string,
	description: string,
	required: boolean,
	valid_documents: DocumentType[],
) => ({ id, name, description, required, valid_documents });

const documentType = (
	id: string,
	name: string,
	description: string,
	require_back_image: boolean,
	metadata: Array<ReturnType<typeof field>>,
) => ({
	...{ id, name, description, required: false, require_image: true },
	...{ require_back_image, metadata },
});

const field = (id: string, name: string, data_type: string, required: boolean) => ({
	...{ id, name, data_type, required },
});

const data = (
	id: string,
	name: string,
	description: string,
	required: boolean,
	fields: object[],
) => ({ id, name, description, required, fields });
