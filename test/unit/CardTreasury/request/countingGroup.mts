import { RequestGroup } from '../../../../nodes/CardTreasury/request/rateLimiter.ts';

/** Counts its stop listeners. A leaked one would stay for the whole execution. */
export class CountingGroup extends RequestGroup {
	listening = 0;

	override onStop(end: () => void): () => void {
		const forget = super.onStop(end);
		this.listening += 1;
		return () => {
			this.listening -= 1;
			forget();
		};
	}
}
