import { AUTHORIZATION } from '../events';
import type { Claim } from './claims';
import { eventItem, type ReceivedEvent } from './item';
import { ACKNOWLEDGED, NOT_DECIDED, NOT_STORED, type Outcome } from './outcome';

/**
 * Accepts an event that needs no decision here. It is acknowledged after n8n has stored its execution, so that an
 * acknowledged event cannot be lost. A copy is answered like the first one, once that answer is known.
 */
export function accept(event: ReceivedEvent, claim: Claim | undefined): Outcome {
	const isAuthorization = event.name === AUTHORIZATION;
	if (claim?.first === false) {
		const reply = claim.result.then(({ committed }) => {
			if (isAuthorization) return NOT_DECIDED;
			return committed ? ACKNOWLEDGED : NOT_STORED;
		});
		return { kind: 'answered', reply };
	}
	const item = eventItem(event);
	if (isAuthorization) {
		claim?.commit();
		return { kind: 'answered', reply: NOT_DECIDED, item };
	}
	const stored = (succeeded: boolean) => (succeeded ? claim?.commit() : claim?.release());
	return { kind: 'acknowledged by n8n', item, stored };
}
