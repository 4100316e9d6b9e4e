import { isObject } from '../../shared/isObject';
import { harmless, shortened } from '../../shared/plainLine';
import type { JsonObject } from '../request/input';
import { reasonIn } from '../request/reason';

/**
 * Reason in a reply that the API document does not show.
 * @param answer field `answer` of an output item
 */
export function replyOf(answer: unknown): string | undefined {
	const reason = typeof answer === 'string' ? answer : (reasonIn(answer) ?? codeOf(answer));
	return typeof reason === 'string' && reason.trim() !== '' ? harmless(reason, 300) : undefined;
}

const codeOf = (answer: unknown) => (isObject(answer) ? answer.code : undefined);

/** Says in the summary of a change what the service has replied instead of the documented answer. */
export function repliedInstead({ outcome, answer }: JsonObject): string | undefined {
	const reply = outcome === 'done' ? replyOf(answer) : undefined;
	return reply === undefined ? undefined : `The service replied: ${shortened(reply, 80)}`;
}
