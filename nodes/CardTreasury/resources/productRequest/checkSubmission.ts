import { InvalidFieldError } from '../../../fields/invalidField';
import type { JsonObject } from '../../input';
import { acceptedTypes, takesDocuments, type DocumentType } from './productRequests';

/** What of a submission can be checked against the requirement. */
export interface Submission {
	productRequestId: string;
	documentType: string;
	metadata: JsonObject;
	/** The back image, when there is one. */
	backImageField?: unknown;
	replace: boolean;
}

/**
 * Checks a submission against what the client's product requests say is missing (§2.3, §4.3). What they do not say is
 * left to the service.
 * @throws InvalidFieldError for what the service or the review would reject
 */
export function checkSubmission(requests: JsonObject[], submission: Submission): void {
	const request = requests.find(({ id }) => String(id) === submission.productRequestId);
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
			`is ${String(request.status)}, but takes documents only while it is pending_documentation`,
			'Choose one that is waiting for documents: Get Missing Requirements lists them.',
		);
	}
	const types = acceptedTypes(request);
	const type = types?.find(({ id }) => id === submission.documentType);
	if (type !== undefined) return checkDocument(type, submission);
	// A document that was submitted before is no longer listed as missing, and may still be replaced.
	if (types === undefined || submission.replace) return;
	const names = types.map(({ id, name }) => `${name} (${id})`).join(', ');
	throw new InvalidFieldError(
		'Document Type',
		`is ${JSON.stringify(submission.documentType)}, which this product request does not ask for`,
		`${names === '' ? 'It asks for no documents.' : `It asks for: ${names}.`} To send a document of the same type again, turn on Replace in the options.`,
	);
}

function checkDocument(type: DocumentType, { backImageField, metadata }: Submission): void {
	if (type.needsBackImage && backImageField === undefined) {
		throw new InvalidFieldError(
			'Back Image Field',
			`is empty, but ${type.name} needs a back image`,
			'Enter the name of the binary field that holds it.',
		);
	}
	const missing = type.metadata.filter(
		({ id, required }) => required && metadata[id] === undefined,
	);
	if (missing.length === 0) return;
	const names = missing.map(({ id, name }) => `${name} (${id})`).join(', ');
	throw new InvalidFieldError(
		'Metadata',
		`lacks ${names}, which ${type.name} requires`,
		'Enter it, or check the expression that gives it.',
	);
}
