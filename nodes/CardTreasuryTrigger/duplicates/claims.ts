/** How a claimed delivery ended. `decision` is the code that answered an authorization; empty when none was sent. */
export type ClaimResult = { committed: true; decision?: string } | { committed: false };

export type Claim =
	/** Nobody else works on this delivery. Exactly one of the two must be called in the end; later calls do nothing. */
	| { first: true; commit(decision?: string): void; release(): void }
	/** A repetition: the first one's result is also its own. */
	| { first: false; result: Promise<ClaimResult> };

export interface ClaimLimits {
	/** How long a claim lasts, in milliseconds. */
	windowMs: number;
	/** How long copies share the result of a claim that is still open; the next one after that is a first one again. */
	openMs: number;
	/** Claims at a time; the oldest goes first. */
	max: number;
	/** Milliseconds of a clock that nobody sets. */
	now?: () => number;
}

/**
 * Half an hour reaches beyond the service's whole retry schedule (§6.4: 1,023 s of waits and ten times 30 s), and the
 * number beyond 15 events a second for that time. A claim that stays open for twice the time that a sender waits
 * (§6.4: 30 s) hangs with n8n's database: were it to block all the retries, the event would be lost when the
 * database comes back. Should both be stored in the end, the stored memory lets only one of them run.
 */
export const CLAIM_LIMITS: ClaimLimits = { windowMs: 30 * 60_000, openMs: 60_000, max: 30_000 };

export type Claims = (key: string) => Claim;

interface Entry {
	at: number;
	open: boolean;
	result: Promise<ClaimResult>;
}

/**
 * Remembers, in this process, which deliveries have been taken on. Claiming is one synchronous step, so that of any
 * number of copies arriving together exactly one is the first; the others share its result, also while it is open.
 * A claim that is released leaves no trace: the next copy is a first one again.
 */
export function createClaims({
	windowMs,
	openMs,
	max,
	now = () => performance.now(),
}: ClaimLimits): Claims {
	// In the order of claiming: the oldest comes first.
	const entries = new Map<string, Entry>();

	const forget = () => {
		const expired = now() - windowMs;
		for (const [key, { at }] of entries) {
			if (at > expired && entries.size <= max) return;
			entries.delete(key);
		}
	};

	return (key) => {
		const known = entries.get(key);
		if (known !== undefined && now() - known.at < (known.open ? openMs : windowMs)) {
			return { first: false, result: known.result };
		}
		entries.delete(key);

		const { entry, claim } = openClaim(now(), () => {
			if (entries.get(key) === entry) entries.delete(key);
		});
		entries.set(key, entry);
		forget();
		return claim;
	};
}

/** @param released is called when the claim is given up */
function openClaim(at: number, released: () => void): { entry: Entry; claim: Claim } {
	let resolve: (result: ClaimResult) => void = () => undefined;
	const result = new Promise<ClaimResult>((resolved) => (resolve = resolved));
	const entry: Entry = { at, open: true, result };
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
			commit: (decision) =>
				end(decision === undefined ? { committed: true } : { committed: true, decision }),
			release: () => end({ committed: false }),
		},
	};
}
