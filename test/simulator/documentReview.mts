import { readDataUrl, typeOf } from './images.mts';
import type { DocumentType, ProductRequest } from './seedProductRequests.mts';
import type { SimulatorState } from './state.mts';

/** Item rejected by the review (§2.4). */
interface RejectedItem {
	type: 'document' | 'data';
	key: string;
	reason: string;
}

/** Document as it is submitted (§4.2). */
export interface SubmittedDocument {
	document_type: string;
	image_front: string;
	image_back?: string;
	replace?: boolean;
	metadata?: Record<string, unknown>;
}

/** A smaller file cannot hold a readable document. */
const SMALLEST_IMAGE_BYTES = 32;

/** An image that contains these bytes is rejected, so that clients can test rejections. */
export const REJECTION_MARKER = 'SIMULATOR-REJECT';

/**
 * Reviews a submitted document (§4.2) and removes its requirement from the list if nothing is rejected.
 * The document does not say when the reply is an error and when it is a rejected item. Here a body that fits the table
 * of §4.2 and does not meet the requirement gets a rejected item.
 */
export function reviewDocument(
	state: SimulatorState,
	product: ProductRequest,
	{ document_type, image_front, image_back, replace = false, metadata = {} }: SubmittedDocument,
): RejectedItem[] {
	const missing = product.missing_requirements!;
	const open = missing.documents.find(({ valid_documents }) =>
		valid_documents.some(({ id }) => id === document_type),
	);
	const earlier = state.submittedDocuments.find(
		({ productRequestId, documentType }) =>
			productRequestId === product.id && documentType === document_type,
	);
	const reject = (reason: string): RejectedItem => ({
		type: 'document',
		key: document_type,
		reason,
	});
	if (!open && earlier && !replace)
		return [reject('Already submitted; set replace to send it again')];
	const requirement = open ?? earlier?.requirement;
	if (!requirement) return [reject('Not among the missing requirements')];
	const accepted = requirement.valid_documents.find(({ id }) => id === document_type)!;

	const sides = { image_front, ...(image_back !== undefined && { image_back }) };
	const rejected = Object.entries(sides).flatMap(([side, image]) => {
		const reason = objection(image);
		return reason === undefined ? [] : [reject(`${side}: ${reason}`)];
	});
	if (accepted.require_back_image && image_back === undefined) {
		rejected.push(reject('image_back: required for this document type'));
	}
	rejected.push(...missingMetadata(accepted, metadata));
	if (rejected.length > 0) return rejected;

	missing.documents = missing.documents.filter((candidate) => candidate !== open);
	// The document shows no transitions (§3). The simulator starts the review once nothing is missing.
	if (missing.documents.length + missing.data.length === 0) product.status = 'in_kyc';
	state.submittedDocuments.push({
		productRequestId: product.id,
		documentType: document_type,
		requirement,
	});
	return [];
}

/** Reason to reject an image. */
function objection(image: string): string | undefined {
	const { bytes, declaredType } = readDataUrl(image)!;
	const type = typeOf(bytes);
	if (bytes.includes(REJECTION_MARKER)) return 'The document could not be verified';
	if (bytes.length < SMALLEST_IMAGE_BYTES) return 'The image is too small';
	if (!type) return 'The file is not a readable image';
	return type === declaredType ? undefined : `The file is ${type}, not ${declaredType} as declared`;
}

function missingMetadata(
	accepted: DocumentType,
	metadata: Record<string, unknown>,
): RejectedItem[] {
	return accepted.metadata
		.filter(({ id, required }) => required && (metadata[id] === undefined || metadata[id] === ''))
		.map(({ id, name }) => ({ type: 'data' as const, key: id, reason: `${name} is required` }));
}
