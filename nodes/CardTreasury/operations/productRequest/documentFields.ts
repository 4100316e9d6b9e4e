import type { ResourceMapperFields } from 'n8n-workflow';

import { field, type FieldContext } from '../../../shared/fields/field';
import { InvalidFieldError } from '../../../shared/fields/invalidField';
import { isEmpty } from '../../../shared/fields/source';
import { readId } from '../../../shared/fields/text';
import { isObject } from '../../../shared/isObject';
import { textOf } from '../../../shared/plainLine';
import type { JsonObject } from '../../request/input';
import { RawJson, type Body } from '../../request/request';
import { locator } from '../fields';
import type { EditorSource, ItemField } from '../itemFields';
import {
	acceptedTypes,
	listRequest,
	productLabel,
	statusLabel,
	takesDocuments,
	unknownClient,
	type DocumentType,
} from './productRequests';

const WITH_EXPRESSION =
	'If it is an expression, run the nodes before this one, so that it has a value.';

export const productRequest = locator(
	'Product Request',
	{
		description: 'The request that the document is for. Those waiting for documents come first.',
		byHand: { displayName: 'By ID', placeholder: 'e.g. pr-0003' },
	},
	readId,
	async (editor) => {
		const requests = await loadProductRequests(editor);
		const waiting = requests.filter(takesDocuments);
		const others = requests.filter((request) => !takesDocuments(request));
		return [...waiting, ...others].map(({ id, product, status, created_at: created }) => ({
			name: `${productLabel(product)} · ${statusLabel(status)} · ${textOf(created).slice(0, 10)}`,
			value: textOf(id),
		}));
	},
);

export const documentType = locator(
	'Document Type',
	{
		description: 'A type that the product request asks for. The list says which images each needs.',
		byHand: { displayName: 'By ID', placeholder: 'e.g. passport' },
	},
	readId,
	async (editor) =>
		(await loadDocumentTypes(editor)).map(({ id, name, needsBackImage, requirement }) => ({
			name: `${name} · ${needsBackImage ? 'front and back image' : 'front image'} · ${requirement.name}${requirement.required ? '' : ' (optional)'}`,
			value: id,
		})),
);

/** Fields of the chosen document type (§2.3). All are text, because not all data types are documented. */
export const metadata: ItemField<Record<string, Body>> = {
	...field(
		'Metadata',
		(method) => ({
			type: 'resourceMapper',
			description: 'Fields that the chosen document type asks for, such as its number',
			noDataExpression: true,
			default: { mappingMode: 'defineBelow', value: null },
			typeOptions: {
				// `clientId` is missing here, because n8n would show an unhelpful error while Client ID is an expression
				// without a value.
				loadOptionsDependsOn: ['productRequestId.value', 'documentType.value'],
				resourceMapper: {
					resourceMapperMethod: method,
					mode: 'add',
					valuesLabel: 'Metadata',
					fieldWords: { singular: 'field', plural: 'fields' },
					addAllFields: true,
					multiKeyMatch: false,
					supportAutoMap: false,
				},
			},
		}),
		readMetadata,
	),
	look: 'own',
	mapper: metadataFields,
};

/** Problem for the client who typed a value. */
const UNREADABLE =
	'one of its values has no text that we can read. Type it again, and send the document again.';

/** Reads the filled-in fields. Numbers become text, because the number of a document is not a quantity. */
function readMetadata(given: FieldContext): Record<string, Body> {
	const { value: mapper, raw, refuse } = given;
	if (isEmpty(mapper) || isUntouched(mapper)) return {};
	const { value, schema }: { value?: unknown; schema?: unknown } = Object(mapper);
	if (!isObject(value)) {
		return refuse('is not a set of fields', 'Check the expression: it must give an object.');
	}
	// Values of a document type chosen earlier are dropped. n8n still stores them, but no longer shows them.
	const shown = Array.isArray(schema)
		? schema.map((field: unknown) => (isObject(field) ? field.id : undefined))
		: [];
	const entries = Object.entries(value).filter(([id]) => shown.length === 0 || shown.includes(id));
	const stored = isObject(raw) && isObject(raw.value) ? raw.value : undefined;
	for (const [id, entry] of entries) {
		// One expression for all fields may leave an optional one empty, as a form does.
		if (stored === undefined && (entry === null || entry === '')) continue;
		const look = isObject(entry) ? { takes: 'json' as const } : {};
		const source = stored ? stored[id] : isObject(raw) ? raw.value : raw;
		given.refuseNothing(entry, source, look, id, UNREADABLE);
	}
	const filled = entries.filter(([, entry]) => !isEmpty(entry));
	return Object.fromEntries(filled.map(([id, entry]) => [id, asBody(entry)]));
}

/** True for a mapper without values, as n8n saves it before a field is filled in. */
function isUntouched(mapper: unknown): boolean {
	if (!isObject(mapper) || !isEmpty(mapper.value)) return false;
	const names = Object.keys(mapper);
	return names.length === 0 || ['value', 'mappingMode'].some((name) => names.includes(name));
}

function asBody(entry: unknown): Body {
	if (typeof entry === 'string' || typeof entry === 'boolean') return entry;
	return typeof entry === 'number' ? String(entry) : new RawJson(JSON.stringify(entry));
}

const NEEDED = [
	['clientId', 'Client ID'],
	['productRequestId', 'Product Request'],
	['documentType', 'Document Type'],
] as const;

async function metadataFields(editor: EditorSource): Promise<ResourceMapperFields> {
	const empty = NEEDED.find(([name]) => editor.current(name) === undefined);
	if (empty) return noFields(`The metadata depends on the ${empty[1]}, which has no value yet.`);
	const chosen = editor.current('documentType');
	const type = (await loadDocumentTypes(editor)).find(({ id }) => id === chosen);
	if (type === undefined) {
		return noFields(
			'The product request does not ask for this document type, so its fields are not known.',
		);
	}
	if (type.metadata.length === 0) return noFields(`${type.name} needs no further fields.`);
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

const noFields = (emptyFieldsNotice: string): ResourceMapperFields => ({
	fields: [],
	emptyFieldsNotice,
});

function typeNote(dataType: string): string {
	if (dataType === 'STRING') return '';
	return dataType === 'PHONE' ? ' (phone number)' : ` (${dataType.toLowerCase()}, as text)`;
}

async function loadProductRequests(editor: EditorSource): Promise<JsonObject[]> {
	const clientId = editor.current('clientId');
	if (clientId !== undefined) return await editor.load(listRequest(clientId), [unknownClient]);
	throw new InvalidFieldError(
		'Client ID',
		'has no value yet',
		`Enter it first. ${WITH_EXPRESSION} Or enter the ID here instead of choosing from the list.`,
	);
}

async function loadDocumentTypes(editor: EditorSource): Promise<DocumentType[]> {
	const chosen = editor.current('productRequestId');
	if (chosen === undefined) {
		throw new InvalidFieldError(
			'Product Request',
			'has no value yet',
			`Choose it first. ${WITH_EXPRESSION}`,
		);
	}
	const request = (await loadProductRequests(editor)).find(({ id }) => textOf(id) === chosen);
	if (request === undefined) {
		throw new InvalidFieldError(
			'Product Request',
			'does not belong to this client',
			'Check that Client ID and Product Request belong together.',
		);
	}
	if (takesDocuments(request)) return acceptedTypes(request) ?? [];
	throw new InvalidFieldError(
		'Product Request',
		`takes no documents: it is ${statusLabel(request.status)}`,
		'Documents can be submitted only while it is Pending Documentation. Choose one that is: they come first in the list.',
	);
}
