import type {
	ILoadOptionsFunctions,
	INodeListSearchResult,
	ResourceMapperFields,
} from 'n8n-workflow';

import { statusLabel } from '../resources/productRequest/listing';
import {
	acceptedTypes,
	takesDocuments,
	type DocumentType,
} from '../resources/productRequest/requirement';
import { cannotLoad, currentText, filterByWords } from './load';
import { loadProductRequests } from './productRequests';

/** The document types that the chosen request asks for, with the images they need (§2.3). */
export async function searchDocumentTypes(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	const types = await loadDocumentTypes(this);
	const entries = types.map(({ id, name, needsBackImage, requirement }) => ({
		name: `${name} · ${needsBackImage ? 'front and back image' : 'front image'} · ${requirement.name}${requirement.required ? '' : ' (optional)'}`,
		value: id,
	}));
	return { results: filterByWords(entries, filter) };
}

const NEEDED = [
	['clientId', 'Client ID'],
	['productRequestId', 'Product Request'],
	['documentType', 'Document Type'],
] as const;

/** The metadata fields of the chosen document type (§2.3), all as text; only some data types are documented. */
export async function getDocumentMetadata(
	this: ILoadOptionsFunctions,
): Promise<ResourceMapperFields> {
	const empty = NEEDED.find(([name]) => currentText(this, name) === '');
	if (empty)
		return nothingToFillIn(`The metadata depends on the ${empty[1]}, which has no value yet.`);
	const chosen = currentText(this, 'documentType');
	const type = (await loadDocumentTypes(this)).find(({ id }) => id === chosen);
	if (type === undefined)
		return nothingToFillIn(
			'The product request does not ask for this document type, so its fields are not known.',
		);
	if (type.metadata.length === 0) return nothingToFillIn(`${type.name} needs no further fields.`);
	return {
		fields: type.metadata.map(({ id, name, dataType, required }) => ({
			id,
			displayName: `${name}${typeNote(dataType)}`,
			required,
			defaultMatch: false,
			display: true,
			type: 'string',
		})),
	};
}

function typeNote(dataType: string): string {
	if (dataType === 'STRING') return '';
	return dataType === 'PHONE' ? ' (phone number)' : ` (${dataType.toLowerCase()}, as text)`;
}

const nothingToFillIn = (emptyFieldsNotice: string): ResourceMapperFields => ({
	fields: [],
	emptyFieldsNotice,
});

async function loadDocumentTypes(n8n: ILoadOptionsFunctions): Promise<DocumentType[]> {
	const chosen = currentText(n8n, 'productRequestId');
	if (chosen === '') {
		throw cannotLoad(
			n8n,
			'Choose a Product Request first',
			'If it is an expression, run the nodes before this one, so that it has a value.',
		);
	}
	const request = (await loadProductRequests(n8n)).find(({ id }) => String(id) === chosen);
	if (request === undefined) {
		throw cannotLoad(
			n8n,
			'This client has no such Product Request',
			'Check that Client ID and Product Request belong together.',
		);
	}
	if (!takesDocuments(request)) {
		throw cannotLoad(
			n8n,
			`This Product Request takes no documents: it is ${statusLabel(request.status)}`,
			'Documents can be submitted only while it is Pending Documentation. Choose one that is: they come first in the list.',
		);
	}
	return acceptedTypes(request) ?? [];
}
