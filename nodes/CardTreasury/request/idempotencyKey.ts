import { createHash } from 'node:crypto';

/** HTTP header for the idempotency key (§1.6). */
export const IDEMPOTENCY_HEADER = 'Idempotency-Key';

/**
 * Namespace of this package's keys. The namespace must never change, because a payment with a new key could be executed
 * twice.
 */
const NAMESPACE = Buffer.from('6f3b1c0e9d5a4b7f8a2c4d1e7b90c3f5', 'hex');

/**
 * Idempotency key of a payment: a version-5 UUID (RFC 9562) of service, reference and values. The same payment always
 * has the same key.
 */
export function paymentKey(service: string, reference: string, values: string[]): string {
	const name = JSON.stringify([service, reference, ...values]);
	const bytes = createHash('sha1').update(NAMESPACE).update(name).digest().subarray(0, 16);
	bytes[6] = (bytes[6]! & 0x0f) | 0x50;
	bytes[8] = (bytes[8]! & 0x3f) | 0x80;
	const hex = bytes.toString('hex');
	return [0, 8, 12, 16, 20].map((at, nth, starts) => hex.slice(at, starts[nth + 1])).join('-');
}
