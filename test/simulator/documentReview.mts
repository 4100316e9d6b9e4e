import type { ProductRequest } from './seed.mts';
import type { SimulatorState } from './state.mts';

interface RejectedItem {
	type: 'document' | 'data';
	key: string;
	reason: string;
}

export interface SubmittedDocument {
	document_type: string;
	image_front: string;
	image_back?: string;
	replace?: boolean;
	metadata?: Record<string, unknown>;
}

/** An image that contains these bytes is rejected, so that clients can test rejections. */
export const REJECTION_MARKER = 'SIMULATOR-REJECT';

/** Beginning of a PNG, JPEG, GIF, WebP or PDF, read as Latin-1. */
const IMAGE = /^(\x89PNG\r\n\x1a\n|\xff\xd8\xff|GIF8[79]a|RIFF[^]{4}WEBP|%PDF-)/;

/** `data:<type>;base64,<data>` (§4.2). */
const DATA_URL = /data:([\w.+-]+\/[\w.+-]+);base64,([A-Za-z0-9+/]+={0,2})/g;

/** Body as it may be stored: images are replaced by type and size. */
export const withoutImages = (bodyText: string): string =>
	bodyText.replace(
		DATA_URL,
		(_, type: string, data: string) => `<${type}, ${Buffer.byteLength(data, 'base64')} bytes>`,
	);

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
		...{ type: 'document', key: document_type, reason },
	});
	if (!open && earlier && !replace)
		return [reject('Already submitted; set replace to send it again')];
	const requirement = open ?? earlier?.requirement;
	if (!requirement) return [reject('Not among the missing requirements')];
	const accepted = requirement.valid_documents.find(({ id }) => id === document_type)!;
	const rejected = [
		...[image_front, image_back].flatMap((image) => objectionsTo(image).map(reject)),
		...(accepted.require_back_image && image_back === undefined
			? [reject('image_back: required for this document type')]
			: []),
		...accepted.metadata
			.filter(({ id, required }) => required && (metadata[id] ?? '') === '')
			.map(({ id, name }) => ({ type: 'data' as const, key: id, reason: `${name} is required` })),
	];
	if (rejected.length > 0) return rejected;
	missing.documents = missing.documents.filter((candidate) => candidate !== open);
	// The document shows no transitions (§3). The simulator starts the review once nothing is missing.
	if (missing.documents.length + missing.data.length === 0) product.status = 'in_kyc';
	const { id: productRequestId } = product;
	state.submittedDocuments.push({ productRequestId, documentType: document_type, requirement });
	return [];
}

function objectionsTo(image = ''): string[] {
	if (image === '') return [];
	const bytes = Buffer.from(image.slice(image.indexOf(',') + 1), 'base64');
	if (bytes.includes(REJECTION_MARKER)) return ['The document could not be verified'];
	return IMAGE.test(bytes.toString('latin1', 0, 12)) ? [] : ['The file is not a readable image'];
}
