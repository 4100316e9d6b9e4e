import { sleep } from 'n8n-workflow';

import type { Arrival } from '../delivery/item';
import { decisionReply, type Reply } from '../delivery/outcome';

/** In milliseconds after the arrival: the service waits 1,200 (§6.4), after which an unanswered connection is closed. */
const NETWORK_GONE_MS = 1_500;

/** The latest answer, in milliseconds after the sending, so that it arrives within 1,200 (§6.4). */
const AFTER_SENDING_MS = 1_100;

/** A stamp that leaves less than this comes from a clock that differs from this one's: nobody could answer any more. */
const LEAST_MS = 200;

/**
 * When an authorization must be answered, in milliseconds after its arrival at the trigger. Only `X-Request-Timestamp`
 * shows how long it was on its way and in n8n before that; one that is not plausible does not count.
 * @param sentAt epoch milliseconds
 */
export function dueAfter(
	deadlineMs: number,
	sentAt: number | undefined,
	receivedAt: number,
): { dueMs: number; clocksDiffer: boolean } {
	const left = sentAt === undefined ? undefined : AFTER_SENDING_MS - (receivedAt - sentAt);
	const clocksDiffer = left !== undefined && left < LEAST_MS;
	const counts = left !== undefined && !clocksDiffer && left <= AFTER_SENDING_MS;
	return { dueMs: counts ? Math.min(deadlineMs, left) : deadlineMs, clocksDiffer };
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
	{ elapsed }: Pick<Arrival, 'elapsed'>,
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
