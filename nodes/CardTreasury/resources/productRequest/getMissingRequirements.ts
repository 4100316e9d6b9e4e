import type { IDataObject } from 'n8n-workflow';

import { serviceOperation, type OutputItem } from '../../operation';
import { filtersField, idField } from '../fields';
import { asList } from '../items';
import {
	awaitsDocuments,
	isChosen,
	LIST_PATH,
	listRequest,
	productsFilter,
	readClient,
} from './listing';
import { unknownClient } from './refusals';

export const getMissingRequirements = serviceOperation({
	value: 'getMissingRequirements',
	displayName: 'Get Missing Requirements',
	action: 'Get missing requirements of a client',
	description:
		'List what is still missing for the KYC of a client: one item per document or data field',
	section: '4.3',
	endpoint: { method: 'GET', path: LIST_PATH },
	level: 1,
	effect: 'read',
	answer: 'array',
	timeoutMs: 15_000,
	refusals: [unknownClient],
	properties: [idField('clientId', 'Client ID', 'e.g. cli_123'), filtersField([productsFilter])],
	fields: readClient,
	request: ({ clientId }) => listRequest(clientId),
	items: (answer, { clientId, products }) =>
		asList(answer)
			.filter((request) => isChosen(products, request.product) && awaitsDocuments(request))
			.flatMap((request) => missingOf(clientId, request)),
});

function missingOf(clientId: string, request: IDataObject): OutputItem[] {
	const missing = request.missing_requirements as IDataObject;
	const item = (
		kind: 'data' | 'document',
		requirement: IDataObject,
		needs: IDataObject,
	): OutputItem => ({
		json: {
			client_id: clientId,
			product: request.product ?? null,
			product_request_id: request.id ?? null,
			kind,
			id: requirement.id ?? null,
			name: requirement.name ?? null,
			description: requirement.description ?? null,
			required: requirement.required ?? null,
			...needs,
		},
	});
	return [
		...list(missing.documents).map((document) =>
			item('document', document, { accepted: list(document.valid_documents) }),
		),
		...list(missing.data).map((data) => item('data', data, { fields: list(data.fields) })),
	];
}

function list(value: unknown): IDataObject[] {
	return Array.isArray(value) ? (value as IDataObject[]) : [];
}
