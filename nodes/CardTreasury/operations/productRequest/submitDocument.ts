import { flag } from '../../../shared/fields/choice';
import { notice } from '../../../shared/fields/field';
import { InvalidFieldError, quote } from '../../../shared/fields/invalidField';
import { shortened, textOf } from '../../../shared/plainLine';
import type { JsonObject } from '../../request/input';
import { objectOf, objectsIn } from '../../request/request';
import { image } from '../fields';
import { operation, post, type Hint } from '../operation';
import { repliedInstead } from '../reply';
import { undocumented } from '../undocumented';
import { documentType, metadata, productRequest } from './documentFields';
import { forClient, listed, NOT_ASKED } from './forClient';
import {
	acceptedTypes,
	client,
	listRequest,
	PRODUCT_REQUEST,
	takesDocuments,
	unknownClient,
	type DocumentType,
} from './productRequests';

export const submitDocument = operation({
	name: 'Submit Document',
	action: 'Submit document for KYC product request',
	description: 'Submit a missing KYC document with its images',
	section: '4.2',
	searchHint: 'upload a passport, ID card or proof of address for the KYC of an individual client',
	endpoint: post(
		'/management/clients/individuals/{clientId}/products/{productRequestId}/documentation',
	),
	level: 3,
	effect: 'unkeyed write',
	answer: 'object',
	timeoutMs: 60_000,
	fields: {
		clientId: client,
		productRequestId: productRequest,
		documentType,
		physicalDocumentNotice: notice(
			'For identification documents the images must show the physical document, as a photo or scan. Digital-only versions from government apps do not pass the review.',
		),
		frontImageField: image('Front Image Field', {
			default: 'data',
			required: true,
			hint: 'The name of the input binary field containing the front image',
		}),
		// A workflow for all document types may give nothing here.
		backImageField: {
			...image('Back Image Field', {
				default: '',
				hint: 'The name of the input binary field containing the back image, when the document type needs one',
			}),
			mayGiveNothing: true as const,
		},
		metadata,
	},
	options: {
		replace: flag(
			'Replace',
			'Whether to replace a document of the same type that was submitted before',
			false,
			'fromForm',
		),
	},
	errors: [
		unknownClient,
		{
			status: 409,
			code: 'VAL',
			message: 'This product request is not waiting for documents',
			fix: 'Documents can be submitted only while its status is pending_documentation. Nothing was stored. Check its status with Get Many.',
		},
	],
	check: ({ frontImageField, backImageField }) => {
		if (frontImageField === undefined)
			throw new InvalidFieldError(
				'Front Image Field',
				'is empty',
				'Enter the name of the binary field, for example data.',
			);
		if (frontImageField.stored === backImageField?.stored)
			throw new InvalidFieldError(
				'Back Image Field',
				'holds the same file as Front Image Field',
				'Give each side a file of its own: check the names of the fields, or clear this one.',
				'the back image is the same as the front image. Send a photo of each side.',
			);
	},
	precheck: {
		request: ({ clientId }) => listRequest(clientId),
		level: 1,
		answer: 'array',
		errors: [unknownClient],
		check: ({ json }, submission) => {
			checkSubmission(objectsIn(json), submission);
			return undefined;
		},
	},
	body: ({ documentType: type, metadata: fields, replace, frontImageField, backImageField }) => ({
		document: {
			document_type: type,
			image_front: frontImageField,
			image_back: backImageField,
			replace: replace || undefined,
			metadata: Object.keys(fields).length > 0 ? fields : undefined,
		},
	}),
	subject: ({ clientId, productRequestId, documentType: type }) => ({
		...(type !== undefined && { document_type: type }),
		...(productRequestId !== undefined && { product_request_id: productRequestId }),
		...(clientId !== undefined && { client_id: clientId }),
	}),
	names: ({ document_type: type, product_request_id: request, client_id: person }) => [
		[
			`document${type ? ` ${shortened(type, 40)}` : ''}`,
			request && `for product request ${shortened(request, 40)}`,
			person && `of client ${shortened(person, 40)}`,
		]
			.filter(Boolean)
			.join(' '),
	],
	became: (item) => {
		const { outcome, rejected_items: rejected } = item;
		if (outcome !== 'done') return undefined;
		if (rejected === null)
			return repliedInstead(item) ?? 'The reply does not say whether anything was rejected';
		const reasons = objectsIn(rejected).map(
			({ reason, key }) => [reason, key].find((text) => typeof text === 'string') ?? 'a part',
		);
		return reasons.length === 0 ? undefined : `Rejected: ${reasons.join('; ')}`;
	},
	atEnd: (ending) => ({ for_client: forClient(ending) }),
	items: (answer, { clientId, productRequestId, documentType: type }) => {
		const { product, rejected_items: rejected, ...rest } = objectOf(answer);
		// Null, not an empty list: a reply without the list does not mean that nothing was rejected.
		return [
			{
				document_type: type,
				product: product ?? null,
				rejected_items: rejected ?? null,
				product_request_id: productRequestId,
				client_id: clientId,
				...undocumented(rest),
			},
		];
	},
	hints: (results) => [...rejectionHint(results), ...silenceHint(results)],
	output: {
		for_client: 'string',
		document_type: 'string',
		product: PRODUCT_REQUEST,
		rejected_items: [{ type: 'string', key: 'string', reason: 'string' }],
		product_request_id: 'string',
		client_id: 'string',
	},
});

