import { simulator, useSimulator } from '../../simulator/useSimulator.mts';
import { createCredential, simulatorKeys, type Reference } from '../n8n/credentials.mts';
import type { N8nAccess } from '../n8n/n8n.mts';
import { CLOSE_MS, STARTUP_MS } from '../n8n/useN8n.mts';
import { startQueueMode, type QueueMode } from './queueMode.mts';

export let queue: QueueMode;
export let n8n: N8nAccess;
export let credential: Reference;

/**
 * Starts n8n in queue mode, the simulator and a credential for it, for the tests of this file.
 * @param env for every n8n process
 */
export function useQueue(env: () => Record<string, string> = () => ({})): void {
	afterAll(async () => await queue?.close(), CLOSE_MS);
	useSimulator();
	beforeAll(async () => {
		queue = await startQueueMode({ env: env() });
		n8n = queue.n8n;
		credential = await createCredential(n8n, simulatorKeys(simulator));
	}, STARTUP_MS);
}

/** Settings that detect a dead worker after 6 to 9 s instead of 60 to 90 s. n8n then waits another 30 s. */
export const NOTICE_SOON = {
	QUEUE_WORKER_LOCK_DURATION: '6000',
	QUEUE_WORKER_LOCK_RENEW_TIME: '2000',
	QUEUE_WORKER_STALLED_INTERVAL: '3000',
};
