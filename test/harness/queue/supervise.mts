import { setTimeout as wait } from 'node:timers/promises';

import type { Member, QueueMode } from './queueMode.mts';

/** The processes of n8n itself, by name. */
export const membersOf = ({ main, workers, webhooks }: QueueMode): Record<string, Member> => ({
	main,
	'worker 1': workers[0],
	'worker 2': workers[1],
	'webhook process 1': webhooks[0],
	'webhook process 2': webhooks[1],
});

/**
 * Starts again what has been killed, and what n8n ends because its database or queue is gone, as whatever supervises
 * processes does. Returns what stops that.
 */
export function supervise(queue: QueueMode): () => Promise<void> {
	let stopped = false;
	const keepUp = async (member: Member) => {
		while (!stopped) {
			// One that does not come up is tried again: what it needs may not be back yet.
			await member.start().catch(() => undefined);
			await wait(500);
		}
	};
	const supervising = Promise.all(Object.values(membersOf(queue)).map(keepUp));
	return async () => {
		stopped = true;
		await supervising;
	};
}
