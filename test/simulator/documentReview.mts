import { invalid } from './answer.mts';
import { imageFacts, readDataUrl, type ImageFacts } from './images.mts';
import type { DocumentType, ProductRequest } from './seedProductRequests.mts';
import type { SimulatorState } from './state.mts';

/** Item rejected by the review (§2.4). */
interface RejectedItem {
	type: 'document' | 'data';
	key: string;
	reason: string;
}

/** A smaller file cannot hold a readable document. */
const SMALLEST_IMAGE_BYTES = 32;

/** An image that contains these bytes is rejected, so that clients can test rejections. */
export const REJECTION_MARKER = 'SIMULATOR-REJECT';

type Image = ImageFacts & { side: 'front' | 'back' };

/**
 * Reviews a submitted document (§4.2) and removes its requirement from the list if nothing is rejected.
 * The document does not say when the reply is 400 and when it is a rejected item. Here a body that breaks the table of
 * §4.2 gets 400, and a valid body that does not meet the requirement gets a rejected item.
 */
export function reviewDocument(
	state: SimulatorState,
	product: ProductRequest,
	document: Record<string, unknown>,
): RejectedItem[] {
	const { document_type, image_front, image_back, replace = false, metadata = {} } = document;
	if (typeof document_type !== 'string' || document_type === '')
		throw invalid('document.document_type is required');
	if (typeof image_front !== 'string' || image_front === '')
		throw invalid('document.image_front is required');
	if (typeof replace !== 'boolean') throw invalid('document.replace must be a boolean');
	if (!isObject(metadata)) throw invalid('document.metadata must be an object');

	const missing = product.missing_requirements!;
	const open = missing.documents.find(({ valid_documents }) =>
		valid_documents.some(({ id }) => id === document_type),
	);
	const earlier = state.submittedDocuments.find(
		({ productRequestId, documentType }) =>
			productRequestId === product.id && documentType === document_type,
	);
	const reject = (type: RejectedItem['type'], key: string, reason: string): RejectedItem => ({
		type,
		key,
		reason,
	});
	if (!open && earlier && !replace)
		return [reject('document', document_type, 'Already submitted; set replace to send it again')];
	const requirement = open ?? earlier?.requirement;
	if (!requirement)
		return [reject('document', document_type, 'Not among the missing requirements')];
	const accepted = requirement.valid_documents.find(({ id }) => id === document_type)!;

	const sides = [
		{ side: 'front' as const, text: image_front },
		...(image_back === undefined ? [] : [{ side: 'back' as const, text: image_back }]),
	];
	const rejected: RejectedItem[] = [];
	const images: Image[] = [];
	for (const { side, text } of sides) {
		const { image, reason } = reviewImage(side, text);
		images.push(image);
		if (reason) rejected.push(reject('document', document_type, `image_${side}: ${reason}`));
	}
	if (accepted.require_back_image && image_back === undefined) {
		rejected.push(reject('document', document_type, 'image_back: required for this document type'));
	}
	rejected.push(...missingMetadata(accepted, metadata));
	if (rejected.length > 0) return rejected;

	missing.documents = missing.documents.filter((candidate) => candidate !== open);
	// The document shows no transitions (§3). The simulator starts the review once nothing is missing.
	if (missing.documents.length + missing.data.length === 0) product.status = 'in_kyc';
	state.submittedDocuments.push({
		productRequestId: product.id,
		documentType: document_type,
		images,
		requirement,
	});
	return [];
}

function reviewImage(side: Image['side'], text: unknown): { image: Image; reason?: string } {
	const url = typeof text === 'string' ? readDataUrl(text) : undefined;
	if (!url) throw invalid(`document.image_${side} must be base64 with a data-URL prefix`);
	const image = { side, ...imageFacts(url.bytes) };
	return { image, reason: objection(image, url.declaredType, url.bytes) };
}

function objection(image: Image, declaredType: string, bytes: Buffer): string | undefined {
	if (bytes.includes(REJECTION_MARKER)) return 'The document could not be verified';
	if (image.size < SMALLEST_IMAGE_BYTES) return 'The image is too small';
	if (!image.type) return 'The file is not a readable image';
	if (image.type !== declaredType)
		return `The file is ${image.type}, not ${declaredType} as declared`;
	return undefined;
}

function missingMetadata(
	accepted: DocumentType,
	metadata: Record<string, unknown>,
): RejectedItem[] {
	return accepted.metadata
		.filter(({ id, required }) => required && (metadata[id] === undefined || metadata[id] === ''))
		.map(({ id, name }) => ({ type: 'data' as const, key: id, reason: `${name} is required` }));
}

function isObject(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
