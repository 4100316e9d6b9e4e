import * as n8n from 'n8n-workflow';

import type { DeliveryResponse } from './answer';

/**
 * Whether this n8n, told `onReceived`, answers only after it has stored the execution. n8n 1 and the first 2.x answer
 * before, so there a crash in between would lose an acknowledged event: the trigger acknowledges by itself then, as the
 * first step of the stored execution (see `emit`). Told by an export that is younger than that change of n8n.
 */
export const STORES_BEFORE_ANSWERING = 'WorkflowExpression' in n8n;

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
