import { sleep } from 'n8n-workflow';

import { answer, type DeliveryResponse } from '../delivery/answer';

/** The network stops waiting after 1,200 ms (§6.4); a connection that gets no answer is let go a little later. */
const NETWORK_GONE_MS = 1_500;

export interface Deadline {
	/** From receiving the delivery, in milliseconds. */
	deadlineMs: number;
	/** The code to answer then; empty = send no answer, so that the card's own default applies (§6.3). */
	fallbackResponseCode: string;
	/** When the delivery was received, in epoch milliseconds. */
	receivedAt: number;
}

export interface PendingDecision {
	/** Answers with this code, or with nothing when it is empty. Only the first call counts. */
	decide(responseCode: string): void;
	/** The code that was answered; empty when none was sent. */
	decided: Promise<string>;
}

/**
 * Holds an authorization open until `decide` is called, and decides the fallback at the deadline (§6.4). The clock
 * runs beside the workflow and is awaited by nobody.
 */
export function awaitDecision(
	response: DeliveryResponse,
	{ deadlineMs, fallbackResponseCode, receivedAt }: Deadline,
	write: typeof answer = answer,
): PendingDecision {
	let open = true;
	let settle: (responseCode: string) => void = () => undefined;
	const decided = new Promise<string>((resolve) => (settle = resolve));
	const remaining = (ms: number) => Math.max(0, receivedAt + ms - Date.now());
	const decide = (responseCode: string) => {
		if (!open) return;
		open = false;
		if (responseCode !== '') write(response, 200, { response_code: responseCode });
		else void sleep(remaining(NETWORK_GONE_MS)).then(() => response.socket?.destroy());
		settle(responseCode);
	};
	void sleep(remaining(deadlineMs)).then(() => decide(fallbackResponseCode));
	return { decide, decided };
}
