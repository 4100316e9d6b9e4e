import { isAccepted } from './verify';

/** How long the key of a reading may be used, and the window in which readings are counted, in milliseconds. */
const SECOND_MS = 1_000;

/**
 * Readings of the credential per node and second. Each costs n8n a query, a decryption and an expression engine, and any
 * sender can cause one by a wrong key.
 */
const MAX_READINGS = 4;

/** More triggers than one n8n has; forgetting one costs one more reading. */
const MAX_NODES = 1_000;

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
 * @param node names the node among all workflows
 * @param read gives the keys of the credential as they are now, the current one first; never throws
 */
export type WebhookKeys = (
	node: string,
	given: unknown,
	read: () => Promise<string[]>,
) => Promise<string[]>;

/**
 * Remembers the current key of each node for a second. A delivery with any other key makes it read the credential again,
 * so that a new key is accepted at once and a removed one is rejected after a second at most. After four readings within
 * a second, the latest of them decides.
 * @param now milliseconds of a clock that nobody sets, so that a replaced key is never accepted for longer
 */
export function createWebhookKeys(now = () => performance.now()): WebhookKeys {
	const nodes = new Map<string, Known>();

	const knownOf = (node: string): Known => {
		const known = nodes.get(node) ?? { keys: [], readAt: -Infinity, readings: [] };
		nodes.set(node, known);
		for (const oldest of nodes.keys()) {
			if (nodes.size <= MAX_NODES) break;
			nodes.delete(oldest);
		}
		return known;
	};

	return async (node, given, read) => {
		const known = knownOf(node);
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
