import { Rejected, type Answer } from './answer.mts';
import type { ActiveFault } from './faults.mts';
import { amendment, half, replacement } from './faultyAnswer.mts';
import type { RequestRecord } from './ledger.mts';
import type { Service } from './service.mts';

/** One request that the limit has let in. */
export interface Exchange {
	record: RequestRecord;
	/** The real one; the record holds it without images. */
	bodyText: string;
	fault: ActiveFault | undefined;
	pause: (ms: number) => Promise<void>;
	clientHasGone: () => boolean;
	/** Sends the answer; a request is under way until then. */
	respond: (outcome: Outcome) => Promise<void>;
}

/** What is sent: the answer, of which `cut` leaves off the body or half of it; undefined when the socket is destroyed. */
export type Outcome = { answer: Answer; cut?: 'headers' | 'body' } | undefined;

/** Has the service answer a request, with what the fault does to it. */
export async function exchange(service: Service, request: Exchange): Promise<void> {
	const { record, fault, respond } = request;
	const replaced = fault && replacement(fault);
	// Whatever stands in the way of the service does not know about keys under way.
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

/** The service's answer once it is due; undefined when the client's going has prevented the effect. */
async function executed(service: Service, request: Exchange): Promise<Answer | undefined> {
	const { record, bodyText, fault, pause, clientHasGone } = request;
	const delayMs = fault?.delayMs ?? 1_000;
	if (fault?.kind === 'slow-before' || fault?.kind === 'late-effect') await pause(delayMs);
	// Whoever gave up meanwhile had no effect: that sets this kind apart from the other slow ones.
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
