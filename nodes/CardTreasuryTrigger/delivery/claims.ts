/** Answer to an authorization. `none`: no answer is sent, so that the card's own default applies (§6.3). */
export type Answer = { responseCode: string } | 'none';

/** Result of a claimed delivery. `answer`: set if the workflow decided an authorization. */
export type ClaimResult = { committed: true; answer?: Answer } | { committed: false };

export type Claim =
	/** First delivery of its key. Its claim must be committed or released; later calls do nothing. */
	| { first: true; commit(answer?: Answer): void; release(): void }
	/** Duplicate, answered with the result of the first delivery. `same`: true if the content is equal. */
	| { first: false; same: boolean; result: Promise<ClaimResult> };

export interface ClaimLimits {
	/** Lifetime of a claim, in milliseconds. */
	windowMs: number;
	/** Milliseconds for which duplicates wait for an open claim. The next one after that counts as a first delivery. */
	openMs: number;
	/** Maximum number of claims per trigger. The oldest is dropped first. */
	max: number;
	/** Milliseconds of a monotonic clock. */
	now?: () => number;
}

/**
 * The lifetime exceeds the service's whole retry schedule (§6.4: 1,023 s of waits and ten times 30 s), and the maximum
 * allows more than 15 events a second in that time. A claim that is open for twice as long as a sender waits (§6.4: 30
 * s) hangs on n8n's database. It must not block all retries, because the event would be lost. If both deliveries are
 * stored after all, the stored keys let only one run.
 */
export const EVENT_CLAIMS: ClaimLimits = { windowMs: 30 * 60_000, openMs: 60_000, max: 30_000 };

/**
 * The service never repeats an authorization (§6.4), and any other duplicate comes at once. The maximum allows more
 * than 150 a second.
 */
export const AUTHORIZATION_CLAIMS: ClaimLimits = { windowMs: 60_000, openMs: 60_000, max: 10_000 };

/**
 * @param node identifies the trigger across workflows
 * @param content digest of the data that is not part of the key
 */
export type Claims = (node: string, key: string, content?: string) => Claim;

interface Entry {
	content?: string;
	at: number;
	open: boolean;
	result: Promise<ClaimResult>;
}

/**
 * Remembers the accepted deliveries in this process. A claim is one synchronous step, so exactly one of several
 * simultaneous duplicates is the first, and the others wait for its result. After a release, the next duplicate counts
 * as a first delivery.
 */
export function createClaims({
	windowMs,
	openMs,
	max,
	now = () => performance.now(),
}: ClaimLimits): Claims {
	// Claims per trigger, oldest first.
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

/** @param released called if the claim is released */
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
