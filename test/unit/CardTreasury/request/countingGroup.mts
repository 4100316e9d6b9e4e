import { RequestGroup } from '../../../../nodes/CardTreasury/request/rateLimiter.ts';

/** Tells how many listen to its stop: one that is forgotten here is kept for as long as the execution lasts. */
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
