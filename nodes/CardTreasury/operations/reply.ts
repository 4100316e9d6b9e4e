import { isObject } from '../../shared/isObject';
import { harmless } from '../../shared/plainLine';

/** Fields in which services give a reason, the most telling first. */
const REASONS = ['message', 'reason', 'error', 'description', 'detail', 'code'];

/**
 * Reason in a reply that the API document does not show.
 * @param answer field `answer` of an output item
 */
export function replyOf(answer: unknown): string | undefined {
	if (typeof answer === 'string' && answer.trim() !== '') return shown(answer);
	if (!isObject(answer)) return undefined;
	const name = REASONS.find((field) => {
		const text = Object.hasOwn(answer, field) ? answer[field] : undefined;
		return typeof text === 'string' && text.trim() !== '';
	});
	return name === undefined ? undefined : shown(String(answer[name]));
}

const shown = (text: string): string => harmless(text, 300);
