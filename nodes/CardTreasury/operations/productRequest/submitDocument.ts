import type { IDataObject, ResourceMapperFields } from 'n8n-workflow';

import { isObject } from '../../../shared/isObject';
import { Problem } from '../../../shared/problem';
import { listOf, quote, shortened, textOf } from '../../../shared/text';
import {
	field,
	notice,
	option,
	optional,
	required,
	type Editor,
	type Field,
	type Input,
	type InputFile,
	type Refuse,
	type Values,
} from '../../fields/field';
import { flag, idFromList } from '../../fields/kinds';
import { isBlank, reasonAgainst } from '../../fields/values';
import { path } from '../../service/request';
import { notFound, operation } from '../operation';
import { documented, objectOf, objectsIn } from '../reply';
import { clientId, inWords, listPath, nameOf, takesDocuments, unknownClient } from './request';

/** Types by a file's name, and by its beginning, read as Latin-1. Files from many sources come without a type. */
const TYPES: Array<[type: string, name: RegExp, content: RegExp]> = [
	['image/jpeg', /\.jpe?g$/i, /^\xff\xd8\xff/],
	['image/png', /\.png$/i, /^\x89PNG/],
	['image/webp', /\.webp$/i, /^RIFF[^]{4}WEBP/],
	['image/heic', /\.hei[cf]$/i, /^[^]{4}ftyp(?:he|m[is]f1)/],
	['application/pdf', /\.pdf$/i, /^%PDF-/],
];

function readFile(value: unknown, refuse: Refuse, { file }: Input): Promise<InputFile> | InputFile {
	const name = textOf(value).trim();
	const found = file(name);
	return found
		? withType(found, refuse)
		: refuse(
				`is ${quote(name)}, but the item has no file of that name`,
				"Check the name, and whether the previous node passes the file on. n8n's form drops an empty file.",
			);
}

/** Refuses a file that the service could not read. Its content is dropped until it is sent. */
async function withType(file: InputFile, refuse: Refuse): Promise<InputFile> {
	const content = await file.bytes();
	const start = content.toString('latin1', 0, 16);
	const [byContent] = TYPES.find(([, , begins]) => begins.test(start)) ?? [];
	const [byName] = TYPES.find(([, named]) => named.test(file.name)) ?? [];
	const type = byContent ?? (/^$|octet-stream/.test(file.type) ? byName : file.type);
	if (content.length === 0) return refuse('is an empty file', 'Check where it comes from.');
	return type === undefined
		? refuse('is a file of an unknown type', 'Send a photo, a scan or a PDF.')
		: { ...file, type };
}

const metadata = field(
	'Metadata',
	{
		type: 'resourceMapper',
		description: 'Fields that the chosen document type asks for, such as its number',
		noDataExpression: true,
		default: { mappingMode: 'defineBelow', value: null },
	},
	readMetadata,
	{ takesAny: true },
);

const fields = {
	clientId,
	productRequestId: idFromList(
		'Product Request',
		'The request that the document is for. Those waiting for documents come first.',
		'e.g. pr-0003',
		listRequests,
	),
	documentType: idFromList(
		'Document Type',
		'A type that the product request asks for. The list says which images each needs.',
		'e.g. passport',
		listTypes,
	),
	physicalDocumentNotice: notice(
		'For identification documents the images must show the physical document, as a photo or scan. Digital-only versions from government apps do not pass the review.',
	),
	frontImageField: required(
		'Front Image Field',
		{ default: 'data', hint: 'The name of the input binary field containing the front image' },
		readFile,
	),
	backImageField: optional(
		'Back Image Field',
		{ hint: 'The name of the input binary field containing the back image, if one is needed' },
		readFile,
		// The name is not sent, and an expression gives none for a document without a back.
		{ mayBeNothing: true },
	),
	metadata: {
		...metadata,
		property: (name, resourceMapperMethod) => ({
			...metadata.property(name, resourceMapperMethod),
			typeOptions: {
				// Not `clientId`: n8n would show an unhelpful error while it is an expression without a value.
				loadOptionsDependsOn: ['productRequestId.value', 'documentType.value'],
				resourceMapper: {
					...{ resourceMapperMethod, mode: 'add', valuesLabel: 'Metadata', addAllFields: true },
					fieldWords: { singular: 'field', plural: 'fields' },
					...{ multiKeyMatch: false, supportAutoMap: false },
				},
			},
		}),
		mapper: metadataFields,
	} satisfies Field<IDataObject>,
	replace: option(
		flag(
			'Replace',
			'Whether to replace a document of the same type that was submitted before',
			true,
		),
	),
};

