/** What answers an authorization; `none`: nothing is sent, so that the card's own default applies (§6.3). */
export type Answer = { responseCode: string } | 'none';

/** How a claimed delivery ended, and what answered it, where it is an authorization that the workflow decided. */
export type ClaimResult = { committed: true; answer?: Answer } | { committed: false };

export type Claim =
	/** The first delivery of its key. One of the two must be called in the end; later calls do nothing. */
	| { first: true; commit(answer?: Answer): void; release(): void }
	/** A copy, of the same content or not: it is answered by the first one's result. */
	| { first: false; same: boolean; result: Promise<ClaimResult> };

export interface ClaimLimits {
	/** How long a claim lasts, in milliseconds. */
	windowMs: number;
	/** How long copies wait for an open claim, in milliseconds; the next copy after that is a first one again. */
	openMs: number;
	/** How many claims are kept for each trigger; its oldest is dropped first. */
	max: number;
	/** Milliseconds of a monotonic clock. */
	now?: () => number;
}

/**
 * Half an hour is longer than the service's whole retry schedule (§6.4: 1,023 s of waits and ten times 30 s), and 30,000
 * claims are more than 15 events a second in that time. A claim that is open for twice as long as a sender waits (§6.4:
 * 30 s) hangs with n8n's database: if it blocked all retries, the event would be lost. Should both copies be stored in
 * the end, the stored keys let only one of them run.
 */
export const EVENT_CLAIMS: ClaimLimits = { windowMs: 30 * 60_000, openMs: 60_000, max: 30_000 };

/** The service never repeats an authorization (§6.4); any other copy comes at once. More than 150 a second fit in. */
export const AUTHORIZATION_CLAIMS: ClaimLimits = { windowMs: 60_000, openMs: 60_000, max: 10_000 };

/**
 * @param node names the trigger among all workflows
 * @param content digest of what the key leaves open
 */
export type Claims = (node: string, key: string, content?: string) => Claim;

interface Entry {
	content?: string;
	at: number;
	open: boolean;
	result: Promise<ClaimResult>;
}

/**
 * Remembers, in this process, which deliveries have been accepted. Claiming is one synchronous step, so that exactly one
 * of any number of simultaneous copies is the first; the others wait for its result. A released claim is forgotten: the
 * next copy is a first one again.
 */
export function createClaims({
	windowMs,
	openMs,
	max,
	now = () => performance.now(),
}: ClaimLimits): Claims {
	// Of each trigger in the order of claiming: the oldest comes first.
	const triggers = new Map<string, Map<string, Entry>>();

	return (node, key, content) => {
		const entries = triggers.get(node) ?? new Map<string, Entry>();
		triggers.set(node, entries);
		const known = entries.get(key);
		if (known !== undefined && now() - known.at < (known.open ? openMs : windowMs)) {
			return { first: false, same: known.content === content, result: known.result };
		}
		entries.delete(key);

		const { entry, claim } = openClaim(now(), content, () => {
			if (entries.get(key) === entry) entries.delete(key);
		});
		entries.set(key, entry);
		const expired = now() - windowMs;
		for (const [oldest, { at }] of entries) {
			if (at > expired && entries.size <= max) break;
			entries.delete(oldest);
		}
		return claim;
	};
}

/** @param released is called when the claim is released */
function openClaim(
	at: number,
	content: string | undefined,
	released: () => void,
): { entry: Entry; claim: Claim } {
	let resolve: (result: ClaimResult) => void = () => undefined;
	const result = new Promise<ClaimResult>((resolved) => (resolve = resolved));
	const entry: Entry = { content, at, open: true, result };
	const end = (as: ClaimResult) => {
		if (!entry.open) return;
		entry.open = false;
		if (!as.committed) released();
		resolve(as);
	};
	return {
		entry,
		claim: {
			first: true,
			commit: (answer) => end({ committed: true, answer }),
			release: () => end({ committed: false }),
		},
	};
}
