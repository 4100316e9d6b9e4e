import { createHash, timingSafeEqual } from 'node:crypto';

export interface Proof {
	/** `X-Webhook-Key` as received; a list when the host did not join repeated headers. */
	webhookKey: unknown;
	/** `X-Request-Timestamp` as received, epoch milliseconds (§6.1). */
	timestamp: unknown;
}

export interface Expectation {
	/** Keys that are accepted (§5.5); none lets nothing in. */
	keys: readonly string[];
	/** 0 = any age. */
	maximumAgeSeconds: number;
	/** Epoch milliseconds. */
	now: number;
}

export type Verdict = { ok: true } | { ok: false; message: string };

/**
 * Whether a delivery comes from the service (§5.5). Compares digests in constant time, against every accepted key, so
 * that neither a key's length nor which key matched can be told from the time taken. Never throws, fails closed.
 */
export function verify(
	{ webhookKey, timestamp }: Proof,
	{ keys, maximumAgeSeconds, now }: Expectation,
): Verdict {
	// Surrounding blanks never arrive in a header. A key of nothing but blanks is no key.
	const accepted = keys.map((key) => key.trim()).filter((key) => key !== '');
	if (accepted.length === 0)
		return refuse('The receiver has no webhook key set, or cannot read it at the moment');
	const given = typeof webhookKey === 'string' ? webhookKey : '';
	const matches = accepted.filter((key) => timingSafeEqual(digest(key), digest(given))).length;
	if (matches === 0) return refuse('The value of X-Webhook-Key is not accepted');
	if (!(maximumAgeSeconds > 0)) return { ok: true };
	const sentAt = readTimestamp(timestamp);
	if (sentAt === undefined)
		return refuse('X-Request-Timestamp is missing or not a time in milliseconds');
	if (now - sentAt > maximumAgeSeconds * 1_000)
		return refuse('X-Request-Timestamp is older than is accepted');
	return { ok: true };
}

/** Epoch milliseconds of `X-Request-Timestamp` (§6.1); undefined when it is not one. */
export function readTimestamp(header: unknown): number | undefined {
	return typeof header === 'string' && /^[0-9]{1,15}$/.test(header) ? Number(header) : undefined;
}

function digest(text: string): Buffer {
	return createHash('sha256').update(text).digest();
}

function refuse(message: string): Verdict {
	return { ok: false, message };
}
