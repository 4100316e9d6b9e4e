import { IS_LATER_HOST } from '../../service/host';
import type { DeliveryResponse } from './answer';

/**
 * Whether n8n answers only after it has stored the execution. Where it answers before, a crash in between would lose an
 * acknowledged event: there the trigger acknowledges by itself, as the first step of the stored execution (see `emit`).
 */
export const STORES_BEFORE_ANSWERING = IS_LATER_HOST;

/**
 * Tells, once, whether n8n took a delivery on: it answers 200 only after it has stored the execution, and 5xx when it
 * could not. Watches the answer being written rather than being sent: a sender that hung up before (§6.4: after 30 s)
 * says nothing about whether the execution was stored.
 */
export function whenAnswered(response: DeliveryResponse, tell: (stored: boolean) => void): void {
	const end = response.end;
	let told = false;
	response.end = function (this: DeliveryResponse, ...rest: unknown[]) {
		if (!told) {
			told = true;
			tell(response.statusCode === 200);
		}
		return Reflect.apply(end, response, rest);
	};
}
