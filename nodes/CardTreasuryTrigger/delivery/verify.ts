import { createHash, timingSafeEqual } from 'node:crypto';

import type { Given } from '../../shared/fields/field';

/** How long the key of a reading may be used, and the window in which readings are counted, in milliseconds. */
const SECOND_MS = 1_000;

/**
 * Readings of the credential per URL and second. Each costs n8n a query, a decryption and an expression engine, and any
 * sender can cause one by a wrong key.
 */
const MAX_READINGS = 4;

/** Why a delivery is rejected; undefined when it is accepted. */
export type Rejection = string | undefined;

/** In seconds; 0 = any age. */
export type MaximumAge = number | 'unreadable';

/**
 * Whether the given key is one of `keys` (§5.5). Compares digests, in constant time and with every key, so that the time
 * taken tells neither a key's length nor which key matched. Never throws.
 */
export function isAccepted(given: unknown, keys: readonly string[]): boolean {
	const text = typeof given === 'string' ? given : '';
	// HTTP strips whitespace around a header's value, so it is stripped from the key too; a key of whitespace is no key.
	return (
		keys
			.map((key) => key.trim())
			.filter((key) => key !== '')
			.filter((key) => timingSafeEqual(sha256(key), sha256(text))).length > 0
	);
}

/** Checks `X-Webhook-Key` (§5.5). Without a key in the credential nothing is accepted. */
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
	if (sentAt === undefined)
		return 'X-Request-Timestamp is missing, or not a time in epoch milliseconds';
	return now - sentAt > maximumAgeSeconds * 1_000
		? 'X-Request-Timestamp is older than the trigger accepts'
		: undefined;
}

/** What is there without a value must not be taken for "any age". */
export function readMaximumAge({ value, refuse }: Given): MaximumAge {
	const isGiven = typeof value === 'number' || (typeof value === 'string' && value.trim() !== '');
	const age = Number(value);
	return isGiven && Number.isFinite(age) && age >= 0
		? age
		: refuse('must be a number of seconds', 'Enter one, or remove the option.');
}

/** Epoch milliseconds of `X-Request-Timestamp` (§6.1); undefined when it is not one. */
export function readTimestamp(header: unknown): number | undefined {
	return typeof header === 'string' && /^[0-9]{1,15}$/.test(header) ? Number(header) : undefined;
}

function sha256(text: string): Buffer {
	return createHash('sha256').update(text).digest();
}

interface Known {
	/** What the latest reading gave, the current key first. */
	keys: string[];
	/** When that reading began. */
	readAt: number;
	/** When the readings of the last second began. */
	readings: number[];
	latest?: Promise<string[] | undefined>;
}

/**
 * Gives the keys that a delivery is to be checked against.
 * @param url names one of a trigger's two URLs: a test run may use another credential than what is published
 * @param read gives the keys of the credential as they are now, the current one first; undefined when it cannot be read.
 * Never throws
 */
export type WebhookKeys = (
	url: string,
	given: unknown,
	read: () => Promise<string[] | undefined>,
) => Promise<string[]>;

/**
 * Remembers the current key of each URL for a second. A delivery with any other key makes it read the credential again,
 * so that a new key is accepted at once and a removed one is rejected after a second at most. After four readings within
 * a second, the latest of them decides. One that fails changes nothing: what is not a second old still counts.
 * @param now milliseconds of a clock that nobody sets, so that a replaced key is never accepted for longer
 */
export function createWebhookKeys(now = () => performance.now()): WebhookKeys {
	const urls = new Map<string, Known>();

	return async (url, given, read) => {
		const known = urls.get(url) ?? { keys: [], readAt: -Infinity, readings: [] };
		urls.set(url, known);
		const at = now();
		const recent = at - known.readAt < SECOND_MS ? known.keys : [];
		const current = recent.slice(0, 1);
		if (isAccepted(given, current)) return current;
		known.readings = known.readings.filter((earlier) => at - earlier < SECOND_MS);
		if (known.readings.length >= MAX_READINGS && known.latest)
			return (await known.latest) ?? recent;
		known.readings.push(at);
		known.latest = read();
		const keys = await known.latest;
		// A slow reading may end after a later one has.
		if (keys && at >= known.readAt) Object.assign(known, { keys, readAt: at });
		return keys ?? recent;
	};
}
