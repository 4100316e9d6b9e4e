import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { isObject } from '../../../service/isObject';
import { serviceOperation } from '../../operation';
import { fillPath } from '../../parameters/path';
import { FieldRefusal, readId, type ParameterReader } from '../../parameters/reader';
import { idField } from '../fields';
import { asList } from '../items';
import { checkSubmission, type Submission } from './checkSubmission';
import { readImage } from './image';
import { listRequest } from './listing';
import { unknownClient } from './refusals';

const PATH = '/management/clients/individuals/{clientId}/products/{productRequestId}/documentation';

function listedField(
	face: { displayName: string; name: string; description: string },
	searchListMethod: string,
	placeholder: string,
): INodeProperties {
	return {
		...face,
		type: 'resourceLocator',
		default: { mode: 'list', value: '' },
		required: true,
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				typeOptions: { searchListMethod, searchable: true },
			},
			{ displayName: 'By ID', name: 'id', type: 'string', placeholder },
		],
	};
}

interface Fields extends Submission {
	clientId: string;
	front?: string;
}

export const submitDocument = serviceOperation<Fields>({
	value: 'submitDocument',
	displayName: 'Submit Document',
	action: 'Submit a document for a product request',
	description: 'Submit a missing KYC document with its images',
	section: '4.2',
	endpoint: { method: 'POST', path: PATH },
	level: 3,
	effect: 'unkeyed write',
	answer: 'object',
	timeoutMs: 60_000,
	refusals: [
		unknownClient,
		{
			status: 409,
			code: 'VAL',
			message: 'This product request is not waiting for documents',
			fix: 'Documents can be submitted only while its status is pending_documentation. Nothing was stored. Look at its status with Get Many.',
		},
	],
	properties: [
		idField('clientId', 'Client ID', 'e.g. cli_123'),
		listedField(
			{
				displayName: 'Product Request',
				name: 'productRequestId',
				description: 'The request that the document is for. Those that await documents come first.',
			},
			'searchProductRequests',
			'e.g. pr_123',
		),
		listedField(
			{
				displayName: 'Document Type',
				name: 'documentType',
				description: 'The types that the product request asks for, with the images each needs',
			},
			'searchDocumentTypes',
			'e.g. passport',
		),
		{
			displayName:
				'For identification documents the images must show the physical document, as a photo or scan. Digital-only versions from government apps do not pass the review.',
			name: 'physicalDocumentNotice',
			type: 'notice',
			default: '',
		},
		{
			displayName: 'Front Image Field',
			name: 'frontImageField',
			type: 'string',
			default: 'data',
			required: true,
			hint: 'The name of the input binary field containing the front image',
		},
		{
			displayName: 'Back Image Field',
			name: 'backImageField',
			type: 'string',
			default: '',
			hint: 'The name of the input binary field containing the back image, when the document type needs one',
		},
		{
			displayName: 'Metadata',
			name: 'metadata',
			type: 'resourceMapper',
			noDataExpression: true,
			default: { mappingMode: 'defineBelow', value: null },
			typeOptions: {
				// Without `clientId`: n8n would answer by itself, and unhelpfully, while that is an expression without a value.
				loadOptionsDependsOn: ['productRequestId.value', 'documentType.value'],
				resourceMapper: {
					resourceMapperMethod: 'getDocumentMetadata',
					mode: 'add',
					valuesLabel: 'Metadata',
					fieldWords: { singular: 'field', plural: 'fields' },
					addAllFields: true,
					multiKeyMatch: false,
					supportAutoMap: false,
				},
			},
		},
	],
	options: [
		{
			displayName: 'Replace',
			name: 'replace',
			type: 'boolean',
			default: false,
			description: 'Whether to replace a document of the same type that was submitted before',
		},
	],
	precheck: {
		level: 1,
		answer: 'array',
		refusals: [unknownClient],
		request: ({ clientId }) => listRequest(clientId),
		check: (answer, fields) => checkSubmission(asList(answer), fields),
	},
	fields: async (parameters) => ({
		clientId: readId(parameters, 'clientId', 'Client ID'),
		productRequestId: readId(parameters, 'productRequestId', 'Product Request'),
		documentType: readId(parameters, 'documentType', 'Document Type'),
		metadata: readMetadata(parameters),
		replace: parameters.get('options.replace') === true,
		front: await readImage(parameters, 'frontImageField', 'Front Image Field'),
		back: await readImage(parameters, 'backImageField', 'Back Image Field'),
	}),
	request: ({ documentType, metadata, replace, front, back, ...ids }) => {
		if (front === undefined) {
			throw new FieldRefusal(
				'Front Image Field',
				'is empty',
				'Enter the name of the binary field, e.g. data.',
			);
		}
		return {
			method: 'POST',
			path: fillPath(PATH, ids),
			body: JSON.stringify({
				document: {
					document_type: documentType,
					image_front: front,
					...(back === undefined ? {} : { image_back: back }),
					...(replace ? { replace } : {}),
					...(Object.keys(metadata).length > 0 ? { metadata } : {}),
				},
			}),
		};
	},
	items: ({ json, traceId }) => {
		const { product, rejected_items: rejected } = json as IDataObject;
		return [
			{ json: { product: product ?? null, rejected_items: rejected ?? [], trace_id: traceId } },
		];
	},
});

/** A resource mapper's fields; those left empty are not sent. Numbers become text: a document's number is not a quantity. */
function readMetadata(parameters: ParameterReader): IDataObject {
	const mapper = parameters.get('metadata');
	if (!isObject(mapper) || mapper.value === undefined || mapper.value === null) return {};
	const { value } = mapper;
	if (!isObject(value)) {
		throw new FieldRefusal(
			'Metadata',
			'is not a set of fields',
			'Check the expression: it must give an object.',
		);
	}
	// Values of a type that was chosen before stay in the workflow, out of the user's sight.
	const shown = new Set(
		Array.isArray(mapper.schema)
			? mapper.schema.map((field) => (isObject(field) ? field.id : undefined))
			: [],
	);
	const filled = Object.entries(value).filter(
		([id, entry]) =>
			entry !== null && entry !== undefined && entry !== '' && (shown.size === 0 || shown.has(id)),
	);
	const asText = (entry: unknown) => (typeof entry === 'number' ? String(entry) : entry);
	return Object.fromEntries(filled.map(([id, entry]) => [id, asText(entry)])) as IDataObject;
}
