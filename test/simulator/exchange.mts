import { Rejected, type Answer } from './answer.mts';
import type { ActiveFault } from './faults.mts';
import { amendment, half, replacement } from './faultyAnswer.mts';
import type { RequestRecord } from './ledger.mts';
import type { Service } from './service.mts';

/** Request that passed the rate limit. */
interface Exchange {
	record: RequestRecord;
	/** Full text; the record holds it without images. */
	bodyText: string;
	fault: ActiveFault | undefined;
	pause: (ms: number) => Promise<void>;
	clientHasGone: () => boolean;
	/** Sends the answer. The request is in flight until then. */
	respond: (outcome: Outcome) => Promise<void>;
}

/** Answer to send; `cut` leaves off the body or half of it. Undefined destroys the socket. */
export type Outcome = { answer: Answer; cut?: 'headers' | 'body' } | undefined;

/** Lets the service answer a request and applies the fault. */
export async function exchange(service: Service, request: Exchange): Promise<void> {
	const { record, fault, respond } = request;
	const replaced = fault && replacement(fault);
	// An intermediary does not know which keys are in flight.
	if (replaced && !replaced.effect) return await respond({ answer: replaced.answer });
	if (fault?.kind === 'reset-before') return await respond(undefined);
	const key = service.keyOf(record);
	const over = key === undefined ? () => {} : await holdOrRefuse(service, key);
	if (typeof over !== 'function') return await respond(outcome(over, fault));
	try {
		const answer = await executed(service, request);
		await respond(answer && outcome(replaced?.answer ?? answer, fault));
	} finally {
		over();
	}
}

async function holdOrRefuse(service: Service, key: string): Promise<(() => void) | Answer> {
	try {
		return await service.idempotency.hold(key);
	} catch (thrown) {
		if (thrown instanceof Rejected) return thrown.answer;
		throw thrown;
	}
}

/** Returns the service's answer once it is due; undefined if the client left in time to prevent the effect. */
async function executed(service: Service, request: Exchange): Promise<Answer | undefined> {
	const { record, bodyText, fault, pause, clientHasGone } = request;
	const delayMs = fault?.delayMs ?? 1_000;
	if (fault?.kind === 'slow-before' || fault?.kind === 'late-effect') await pause(delayMs);
	// Unlike the other slow kinds, `slow-before` has no effect if the client gave up meanwhile.
	if (fault?.kind === 'slow-before' && clientHasGone()) return undefined;
	const answer = service.answer(record, bodyText, amendment(fault));
	if (fault?.kind === 'slow-after') await pause(delayMs);
	return answer;
}

function outcome(answer: Answer, fault: ActiveFault | undefined): Outcome {
	switch (fault?.kind) {
		case 'reset-after':
			return undefined;
		case 'cut-headers':
			return { answer, cut: 'headers' };
		case 'cut-body':
			return { answer, cut: 'body' };
		case 'half-body':
			return { answer: { ...answer, body: half(answer.body) } };
		default:
			return { answer };
	}
}
