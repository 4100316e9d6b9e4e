import type { IDataObject } from 'n8n-workflow';

import { FieldRefusal } from '../../parameters/reader';
import { acceptedTypes, takesDocuments } from './requirement';

/** What of a submission can be held against the requirement. */
export interface Submission {
	productRequestId: string;
	documentType: string;
	metadata: IDataObject;
	/** The back image, when there is one. */
	back?: string;
	replace: boolean;
}

/**
 * Holds a submission against what the client's product requests say is missing (§2.3, §4.3). What they do not say is
 * left to the service.
 * @throws FieldRefusal for what the service would refuse or the review reject
 */
export function checkSubmission(requests: IDataObject[], submission: Submission): void {
	const request = requests.find(({ id }) => String(id) === submission.productRequestId);
	if (request === undefined) {
		throw new FieldRefusal(
			'Product Request',
			'is not one of this client',
			'Choose it from the list, or check that Client ID and Product Request belong together.',
		);
	}
	if (!takesDocuments(request)) {
		throw new FieldRefusal(
			'Product Request',
			`is ${String(request.status)}, and takes documents only while it is pending_documentation`,
			'Choose one that awaits documents: Get Missing Requirements lists them.',
		);
	}
	const types = acceptedTypes(request);
	const type = types?.find(({ id }) => id === submission.documentType);
	if (type === undefined) {
		// A document that was submitted before is no longer listed as missing, and may still be replaced.
		if (types === undefined || submission.replace) return;
		const names = types.map(({ id, name }) => `${name} (${id})`).join(', ');
		throw new FieldRefusal(
			'Document Type',
			`is ${JSON.stringify(submission.documentType)}, which this product request does not ask for`,
			`${names === '' ? 'It asks for no documents.' : `It asks for: ${names}.`} To send a document of the same type once more, turn on Replace in the options.`,
		);
	}
	if (type.needsBackImage && submission.back === undefined) {
		throw new FieldRefusal(
			'Back Image Field',
			`is empty, but ${type.name} needs a back image`,
			'Enter the name of the binary field that holds it.',
		);
	}
	const missing = type.metadata.filter(
		({ id, required }) => required && submission.metadata[id] === undefined,
	);
	if (missing.length > 0) {
		const names = missing.map(({ id, name }) => `${name} (${id})`).join(', ');
		throw new FieldRefusal(
			'Metadata',
			`lacks ${names}, which ${type.name} requires`,
			'Fill it in, or check the expression that gives it.',
		);
	}
}