export const submitDocument = operation({
	name: 'Submit Document',
	action: 'Submit document for KYC product request',
	description: 'Submit a missing KYC document with its images',
	effect: 'once',
	level: 3,
	fields,
	errors: [
		notFound('Client or product request', 'Client ID and Product Request'),
		{
			status: 409,
			code: 'VAL',
			message: 'This product request is not waiting for documents',
			fix: 'It takes documents only while it is pending_documentation: check with Get Many.',
		},
	],
	request: (values) => ({
		method: 'POST',
		path: path`/management/clients/individuals/${values.clientId}/products/${values.productRequestId}/documentation`,
		body: async () =>
			bodyOf(values, await dataUrl(values.frontImageField), await dataUrl(values.backImageField)),
		shown: bodyOf(values, described(values.frontImageField), described(values.backImageField)),
	}),
	subject: (values) => ({
		document_type: values.documentType,
		product: null,
		rejected_items: null,
		product_request_id: values.productRequestId,
		client_id: values.clientId,
	}),
	say: ({ documentType: type, clientId: client }, { rejected_items: rejected } = {}) => {
		const reasons = listOf(objectsIn(rejected).map(({ reason }) => textOf(reason)));
		const but = reasons === '' ? '' : `, of which the service rejected a part: ${reasons}`;
		const [document, of] = [type, client].map((text) => text && shortened(text, 40));
		return document && of && `document ${document} of client ${of}${but}`;
	},
	output: (reply) => {
		const { json, rest } = documented(reply, 'product', 'rejected_items');
		// Null, not an empty list: a reply without the list does not say that nothing was rejected.
		const item = { product: json.product ?? null, rejected_items: json.rejected_items ?? null };
		return { items: [{ ...item, ...rest }] };
	},
});

function bodyOf(
	{ documentType, metadata, replace }: Values<typeof fields>,
	front: unknown,
	back: unknown,
) {
	return {
		document: {
			document_type: documentType,
			image_front: front,
			image_back: back,
			replace: replace || undefined,
			metadata: Object.keys(metadata).length > 0 ? metadata : undefined,
		},
	};
}

const dataUrl = async (file: InputFile | undefined) =>
	file && `data:${file.type};base64,${(await file.bytes()).toString('base64')}`;

const described = (file: InputFile | undefined) => file && { size: file.size, type: file.type };

/** Filled-in fields. Numbers become text, because the number of a document is no quantity. */
function readMetadata(mapper: unknown, refuse: Refuse, { raw }: Input): IDataObject {
	const { value, schema } = objectOf(mapper);
	const stored = isObject(raw) && isObject(raw.value) ? raw.value : {};
	// Fields of a document type that was chosen earlier are still stored, but no longer shown.
	const shown = objectsIn(schema).map(({ id }) => id);
	const entries = Object.entries(objectOf(value))
		.filter(([id]) => shown.length === 0 || shown.includes(id))
		.map(([id, entry]) => {
			const reason = reasonAgainst(entry, stored[id]);
			if (reason) refuse(`has ${id}, which ${reason[0]}`, reason[1]);
			return [id, typeof entry === 'number' ? String(entry) : entry] as const;
		});
	return Object.fromEntries(entries.filter(([, entry]) => !isBlank(entry)));
}

async function requestsOf({ current, load }: Editor): Promise<IDataObject[]> {
	const client = current('clientId');
	if (client !== undefined) return (await load(listPath(client), [unknownClient])).map(objectOf);
	return await Promise.reject(
		new Problem('Client ID has no value yet', 'Enter it first, or run the nodes before this one.'),
	);
}

async function listRequests(editor: Editor) {
	const requests = await requestsOf(editor);
	const waitingFirst = (one: IDataObject, other: IDataObject) =>
		Number(takesDocuments(other)) - Number(takesDocuments(one));
	return requests.sort(waitingFirst).map(({ id, product, status, created_at: created }) => ({
		name: `${inWords(product)} · ${inWords(status)} · ${textOf(created).slice(0, 10)}`,
		value: textOf(id),
	}));
}

/** Document types that the chosen product request asks for (§2.3). */
async function typesOf(editor: Editor): Promise<IDataObject[]> {
	const chosen = editor.current('productRequestId');
	const request = (await requestsOf(editor)).find(({ id }) => textOf(id) === chosen);
	const documents = objectsIn(objectOf(request?.missing_requirements).documents);
	return documents.flatMap(({ valid_documents: types }) => objectsIn(types));
}

async function listTypes(editor: Editor) {
	return (await typesOf(editor)).map((type) => ({
		name: `${nameOf(type)} · ${type.require_back_image === true ? 'front and back image' : 'front image'}`,
		value: textOf(type.id),
	}));
}

async function metadataFields(editor: Editor): Promise<ResourceMapperFields> {
	const missing = (['clientId', 'productRequestId', 'documentType'] as const).filter(
		(name) => editor.current(name) === undefined,
	);
	if (missing.length > 0)
		return {
			fields: [],
			emptyFieldsNotice: `These fields depend on ${listOf(missing.map((name) => fields[name].label))}.`,
		};
	const chosen = editor.current('documentType');
	const type = (await typesOf(editor)).find(({ id }) => textOf(id) === chosen);
	return {
		fields: objectsIn(type?.metadata).map((entry) => ({
			id: textOf(entry.id),
			// All are text, because not all data types are documented (§2.3).
			displayName: `${nameOf(entry)}${entry.data_type === 'STRING' ? '' : ` (${textOf(entry.data_type).toLowerCase()})`}`,
			required: entry.required === true,
			defaultMatch: false,
			display: true,
			type: 'string',
		})),
		emptyFieldsNotice: 'The product request asks for no fields of this document type.',
	};
}
