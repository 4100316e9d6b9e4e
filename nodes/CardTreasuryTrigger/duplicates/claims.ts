/** How a claimed delivery ended. `decision` is the code that answered an authorization; empty when none was sent. */
export type Outcome = { kept: true; decision?: string } | { kept: false };

export type Claim =
	/** Nobody else works on this delivery. Exactly one of the two must be called in the end; later calls do nothing. */
	| { first: true; keep(decision?: string): void; giveBack(): void }
	/** A repetition: the first one's outcome is also its own. */
	| { first: false; outcome: Promise<Outcome> };

export interface ClaimLimits {
	/** How long a claim lasts, in milliseconds. */
	windowMs: number;
	/** How long copies share the outcome of a claim that is still open; the next one after that is a first one again. */
	openMs: number;
	/** The most claims at a time; the oldest goes first. */
	most: number;
	/** Epoch milliseconds. */
	now?: () => number;
}

/**
 * Half an hour reaches beyond the service's whole retry schedule (§6.4: 1,023 s of waits and ten times 30 s), and the
 * number beyond 15 events a second for that time. A claim that stays open for twice the time that a sender waits
 * (§6.4: 30 s) hangs with n8n's database: were it to hold back all the retries, the event would be lost when the
 * database comes back. Should both be stored in the end, the stored memory lets only one of them run.
 */
export const CLAIM_LIMITS: ClaimLimits = { windowMs: 30 * 60_000, openMs: 60_000, most: 30_000 };

export type Claims = (key: string) => Claim;

interface Entry {
	at: number;
	open: boolean;
	outcome: Promise<Outcome>;
}

/**
 * Remembers, in this process, which deliveries have been taken on. Claiming is one synchronous step, so that of any
 * number of copies arriving together exactly one is the first; the others share its outcome, also while it is open.
 * A claim given back leaves no trace: the next copy is a first one again.
 */
export function createClaims({ windowMs, openMs, most, now = Date.now }: ClaimLimits): Claims {
	// In the order of claiming: the oldest comes first.
	const entries = new Map<string, Entry>();

	const forget = () => {
		const expired = now() - windowMs;
		for (const [key, { at }] of entries) {
			if (at > expired && entries.size <= most) return;
			entries.delete(key);
		}
	};

	return (key) => {
		const known = entries.get(key);
		if (known !== undefined && now() - known.at < (known.open ? openMs : windowMs)) {
			return { first: false, outcome: known.outcome };
		}
		entries.delete(key);

		let resolve: (outcome: Outcome) => void = () => undefined;
		const entry: Entry = {
			at: now(),
			open: true,
			outcome: new Promise((resolved) => (resolve = resolved)),
		};
		entries.set(key, entry);
		forget();

		const settle = (outcome: Outcome) => {
			if (!entry.open) return;
			entry.open = false;
			if (!outcome.kept && entries.get(key) === entry) entries.delete(key);
			resolve(outcome);
		};
		return {
			first: true,
			keep: (decision) =>
				settle(decision === undefined ? { kept: true } : { kept: true, decision }),
			giveBack: () => settle({ kept: false }),
		};
	};
}
