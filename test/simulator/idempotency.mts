import { Rejected, type Answer } from './answer.mts';
import type { Settings } from './settings.mts';

interface Kept {
	fingerprint: string;
	answer: Answer;
	at: number;
}

/**
 * Results of writes by `Idempotency-Key` (§1.6), for as long as the window lasts, whose duration is not shown (§8).
 * Keys belong to the company, so they are shared by all of its API keys.
 */
export class IdempotencyStore {
	private readonly kept = new Map<string, Kept>();
	/** By key: resolved when the request that holds it is over. */
	private readonly underWay = new Map<string, Promise<void>>();

	constructor(
		private readonly settings: Pick<
			Settings,
			'idempotencyWindowMs' | 'refuseKeyReuse' | 'repetitionUnderWay'
		>,
		private readonly now: () => number,
	) {}

	/** The original answer for the same key, whatever the request (§1.6). @throws Rejected 409 where reuse is refused */
	recall(key: string, fingerprint: string): Answer | undefined {
		const found = this.kept.get(key);
		if (!found) return undefined;
		const windowMs = this.settings.idempotencyWindowMs;
		if (windowMs > 0 && this.now() - found.at >= windowMs) {
			this.kept.delete(key);
			return undefined;
		}
		if (this.settings.refuseKeyReuse && found.fingerprint !== fingerprint) {
			throw new Rejected(
				409,
				'VAL',
				'This Idempotency-Key was already used with a different request',
			);
		}
		return found.answer;
	}

	keep(key: string, fingerprint: string, answer: Answer): void {
		this.kept.set(key, { fingerprint, answer, at: this.now() });
	}

	/**
	 * Holds a key while its request is under way.
	 * @returns what lets go of it
	 * @throws Rejected 409 when another request holds it and repetitions do not wait
	 */
	async hold(key: string): Promise<() => void> {
		const { repetitionUnderWay } = this.settings;
		if (repetitionUnderWay === 'answer') return () => undefined;
		while (this.underWay.has(key)) {
			if (repetitionUnderWay === 'reject')
				// The document shows no code for this; `VAL` is the simulator's choice.
				throw new Rejected(
					409,
					'VAL',
					'The first request with this Idempotency-Key is still under way',
				);
			await this.underWay.get(key);
		}
		return this.mark(key);
	}

	private mark(key: string): () => void {
		let over = () => {};
		const held = new Promise<void>((resolve) => (over = resolve));
		this.underWay.set(key, held);
		return () => {
			if (this.underWay.get(key) === held) this.underWay.delete(key);
			over();
		};
	}

	/** Ends the window of all keys now. */
	forget(): void {
		this.kept.clear();
	}

	/** As at the start: no key is remembered or held. */
	clear(): void {
		this.kept.clear();
		this.underWay.clear();
	}
}
