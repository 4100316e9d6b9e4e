import { sleep } from 'n8n-workflow';

/** Longest time in ms that a run blocks the process: an authorization (§6.4) takes many turns of the event loop. */
const LONGEST_BLOCK_MS = 5;

/** Entries of a list, with breaks for other work of the process. */
export async function* unhurried<Entry>(entries: Iterable<Entry>): AsyncGenerator<Entry> {
	let since = performance.now();
	for (const entry of entries) {
		yield entry;
		if (performance.now() - since < LONGEST_BLOCK_MS) continue;
		await sleep(0);
		since = performance.now();
	}
}
