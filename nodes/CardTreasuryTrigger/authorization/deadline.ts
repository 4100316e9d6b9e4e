import { sleep } from 'n8n-workflow';

import type { Arrival } from '../delivery/item';
import { decisionReply, type Reply } from '../delivery/outcome';

/** In milliseconds after the arrival: the service waits 1,200 (§6.4), after which an unanswered connection is closed. */
const NETWORK_GONE_MS = 1_500;

/** The latest answer, in milliseconds after the sending, so that it arrives within 1,200 (§6.4). */
const AFTER_SENDING_MS = 1_100;

/** A stamp older than the service waits (§6.4), or in the future, comes from a clock that differs from this one's. */
const PLAUSIBLE_MS = 1_200;

/**
 * When an authorization must be answered, in milliseconds after its arrival at the trigger. Only `X-Request-Timestamp`
 * shows how long it was on its way and in n8n before that.
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
