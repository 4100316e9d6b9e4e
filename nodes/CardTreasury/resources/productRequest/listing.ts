import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { fillPath } from '../../parameters/path';
import { readId, readTexts, type ParameterReader } from '../../parameters/reader';
import type { ServiceRequest } from '../../operation';
import { labelOf } from '../labels';

/** §4.3, the one call behind several operations and lists. */
export const LIST_PATH = '/management/clients/individuals/{clientId}/products';

export function listRequest(clientId: string): ServiceRequest {
	return { method: 'GET', path: fillPath(LIST_PATH, { clientId }) };
}

/** §2.2, in the order of the alphabet. */
const PRODUCTS = [
	{ name: 'Cards for Individuals', value: 'cards_individuals' },
	{ name: 'Ramps: Cards', value: 'ramps_cards' },
	{ name: 'Ramps: Pix', value: 'ramps_pix' },
];

/** §3, in the order of the alphabet. */
const STATUSES = [
	{ name: 'Enabled', value: 'enabled' },
	{ name: 'In KYC', value: 'in_kyc' },
	{ name: 'Pending Documentation', value: 'pending_documentation' },
	{ name: 'Rejected', value: 'rejected' },
	{ name: 'Requested', value: 'requested' },
];

export const productLabel = (product: unknown) => labelOf(PRODUCTS, product);
export const statusLabel = (status: unknown) => labelOf(STATUSES, status);

export const productsFilter: INodeProperties = {
	displayName: 'Products',
	name: 'products',
	type: 'multiOptions',
	options: PRODUCTS,
	default: [],
	description: 'Only requests for these products. None chosen means all.',
};

export const statusesFilter: INodeProperties = {
	displayName: 'Statuses',
	name: 'statuses',
	type: 'multiOptions',
	options: STATUSES,
	default: [],
	description: 'Only requests in these states. None chosen means all.',
};

export function readClient(parameters: ParameterReader) {
	return {
		clientId: readId(parameters, 'clientId', 'Client ID'),
		products: readTexts(parameters, 'filters.products', 'Products'),
	};
}

export function isChosen(chosen: string[], value: unknown): boolean {
	return chosen.length === 0 || chosen.includes(String(value));
}

/** Whether the request still waits for something from the client: pending ones carry what is missing (§4.3). */
export function awaitsDocuments(request: IDataObject): boolean {
	return (
		request.status !== 'enabled' &&
		request.status !== 'rejected' &&
		Boolean(request.missing_requirements)
	);
}
