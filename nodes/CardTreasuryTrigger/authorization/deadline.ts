import { sleep } from 'n8n-workflow';

import type { Arrival } from '../delivery/item';
import { decisionReply, type Reply } from '../delivery/outcome';

/** The network stops waiting after 1,200 ms (§6.4); a connection that gets no answer is closed a little later. */
const NETWORK_GONE_MS = 1_500;

/** No answer later than this after the sending, so that it arrives within 1,200 ms (§6.4). */
const AFTER_SENDING_MS = 1_100;

/** A delivery that says it is older than the service waits (§6.4), or comes from the future, has another clock. */
const PLAUSIBLE_MS = 1_200;

/**
 * When an authorization must be answered, in milliseconds after its arrival. What n8n took before it asked the trigger
 * shows in `X-Request-Timestamp` only.
 * @param sentAt epoch milliseconds
 */
export function dueAfter(
	deadlineMs: number,
	sentAt: number | undefined,
	receivedAt: number,
): number {
	const age = sentAt === undefined ? -1 : receivedAt - sentAt;
	if (age < 0 || age > PLAUSIBLE_MS) return deadlineMs;
	return Math.min(deadlineMs, Math.max(0, AFTER_SENDING_MS - age));
}

export interface PendingDecision {
	/** Decides on this code, or on the fallback. Only the first call counts. */
	decide(responseCode: string | undefined): void;
	/** The code decided on; empty when none is sent. */
	decided: Promise<string>;
	reply: Promise<Reply>;
}

/**
 * Waits for `decide`, and decides on the fallback when it is due (§6.4).
 * @param dueMs after the arrival
 * @param fallback empty = send no answer, so that the card's own default applies (§6.3)
 */
export function awaitDecision(
	{ elapsed }: Arrival,
	dueMs: number,
	fallback: string,
): PendingDecision {
	let resolve: (responseCode: string) => void = () => undefined;
	const decided = new Promise<string>((resolved) => (resolve = resolved));
	const at = async (ms: number) => await sleep(Math.max(0, ms - elapsed()));
	const decide = (responseCode: string | undefined) => resolve(responseCode ?? fallback);
	void at(dueMs).then(() => decide(undefined));
	const reply = decided.then(async (responseCode): Promise<Reply> => {
		if (responseCode !== '') return decisionReply(responseCode);
		await at(NETWORK_GONE_MS);
		return 'hang up';
	});
	return { decide, decided, reply };
}
