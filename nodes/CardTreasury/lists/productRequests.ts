import type { IDataObject, ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { listRequest, productLabel, statusLabel } from '../resources/productRequest/listing';
import { unknownClient } from '../resources/productRequest/refusals';
import { takesDocuments } from '../resources/productRequest/requirement';
import { cannotLoad, currentText, filterByWords, load } from './load';

/** The client's product requests with product, status and date, those that take documents first (§4.3). */
export async function searchProductRequests(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	const requests = await loadProductRequests(this);
	const waiting = requests.filter(takesDocuments);
	const others = requests.filter((request) => !takesDocuments(request));
	const entries = [...waiting, ...others].map(({ id, product, status, created_at: created }) => ({
		name: `${productLabel(product)} · ${statusLabel(status)} · ${String(created).slice(0, 10)}`,
		value: String(id),
	}));
	return { results: filterByWords(entries, filter) };
}

/** @throws NodeApiError that names the field to fill in first */
export async function loadProductRequests(n8n: ILoadOptionsFunctions): Promise<IDataObject[]> {
	const clientId = currentText(n8n, 'clientId');
	if (clientId === '') {
		throw cannotLoad(
			n8n,
			'Enter the Client ID first',
			'If it is an expression, run the nodes before this one, so that it has a value. Or enter the ID here instead of choosing from the list.',
		);
	}
	return await load(n8n, listRequest(clientId), [unknownClient]);
}
