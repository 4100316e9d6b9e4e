import { Rejected, type Answer } from './answer.mts';
import type { Settings } from './settings.mts';

interface Kept {
	fingerprint: string;
	answer: Answer;
	at: number;
}

/** Results of writes by `Idempotency-Key` (§1.6), until the window ends. All API keys of the company share them. */
export class IdempotencyStore {
	private readonly kept = new Map<string, Kept>();
	/** Resolves when the request that holds the key ends. */
	private readonly underWay = new Map<string, Promise<void>>();

	constructor(
		private readonly settings: Settings,
		private readonly now: () => number,
	) {}

	/** Returns the original answer for a key, whatever the request (§1.6). @throws Rejected 409 if reuse is refused */
	recall(key: string, fingerprint: string): Answer | undefined {
		const found = this.kept.get(key);
		if (!found) return undefined;
		const windowMs = this.settings.idempotencyWindowMs;
		if (windowMs > 0 && this.now() - found.at >= windowMs) {
			this.kept.delete(key);
			return undefined;
		}
		if (this.settings.refuseKeyReuse && found.fingerprint !== fingerprint) {
			throw new Rejected(409, 'VAL', 'This key was already used with a different request');
		}
		return found.answer;
	}

	keep(key: string, fingerprint: string, answer: Answer): void {
		this.kept.set(key, { fingerprint, answer, at: this.now() });
	}

	/**
	 * Holds a key while its request is in flight.
	 * @returns a function that releases it
	 * @throws Rejected 409 if another request holds it and repetitions do not wait
	 */
	async hold(key: string): Promise<() => void> {
		const { repetitionUnderWay } = this.settings;
		if (repetitionUnderWay === 'answer') return () => undefined;
		while (this.underWay.has(key)) {
			// The document shows no code for this; `VAL` is the simulator's choice.
			if (repetitionUnderWay === 'reject')
				throw new Rejected(409, 'VAL', 'The first request with this key is still under way');
			await this.underWay.get(key);
		}
		let over = () => {};
		const held = new Promise<void>((resolve) => (over = resolve));
		this.underWay.set(key, held);
		return () => {
			// After a reset, another request may hold the key.
			if (this.underWay.get(key) === held) this.underWay.delete(key);
			over();
		};
	}

	/** Ends the window of all keys now. */
	forget(): void {
		this.kept.clear();
	}

	/** Forgets and releases all keys. */
	clear(): void {
		this.kept.clear();
		this.underWay.clear();
	}
}
