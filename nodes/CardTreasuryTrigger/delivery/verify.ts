import { createHash, timingSafeEqual } from 'node:crypto';

import type { FieldContext } from '../../shared/fields/field';

/** Milliseconds for which keys that were read stay in use. */
const SECOND_MS = 1_000;

/** Reason why a delivery is rejected. Undefined if accepted. */
export type Rejection = string | undefined;

/** Maximum age in seconds. 0 accepts any age. */
export type MaximumAge = number | 'unreadable';

/**
 * True if the given key is one of `keys` (§5.5). Compares digests in constant time, and always with every key: the
 * duration must reveal neither the length of a key nor which key matched. Never throws.
 */
export function isAccepted(given: unknown, keys: readonly string[]): boolean {
	const text = typeof given === 'string' ? given : '';
	// The key is trimmed, because HTTP strips whitespace around a header value. A key of only whitespace does not count.
	return (
		keys
			.map((key) => key.trim())
			.filter((key) => key !== '')
			.filter((key) => timingSafeEqual(sha256(key), sha256(text))).length > 0
	);
}

/** Checks `X-Webhook-Key` (§5.5). Rejects every delivery if the credential has no key. */
export function checkKey(given: unknown, keys: readonly string[]): Rejection {
	if (keys.every((key) => key.trim() === ''))
		return 'The trigger has no webhook key, or cannot read it at the moment';
	return isAccepted(given, keys) ? undefined : 'The value of X-Webhook-Key is not accepted';
}

/**
 * Checks `X-Request-Timestamp` (§6.1).
 * @param maximumAgeSeconds `unreadable` rejects every delivery
 * @param now epoch milliseconds
 */
export function checkAge(
	timestamp: unknown,
	maximumAgeSeconds: MaximumAge,
	now: number,
): Rejection {
	if (maximumAgeSeconds === 0) return undefined;
	if (maximumAgeSeconds === 'unreadable') return 'The trigger cannot read its Maximum Age';
	const sentAt = readTimestamp(timestamp);
	if (timestamp === undefined) return 'X-Request-Timestamp is missing';
	if (sentAt === undefined) return 'X-Request-Timestamp is not in milliseconds';
	return now - sentAt > maximumAgeSeconds * 1_000
		? 'X-Request-Timestamp is older than the trigger accepts'
		: undefined;
}

/** Reads the maximum age. Refuses an option without a value, because an empty option must not mean "any age". */
export function readMaximumAge({ value, refuse }: FieldContext): MaximumAge {
	const isGiven = typeof value === 'number' || (typeof value === 'string' && value.trim() !== '');
	const age = Number(value);
	return isGiven && Number.isFinite(age) && age >= 0
		? age
		: refuse('must be a number of seconds', 'Enter one, or remove the option.');
}

/**
 * Epoch milliseconds from `X-Request-Timestamp` (§6.1): 13 digits until the year 2286. Undefined for any other value.
 */
export function readTimestamp(header: unknown): number | undefined {
	return typeof header === 'string' && /^[0-9]{13}$/.test(header) ? Number(header) : undefined;
}

function sha256(text: string): Buffer {
	return createHash('sha256').update(text).digest();
}

/**
 * Returns the accepted webhook keys. Reads the credential at most once a second, because any sender can cause a read,
 * and n8n then runs a query and a decryption.
 * @param url identifies one of a trigger's two URLs, because a test run may use another credential than the published
 * workflow
 * @param read returns the current keys, or none if the credential cannot be read; never throws
 */
export type WebhookKeys = (url: string, read: () => Promise<string[]>) => Promise<string[]>;

/**
 * @param now returns milliseconds of a monotonic clock; a change of the system time must not extend the use of a
 * replaced key
 */
export function createWebhookKeys(now = () => performance.now()): WebhookKeys {
	const readings = new Map<string, { at: number; keys: Promise<string[]> }>();

	return async (url, read) => {
		const latest = readings.get(url);
		if (latest && now() - latest.at < SECOND_MS) return await latest.keys;
		const keys = read();
		readings.set(url, { at: now(), keys });
		return await keys;
	};
}
