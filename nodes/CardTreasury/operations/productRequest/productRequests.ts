import { choices, foundInstead, labelOf } from '../../../shared/fields/choice';
import { id } from '../../../shared/fields/text';
import { isObject } from '../../../shared/isObject';
import { textOf } from '../../../shared/plainLine';
import type { JsonObject } from '../../request/input';
import {
	fillPath,
	notFound,
	objectsIn,
	type KnownError,
	type ServiceAnswer,
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

/** Product requests that the filters match. */
export function matching(
	{ json }: ServiceAnswer,
	{ products: chosen, statuses: allowed = [] }: { products: string[]; statuses?: string[] },
): JsonObject[] {
	return objectsIn(json).filter(
		({ product, status }) => isChosen(chosen, product) && isChosen(allowed, status),
	);
}

/** Names the product requests that there are, if the filters match none of them. */
export function foundRequests(
	answer: ServiceAnswer,
	filters: { products: string[]; statuses?: string[] },
): string | undefined {
	if (matching(answer, filters).length > 0) return undefined;
	const found = objectsIn(answer.json).map(
		({ product, status }) => `${productLabel(product)}: ${statusLabel(status)}`,
	);
	return foundInstead('product requests', found);
}

function isChosen(chosen: string[], value: unknown): boolean {
	return chosen.length === 0 || chosen.includes(textOf(value));
}

/** Missing requirements of a product request (§2.3). Undefined if it lists nothing. */
export function missingIn(
	request: JsonObject,
): { documents: JsonObject[]; data: JsonObject[] } | undefined {
	const { missing_requirements: missing } = request;
	if (!isObject(missing)) return undefined;
	const { documents, data } = missing;
	if (!Array.isArray(documents) && !Array.isArray(data)) return undefined;
	return { documents: requirementsIn(documents), data: requirementsIn(data) };
}

/** Requirements in a list. One that is no object is a requirement of that name. */
const requirementsIn = (list: unknown): JsonObject[] =>
	Array.isArray(list)
		? list.map((entry: unknown) => (isObject(entry) ? entry : { id: null, name: textOf(entry) }))
		: [];

/** True if the request may wait for the client. Such requests list the missing items (§4.3). */
export function isOpen({ status }: JsonObject): boolean {
	return status !== 'enabled' && status !== 'rejected';
}

/** True if the request is in the only status that accepts documents (§3). */
export function takesDocuments(request: JsonObject): boolean {
	return request.status === 'pending_documentation';
}

/** True if the request must list what is missing, and does not. An unknown status may be one that waits. */
export function isSilent(request: JsonObject): boolean {
	const waitsForOthers = ['requested', 'in_kyc'].includes(textOf(request.status));
	return isOpen(request) && !waitsForOthers && missingIn(request) === undefined;
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
	const { missing_requirements: missing } = request;
	if (!isObject(missing) || !Array.isArray(missing.documents)) return undefined;
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
