import { setTimeout as wait } from 'node:timers/promises';

import type { Member, QueueMode } from './queueMode.mts';

/** The n8n processes by name. */
export const membersOf = ({ main, workers, webhooks }: QueueMode): Record<string, Member> => ({
	main,
	'worker 1': workers[0],
	'worker 2': workers[1],
	'webhook process 1': webhooks[0],
	'webhook process 2': webhooks[1],
});

/**
 * Restarts processes that were killed or that n8n ended for lack of its database or queue, as a supervisor does.
 * @returns a function that stops this
 */
export function supervise(queue: QueueMode): () => Promise<void> {
	let stopped = false;
	const keepUp = async (member: Member) => {
		while (!stopped) {
			// A failed start is repeated, because its database or queue may not be back yet.
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
