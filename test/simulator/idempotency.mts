import { type Answer, Refused } from './answer.mts';

interface Kept {
	fingerprint: string;
	answer: Answer;
}

/**
 * Results of executed writes by `Idempotency-Key` (§1.6). The document does not show the window; here it is the simulator's lifetime.
 * Keys belong to the company, so they are shared by all API keys.
 */
export class IdempotencyStore {
	private readonly kept = new Map<string, Kept>();

	/**
	 * The original answer for the same key and request. The document is silent about the same key with another
	 * request; the simulator refuses it with 409 `VAL`.
	 */
	recall(key: string, fingerprint: string): Answer | undefined {
		const found = this.kept.get(key);
		if (!found) return undefined;
		if (found.fingerprint !== fingerprint) {
			throw new Refused(
				409,
				'VAL',
				'This Idempotency-Key was already used with a different request',
			);
		}
		return found.answer;
	}

	/** To be called for executed requests only: a refusal had no effect, so the request is judged again next time. */
	keep(key: string, fingerprint: string, answer: Answer): void {
		this.kept.set(key, { fingerprint, answer });
	}

	clear(): void {
		this.kept.clear();
	}
}
