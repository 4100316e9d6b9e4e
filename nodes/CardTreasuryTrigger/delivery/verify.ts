import { createHash, timingSafeEqual } from 'node:crypto';

/** Why a delivery is rejected; undefined when it is accepted. */
export type Rejection = string | undefined;

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
			.filter((key) => timingSafeEqual(digest(key), digest(text))).length > 0
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
 * @param maximumAgeSeconds 0 = any age; NaN = a limit that cannot be read, so every delivery is rejected
 * @param now epoch milliseconds
 */
export function checkAge(timestamp: unknown, maximumAgeSeconds: number, now: number): Rejection {
	if (maximumAgeSeconds === 0) return undefined;
	if (Number.isNaN(maximumAgeSeconds)) return 'The trigger cannot read its Maximum Age';
	const sentAt = readTimestamp(timestamp);
	if (sentAt === undefined)
		return 'X-Request-Timestamp is missing, or not a time in epoch milliseconds';
	return now - sentAt > maximumAgeSeconds * 1_000
		? 'X-Request-Timestamp is older than the trigger accepts'
		: undefined;
}

/** Epoch milliseconds of `X-Request-Timestamp` (§6.1); undefined when it is not one. */
export function readTimestamp(header: unknown): number | undefined {
	return typeof header === 'string' && /^[0-9]{1,15}$/.test(header) ? Number(header) : undefined;
}

function digest(text: string): Buffer {
	return createHash('sha256').update(text).digest();
}
