import { isAccepted } from './verify';

/** How long the key of a reading may be used, and the window in which readings are counted, in milliseconds. */
const SECOND_MS = 1_000;

/**
 * Readings of the credential per URL and second. Each costs n8n a query, a decryption and an expression engine, and any
 * sender can cause one by a wrong key.
 */
const MAX_READINGS = 4;

interface Known {
	/** What the latest reading gave, the current key first. */
	keys: string[];
	/** When that reading began. */
	readAt: number;
	/** When the readings of the last second began. */
	readings: number[];
	latest?: Promise<string[]>;
}

/**
 * Gives the keys that a delivery is to be checked against.
 * @param url names one of a trigger's two URLs: a test run may use another credential than what is published
 * @param read gives the keys of the credential as they are now, the current one first; never throws
 */
export type WebhookKeys = (
	url: string,
	given: unknown,
	read: () => Promise<string[]>,
) => Promise<string[]>;

/**
 * Remembers the current key of each URL for a second. A delivery with any other key makes it read the credential again,
 * so that a new key is accepted at once and a removed one is rejected after a second at most. After four readings within
 * a second, the latest of them decides.
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
		if (known.readings.length >= MAX_READINGS && known.latest) return await known.latest;
		known.readings.push(at);
		known.latest = read();
		const keys = await known.latest;
		// A slow reading may end after a later one has.
		if (at >= known.readAt) Object.assign(known, { keys, readAt: at });
		return keys;
	};
}
