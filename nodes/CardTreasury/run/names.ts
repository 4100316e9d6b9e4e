/** Names of writes in n8n's database and at the service. They must never change: golden values fix them. */

import { createHash } from 'node:crypto';

/** Names of a write that is sent once: the hash of what it sends, and its notes in n8n's database. */
export interface Names {
	fingerprint: string;
	/** Its name in the journal, too. */
	ref: string;
	paid: string;
	open: string;
	failed: string;
}

/** @param reference of a payment, or the place of another write */
export function namesOf(host: string, reference: string, fingerprint: string): Names {
	const ref = hashOf('ref', host, reference);
	const [open, failed] = [hashOf('open', ref), hashOf('failed', ref)];
	return { fingerprint, ref, paid: hashOf('paid', ref, fingerprint), open, failed };
}

/** Note of a run of the node. */
export const runNoteOf = (startedAt: number, runIndex: number): string =>
	hashOf('run', startedAt, runIndex);

/** Place of a write in its execution. */
export const placeOf = (execution: string, runIndex: number, index: number): string =>
	hashOf('once', execution, runIndex, index);

/** SHA-256 of JSON values, as 43 characters. */
export const hashOf = (...values: unknown[]): string =>
	createHash('sha256').update(JSON.stringify(values)).digest('base64url');

/** Namespace of this package's keys. */
const NAMESPACE = Buffer.from('6f3b1c0e9d5a4b7f8a2c4d1e7b90c3f5', 'hex');

/** Idempotency key of a payment: a version-5 UUID (RFC 9562). With another key, the service could execute it again. */
export function paymentKey(host: string, reference: string, values: string[]): string {
	const name = JSON.stringify([host, reference, ...values]);
	const bytes = createHash('sha1').update(NAMESPACE).update(name).digest().subarray(0, 16);
	bytes[6] = (bytes[6]! & 0x0f) | 0x50;
	bytes[8] = (bytes[8]! & 0x3f) | 0x80;
	const hex = bytes.toString('hex');
	return [0, 8, 12, 16, 20].map((at, nth, starts) => hex.slice(at, starts[nth + 1])).join('-');
}
