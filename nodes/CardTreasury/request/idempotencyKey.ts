import { createHash } from 'node:crypto';

import type { ServiceRequest } from '../operation';

/** Header of §1.6. */
export const IDEMPOTENCY_HEADER = 'Idempotency-Key';

/** What tells one piece of work from another. */
export interface WorkIdentity {
	/** Of this n8n, because execution IDs start at 1 in each. */
	instanceId: string;
	workflowId: string;
	nodeId: string;
	/** The execution in which the work was first tried: a manual retry keeps it. */
	rootExecutionId: string;
	/**
	 * Which round of a loop and which item. Undefined when an AI agent calls the node as a tool: each of its calls
	 * is a new round, also the repetition of one that did not come through, so there equal requests are one piece of work.
	 */
	place?: { runIndex: number; itemIndex: number };
}

/**
 * The key that every repetition of the same piece of work sends again, and no other work does (§1.6).
 * In the form of a UUID, which services accept wherever they check the form of a key.
 */
export function deriveIdempotencyKey(work: WorkIdentity, request: ServiceRequest): string {
	const identity = [
		work.instanceId,
		work.workflowId,
		work.nodeId,
		work.rootExecutionId,
		work.place?.runIndex ?? null,
		work.place?.itemIndex ?? null,
		request.method,
		request.path,
		request.query ?? [],
		request.body ?? '',
	];
	const hash = createHash('sha256').update(JSON.stringify(identity)).digest('hex');
	// Version 8 and variant bits of RFC 9562: a UUID of the maker's own derivation.
	return `${hash.slice(0, 8)}-${hash.slice(8, 12)}-8${hash.slice(13, 16)}-a${hash.slice(17, 20)}-${hash.slice(20, 32)}`;
}

/** A user's own key: what may stand in a header, at most 255 characters. Undefined when it is fine, else what is wrong. */
export function checkOwnKey(key: unknown): string | undefined {
	if (key === undefined || key === null || key === '') return 'is empty';
	if (typeof key !== 'string') return 'is not a text';
	if (key.length > 255) return 'is longer than 255 characters';
	if (!/^[\x20-\x7e]+$/.test(key))
		return 'contains characters other than plain letters, digits and punctuation';
	if (key !== key.trim()) return 'begins or ends with a blank';
	return undefined;
}
