import type { IDataObject, ILoadOptionsFunctions, INodeListSearchResult, ResourceMapperFields } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import type { ServiceRequest } from '../operation';
import { FieldRefusal } from '../parameters/reader';
import { connect } from '../request/connection';
import { Lane } from '../request/lane';
import { SERVICE_RATE } from '../request/pacer';
import { deliverRequest } from '../request/pipeline';
import { awaitsDocuments, listRequest } from '../resources/productRequest/listing';

/** Tokens by name, symbol, chain or address, with their price (§4.1). */
export async function searchTokens(this: ILoadOptionsFunctions, filter?: string): Promise<INodeListSearchResult> {
	const tokens = await load(this, { method: 'GET', path: '/mpc/tokens/list' });
	return {
		results: tokens
			.filter((token) => matches([token.name, token.symbol, token.blockchain, token.address], filter))
			.map(({ name, symbol, blockchain, usd_price: price, address }) => ({
				name: `${symbol} · ${name} on ${blockchain} · $${price}`,
				value: String(address),
			})),
	};
}

/** The client's product requests, those that await documents first (§4.3). */
export async function searchProductRequests(this: ILoadOptionsFunctions, filter?: string): Promise<INodeListSearchResult> {
	const requests = await loadRequests(this);
	const pending = requests.filter(awaitsDocuments);
	const rest = requests.filter((request) => !awaitsDocuments(request));
	return {
		results: [...pending, ...rest]
			.map(({ id, product, status, created_at: created }) => ({
				name: `${product} · ${status} · ${String(created).slice(0, 10)}`,
				value: String(id),
			}))
			.filter(({ name }) => matches([name], filter)),
	};
}

/** The document types that the chosen request still accepts, with the images they need (§2.3). */
export async function searchDocumentTypes(this: ILoadOptionsFunctions, filter?: string): Promise<INodeListSearchResult> {
	const types = await loadDocumentTypes(this);
	return {
		results: types
			.map((type) => ({
				name: `${type.name} (${type.require_back_image ? 'front and back image' : 'front image'})`,
				value: String(type.id),
			}))
			.filter(({ name }) => matches([name], filter)),
	};
}

/** The metadata fields of the chosen document type (§2.3). Data types that are not shown there are entered as text. */
export async function getDocumentMetadata(this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
	const chosen = current(this, 'documentType');
	const type = (await loadDocumentTypes(this)).find(({ id }) => id === chosen);
	return {
		fields: objects(type?.metadata).map(({ id, name, data_type: dataType, required }) => ({
			id: String(id),
			displayName: dataType === 'PHONE' ? `${name} (phone number)` : String(name),
			required: required === true,
			defaultMatch: false,
			display: true,
			type: 'string',
		})),
	};
}

async function loadDocumentTypes(n8n: ILoadOptionsFunctions): Promise<IDataObject[]> {
	const id = current(n8n, 'productRequestId');
	const request = (await loadRequests(n8n)).find((candidate) => candidate.id === id);
	if (request === undefined || !awaitsDocuments(request)) {
		throw new NodeOperationError(n8n.getNode(), 'Choose a Product Request that awaits documents first');
	}
	const missing = request.missing_requirements as IDataObject;
	return objects(missing.documents).flatMap(({ valid_documents: valid }) => objects(valid));
}

async function loadRequests(n8n: ILoadOptionsFunctions): Promise<IDataObject[]> {
	const clientId = current(n8n, 'clientId');
	if (clientId === '') throw new NodeOperationError(n8n.getNode(), 'Enter the Client ID first');
	return await load(n8n, listRequest(clientId));
}

async function load(n8n: ILoadOptionsFunctions, request: ServiceRequest): Promise<IDataObject[]> {
	const connection = await connect(n8n).catch((thrown: unknown) => {
		if (!(thrown instanceof FieldRefusal)) return Promise.reject(thrown);
		return Promise.reject(new NodeOperationError(n8n.getNode(), thrown.message, { description: thrown.fix }));
	});
	const outcome = await deliverRequest(
		connection,
		{ answer: 'array', effect: 'read', level: 1 },
		request,
		{ maxTries: 2, maxTotalMs: 15_000, requestsPerSecond: SERVICE_RATE, timeoutMs: 10_000 },
		new Lane(),
	);
	if (outcome.ok === true) return outcome.answer.json as IDataObject[];
	const refusal = outcome.ok === false ? outcome.refusal : { message: 'Stopped', fix: '' };
	throw new NodeOperationError(n8n.getNode(), refusal.message, { description: refusal.fix });
}

function current(n8n: ILoadOptionsFunctions, name: string): string {
	const value = n8n.getCurrentNodeParameter(name, { extractValue: true });
	return value === undefined || value === null ? '' : String(value);
}

function objects(value: unknown): IDataObject[] {
	return Array.isArray(value) ? (value as IDataObject[]) : [];
}

function matches(texts: unknown[], filter: string | undefined): boolean {
	const wanted = filter?.trim().toLowerCase() ?? '';
	return texts.some((text) => String(text).toLowerCase().includes(wanted));
}
