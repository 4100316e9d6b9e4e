import { InvalidFieldError } from '../../../shared/fields/invalidField';
import { isObject } from '../../../shared/isObject';
import { harmless, listOf, sentence, shortened } from '../../../shared/plainLine';
import type { Failure } from '../../request/errors';
import { replyOf } from '../reply';
import type { Ending } from '../work';
import { missingIn } from './productRequests';

/** Maximum length of the text for the client, in characters. */
const LONGEST = 400;

const SENT_BEFORE = 'Your document was sent before. Please wait for our answer.';
const MAYBE = 'We may have your document: please wait for our answer before you send it again.';
const LATER = 'We could not take your document now. Please try again later, or answer our email.';
const UNSAID = 'We have your upload. We will tell you if anything in it was not taken.';
const DRY_RUN = 'This was a test: nothing was sent.';

/** Reason for a document that the product request does not wait for. */
export const NOT_ASKED =
	'it is not asked for now. If you were asked for it, please answer our email.';

/** Statuses by which the service rejects what was sent (§7). Others concern the key, the address or the service. */
const ABOUT_THE_DOCUMENT: unknown[] = [400, 412, 413, 415, 422];

/**
 * Tells the client what became of the document, what is missing and what to do. One harmless line of at most 400
 * characters, without IDs of the service.
 */
export function forClient(ending: Ending): string {
	switch (ending.outcome) {
		case 'done':
			return received(ending);
		case 'dry_run':
			return DRY_RUN;
		case 'accepted':
		case 'already_sent':
			return SENT_BEFORE;
		case 'rejected':
		case 'not_sent': {
			const reason = reasonOf(ending);
			return reason === '' ? LATER : `We did not take your document: ${reason}`;
		}
		case 'unknown':
		case 'pending':
		case 'failed':
		case 'nothing_to_send':
			return MAYBE;
	}
}

/** Makes a text from outside safe for the client, and shortens it. */
type Cleaner = (text: unknown, maxLength: number) => string;

/** Cleaner that leaves out the IDs of this write. */
function cleanerOf({ item, failure }: Ending): Cleaner {
	const given = [item.client_id, item.product_request_id, item.trace_id, traceIn(failure)];
	const ids = idsIn(given);
	return (text, maxLength) => {
		if (typeof text !== 'string') return '';
		const plain = harmless(text, Infinity).replace(/\bimage_(front|back)\b/g, '$1 image');
		return shortened(ids ? plain.replace(ids, '…') : plain, maxLength);
	};
}

/** IDs in a text, in any letter case. A short one is an ID only as a word, and a very short one could be any number. */
function idsIn(given: unknown[]): RegExp | undefined {
	const ids = given
		.flatMap((id) => (typeof id === 'string' ? [harmless(id, Infinity)] : []))
		.filter(({ length }) => length >= 4)
		.sort((left, right) => right.length - left.length)
		.map((id) => {
			const literal = id.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
			return id.length < 6 ? `(?<![\\p{L}\\p{N}])${literal}(?![\\p{L}\\p{N}])` : literal;
		});
	return ids.length === 0 ? undefined : new RegExp(ids.join('|'), 'giu');
}

const traceIn = (failure?: Failure) =>
	failure instanceof InvalidFieldError ? undefined : failure?.traceId;

/** Reason that the client can mend, and what to do. Empty for any other. */
function reasonOf(ending: Ending): string {
	const { outcome, failure } = ending;
	const clean = cleanerOf(ending);
	if (failure instanceof InvalidFieldError) return clean(failure.plain, 350);
	// The lookup before the submission is not about the document.
	if (failure === undefined || outcome !== 'rejected') return '';
	if (failure.status === 409) return NOT_ASKED;
	const reply = ABOUT_THE_DOCUMENT.includes(failure.status) ? clean(failure.reply, 300) : '';
	return reply === '' ? '' : `${sentence(reply)} Correct that and send it again.`;
}

/** Names and reasons that fit, the fullest first: number of names, and length of each reason. */
const SIZES = [
	[5, 120],
	[5, 80],
	[3, 60],
	[1, 60],
	[1, 30],
] as const;

function received(ending: Ending): string {
	const { item } = ending;
	const { product, rejected_items: rejected } = item;
	if (!Array.isArray(rejected)) return replyOf(item.answer) === undefined ? UNSAID : MAYBE;
	const clean = cleanerOf(ending);
	const texts = SIZES.map(([names, length]) => {
		const missing = missingText(product, names, clean);
		if (rejected.length === 0) return `We have your document.${missing}`;
		const reasons = reasonsIn(rejected, length, clean);
		return `We have your upload, but parts of it were not taken: ${sentence(reasons)} Correct that and send it again.${missing}`;
	});
	return texts.find(({ length }) => length <= LONGEST) ?? texts.at(-1)!;
}

/** Most reasons that the text names. */
const MOST_REASONS = 3;

function reasonsIn(rejected: unknown[], maxLength: number, clean: Cleaner): string {
	const reasons = rejected.map(
		(entry) => clean(isObject(entry) ? entry.reason : entry, maxLength) || 'a part of it',
	);
	const different = [...new Set(reasons)];
	const more = different.length - MOST_REASONS;
	const shown = different.slice(0, MOST_REASONS);
	return [...shown, ...(more > 0 ? [`and ${more} more`] : [])].join('; ');
}

/**
 * Sentences on what the answer lists as missing, after a space: documents, and data, which no upload can send (§4.2).
 * Empty if it lists nothing.
 */
function missingText(product: unknown, most: number, clean: Cleaner): string {
	const missing = isObject(product) ? missingIn(product) : undefined;
	if (missing === undefined) return '';
	const { documents, data } = missing;
	if (documents.length + data.length === 0) return ' Nothing else is missing here.';
	const parts = [
		documents.length > 0 && ` Still missing: ${sentence(listed(documents, most, clean))}`,
		data.length > 0 && ` Please answer our email with: ${sentence(listed(data, most, clean))}`,
	];
	return parts.filter(Boolean).join('');
}

/** Names of requirements or fields, the first ones, and the number of the others. */
export function listed(
	all: Array<{ name?: unknown; required?: unknown }>,
	most: number,
	clean: Cleaner = (text, maxLength) => shortened(String(text), maxLength),
): string {
	const named = all
		.map(({ name, required }) => [clean(name, 40), required === false ? ' (optional)' : ''])
		.filter(([name]) => name !== '')
		.slice(0, most)
		.map((parts) => parts.join(''));
	const more = all.length - named.length;
	if (named.length === 0) return more === 1 ? '1 thing' : `${more} things`;
	return listOf([...named, ...(more > 0 ? [`${more} more`] : [])]);
}
