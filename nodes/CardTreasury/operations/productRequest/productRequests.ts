import { choices, labelOf } from '../../../shared/fields/choice';
import { id } from '../../../shared/fields/text';
import { textOf } from '../../../shared/plainLine';
import type { JsonObject } from '../../request/input';
import {
	fillPath,
	notFound,
	objectsIn,
	type KnownError,
	type ServiceRequest,
} from '../../request/request';
import { get, type OutputShape } from '../operation';

/** Endpoint that lists product requests (§4.3). Several operations and lists use it. */
export const PRODUCT_REQUESTS = get('/management/clients/individuals/{clientId}/products');

export function listRequest(clientId: string): ServiceRequest {
	return { method: 'GET', path: fillPath(PRODUCT_REQUESTS.path, { clientId }) };
}

export const unknownClient: KnownError = notFound('Client', 'Client ID');

export const client = id('Client ID', 'e.g. cl-0001', 'ID of an individual client');

/** Products (§2.2), in alphabetical order. */
const PRODUCTS = {
	cards_individuals: 'Cards for Individuals',
	ramps_cards: 'Ramps: Cards',
	ramps_pix: 'Ramps: Pix',
};

/** Statuses (§3), in alphabetical order. */
const STATUSES = {
	enabled: 'Enabled',
	in_kyc: 'In KYC',
	pending_documentation: 'Pending Documentation',
	rejected: 'Rejected',
	requested: 'Requested',
};

export const productLabel = (product: unknown) => labelOf(PRODUCTS, product);
export const statusLabel = (status: unknown) => labelOf(STATUSES, status);

export const products = choices(
	'Products',
	PRODUCTS,
	'Only requests for these products. Leave empty for all.',
);

export const statuses = choices(
	'Statuses',
	STATUSES,
	'Only requests with these statuses. Leave empty for all.',
);

export function isChosen(chosen: string[], value: unknown): boolean {
	return chosen.length === 0 || chosen.includes(textOf(value));
}

/** True if the request waits for the client. Such requests list the missing items (§4.3). */
export function isOpen(request: JsonObject): boolean {
	return (
		request.status !== 'enabled' &&
		request.status !== 'rejected' &&
		Boolean(request.missing_requirements)
	);
}

/** True if the request is in the only status that accepts documents (§3). */
export function takesDocuments(request: JsonObject): boolean {
	return request.status === 'pending_documentation';
}

/** Name of a requirement or document type. The ID if there is no name. */
export function nameOf({ id: key, name }: JsonObject): string {
	return typeof name === 'string' && name !== '' ? name : textOf(key);
}

/** Document type that a product request accepts (§2.3). */
export interface DocumentType {
	id: string;
	name: string;
	needsBackImage: boolean;
	/** Purpose of the document, e.g. a proof of identity. */
	requirement: { name: string; required: boolean };
	metadata: Array<{ id: string; name: string; dataType: string; required: boolean }>;
}

/** Document types that a product request still accepts. Undefined if the request does not list missing items. */
export function acceptedTypes(request: JsonObject): DocumentType[] | undefined {
	const [missing] = objectsIn([request.missing_requirements]);
	if (!Array.isArray(missing?.documents)) return undefined;
	return objectsIn(missing.documents).flatMap((requirement) =>
		objectsIn(requirement.valid_documents).map((type) => ({
			id: textOf(type.id),
			name: nameOf(type),
			needsBackImage: type.require_back_image === true,
			requirement: { name: nameOf(requirement), required: requirement.required === true },
			metadata: objectsIn(type.metadata).map((field) => ({
				id: textOf(field.id),
				name: nameOf(field),
				dataType: textOf(field.data_type),
				required: field.required === true,
			})),
		})),
	);
}

/** Fields of an accepted document (§2.3). */
export const ACCEPTED: OutputShape = {
	id: 'string',
	name: 'string',
	description: 'string',
	required: 'boolean',
	require_image: 'boolean',
	require_back_image: 'boolean',
	metadata: [{ id: 'string', name: 'string', data_type: 'string', required: 'boolean' }],
};

/** Fields of a data requirement (§2.3). */
export const DATA_FIELD: OutputShape = { key: 'string', data_type: 'string', required: 'boolean' };

const REQUIREMENT = {
	id: 'string',
	name: 'string',
	description: 'string',
	required: 'boolean',
} satisfies OutputShape;

/** Fields of a product request (§2.2). */
export const PRODUCT_REQUEST: OutputShape = {
	id: 'string',
	client_id: 'string',
	product: 'string',
	status: 'string',
	missing_requirements: {
		documents: [{ ...REQUIREMENT, valid_documents: [ACCEPTED] }],
		data: [{ ...REQUIREMENT, fields: [DATA_FIELD] }],
	},
	rejection_code: 'string',
	rejection_description: 'string',
	created_at: 'string',
	updated_at: 'string',
};