function rejectionHint(results: JsonObject[][]): Hint[] {
	const count = results
		.flat()
		.filter(({ rejected_items: rejected }) => objectsIn(rejected).length > 0).length;
	if (count === 0) return [];
	const [documents, it] = count === 1 ? ['1 document', 'it'] : [`${count} documents`, 'them'];
	const message = `The service rejected parts of ${documents}. Read the reasons in rejected_items, correct the parts and submit ${it} again.`;
	return [{ message, type: 'warning' }];
}

/** Warns if a reply lacks `rejected_items`, which every reply should have (§4.2). */
function silenceHint(results: JsonObject[][]): Hint[] {
	const count = results.flat().filter(({ rejected_items: rejected }) => rejected === null).length;
	if (count === 0) return [];
	const answers = count === 1 ? '1 answer does not say' : `${count} answers do not say`;
	const message = `${answers} whether anything was rejected: check with Get Missing Requirements.`;
	return [{ message, type: 'warning' }];
}

/** Fields of a submission that can be checked against the requirement. */
interface Submission {
	productRequestId: string;
	documentType: string;
	metadata: JsonObject;
	/** Present if there is a back image. */
	backImageField?: unknown;
	replace: boolean;
}

/**
 * Checks a submission against the missing requirements of the client's product requests (§2.3, §4.3).
 * @throws InvalidFieldError for a submission that the service or the review would reject
 */
function checkSubmission(requests: JsonObject[], submission: Submission): void {
	const request = requests.find(({ id }) => textOf(id) === submission.productRequestId);
	if (request === undefined) {
		throw new InvalidFieldError(
			'Product Request',
			'does not belong to this client',
			'Choose it from the list, or check that Client ID and Product Request belong together.',
		);
	}
	if (!takesDocuments(request)) {
		throw new InvalidFieldError(
			'Product Request',
			`is ${textOf(request.status)}, but takes documents only while it is pending_documentation`,
			'Choose one that is waiting for documents: Get Missing Requirements lists them.',
			NOT_ASKED,
		);
	}
	const types = acceptedTypes(request);
	const type = types?.find(({ id }) => id === submission.documentType);
	if (type !== undefined) return checkDocument(type, submission);
	// A document that was submitted before is no longer listed as missing. Replace may still send it.
	if (types === undefined || submission.replace) return;
	const names = types.map(({ id, name }) => `${name} (${id})`).join(', ');
	throw new InvalidFieldError(
		'Document Type',
		`is ${quote(submission.documentType)}, which this product request does not ask for`,
		`${names === '' ? 'It asks for no documents.' : `It asks for: ${names}.`} To send a document of the same type again, turn on Replace in the options.`,
		NOT_ASKED,
	);
}

function checkDocument(type: DocumentType, { backImageField, metadata }: Submission): void {
	if (type.needsBackImage && backImageField === undefined) {
		throw new InvalidFieldError(
			'Back Image Field',
			`is empty, but ${type.name} needs a back image`,
			'Enter the name of the binary field that holds it.',
			`${shortened(type.name, 60)} needs a back image. Send both images.`,
		);
	}
	const missing = type.metadata.filter(
		({ id, required }) => required && !Object.hasOwn(metadata, id),
	);
	if (missing.length === 0) return;
	const names = missing.map(({ id, name }) => `${name} (${id})`).join(', ');
	throw new InvalidFieldError(
		'Metadata',
		`lacks ${names}, which ${type.name} requires`,
		'Enter it, or check the expression that gives it.',
		`${listed(missing, 5)} ${missing.length === 1 ? 'is' : 'are'} missing. Enter what is missing, and send the document again.`,
	);
}
