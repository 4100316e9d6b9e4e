import { sleep } from 'n8n-workflow';

/** How long a run makes way at most, and how long for the same delivery, in milliseconds. */
const MOST_MS = 1_000;

/** Where n8n lets no more executions run, none is acknowledged while a run makes way: so many waits in a row say so. */
const VAIN = { waits: 5, ms: 50 } as const;

/** How long no run makes way after one has in vain, in milliseconds. */
const HURRY_MS = 10_000;

/** About what n8n works for a run with a node or two behind the trigger, in milliseconds. */
const RUN_MS = 10;

/** Deliveries that n8n is storing in this process: their senders wait. */
const underWay = new Set<{ since: number }>();

let acknowledged = 0;
let hurryUntil = -Infinity;
let allAcknowledged: () => void = () => undefined;
let lastTurn = Promise.resolve();

/**
 * Announces a delivery that n8n will acknowledge when it has stored it.
 * @returns what to call when it has been answered; more than once does nothing
 */
export function acknowledging(): () => void {
	const delivery = { since: performance.now() };
	forgetStuck(delivery.since);
	underWay.add(delivery);
	return () => {
		if (!underWay.delete(delivery)) return;
		acknowledged++;
		if (underWay.size === 0) allAcknowledged();
	};
}

/**
 * Lets deliveries that wait for their acknowledgement go before what the workflow does with those that have it: waits
 * until there are none, for a second at most. After a burst, or a moment in which n8n stood still, the senders get their
 * answers at once and the runs follow one after the other, instead of each holding up the other.
 * A worker in queue mode takes no deliveries: nothing waits there.
 */
export async function makeWay(): Promise<void> {
	const until = performance.now() + MOST_MS;
	const turn = lastTurn.then(async () => await waitForGap(until));
	lastTurn = turn.then(async () => {
		if (performance.now() < until) await sleep(RUN_MS);
	});
	await turn;
}

async function waitForGap(until: number): Promise<void> {
	let vain = 0;
	for (;;) {
		const now = performance.now();
		if (now >= until || now < hurryUntil || !someoneWaits(now)) return;
		const before = acknowledged;
		await Promise.race([
			new Promise<void>((resolve) => (allAcknowledged = resolve)),
			sleep(VAIN.ms),
		]);
		vain = acknowledged === before ? vain + 1 : 0;
		if (vain === VAIN.waits) hurryUntil = performance.now() + HURRY_MS;
	}
}

function someoneWaits(now: number): boolean {
	forgetStuck(now);
	return underWay.size > 0;
}

function forgetStuck(now: number): void {
	// In the order of their coming: the oldest is first.
	for (const delivery of underWay) {
		if (now - delivery.since < MOST_MS) return;
		underWay.delete(delivery);
	}
}
