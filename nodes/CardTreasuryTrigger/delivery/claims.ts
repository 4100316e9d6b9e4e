/** Answer to an authorization. `none`: no answer is sent, so that the card's default applies (§6.3). */
export type Answer = { responseCode: string } | 'none';

/** End of a claim. `answer`: decision of the workflow on an authorization. */
type ClaimResult = { committed: true; answer?: Answer } | { committed: false };

export type Claim =
	/** Claim of the first delivery with this key. The caller must commit or release the claim once. */
	| { first: true; commit(answer?: Answer): void; release(): void }
	/** Duplicate. `result`: end of the first delivery's claim. `same`: true if the content is equal. */
	| { first: false; same: boolean; result: Promise<ClaimResult> };

export interface ClaimLimits {
	/** Lifetime of a claim, in milliseconds. */
	windowMs: number;
	/**
	 * Milliseconds for which an open claim holds back duplicates. After that, the next duplicate counts as a first
	 * delivery.
	 */
	openMs: number;
	/** Maximum number of claims per trigger. The oldest claim is dropped first. */
	max: number;
	/** Returns milliseconds of a monotonic clock. */
	now?: () => number;
}

/**
 * Limits for events. `windowMs` exceeds the retry schedule of the service (§6.4: 1,023 s of waits and ten times 30 s).
 * `openMs` is short, so that a claim that hangs on n8n's database does not block all retries. If both deliveries are
 * then stored, the stored keys let only one run the workflow.
 */
export const EVENT_CLAIMS: ClaimLimits = { windowMs: 30 * 60_000, openMs: 60_000, max: 30_000 };

/** Limits for authorizations. `windowMs` is short, because the service never repeats an authorization (§6.4). */
export const AUTHORIZATION_CLAIMS: ClaimLimits = { windowMs: 60_000, openMs: 60_000, max: 10_000 };

/**
 * Claims a delivery.
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
 * Remembers the accepted deliveries of this process. Claiming is synchronous, so only one of several simultaneous
 * duplicates becomes the first delivery. After a release, the next duplicate becomes the first delivery.
 */
export function createClaims({
	windowMs,
	openMs,
	max,
	now = () => performance.now(),
}: ClaimLimits): Claims {
	// Claims by trigger and key, oldest first.
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
