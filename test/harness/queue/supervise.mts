import { setTimeout as wait } from 'node:timers/promises';

import type { Member, QueueMode } from './queueMode.mts';

/**
 * Restarts processes that were killed or that n8n ended for lack of its database or queue, as a supervisor does.
 * @returns a function that stops this
 */
export function supervise({ main, workers, webhooks }: QueueMode): () => Promise<void> {
	let stopped = false;
	const keepUp = async (member: Member) => {
		while (!stopped) {
			// A failed start is repeated, because its database or queue may not be back yet.
			await member.start().catch(() => undefined);
			await wait(500);
		}
	};
	const supervising = Promise.all([main, ...workers, ...webhooks].map(keepUp));
	return async () => {
		stopped = true;
		await supervising;
	};
}
