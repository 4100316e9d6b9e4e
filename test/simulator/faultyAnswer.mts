import type { Answer } from './answer.mts';
import { json, refusal } from './answer.mts';
import type { ActiveFault } from './faults.mts';
import { retryAfterValue } from './rateLimit.mts';

/** What a fault puts in the place of the service's answer, and whether the effect happens all the same. */
export interface Replacement {
	effect: boolean;
	answer: Answer;
}

const html = (status: number, title: string): Answer => ({
	status,
	headers: { 'Content-Type': 'text/html; charset=utf-8' },
	body: `<html><head><title>${title}</title></head><body><h1>${title}</h1></body></html>\n`,
});

/** A 429 as §8 leaves it: neither body nor retry guidance is shown, so the body is empty. */
export function tooManyRequests(retryAfter: string | undefined): Answer {
	return {
		status: 429,
		headers: retryAfter === undefined ? {} : { 'Retry-After': retryAfter },
		body: '',
	};
}

/** The replacement for the kinds that answer instead of the service; undefined for resets and slowness. */
export function replacement(fault: ActiveFault): Replacement | undefined {
	const answer = replacementAnswer(fault);
	// A damaged answer comes from the service itself, so it stands for work that was done.
	const damaged = fault.kind === 'empty' || fault.kind === 'not-json';
	return answer && { answer, effect: fault.effect ?? damaged };
}

function replacementAnswer(fault: ActiveFault): Answer | undefined {
	const retryAfter =
		fault.retryAfter === undefined
			? undefined
			: retryAfterValue(fault.retryAfterForm ?? 'seconds', fault.retryAfter);
	switch (fault.kind) {
		case '429':
			return tooManyRequests(retryAfter);
		case '401':
			return refusal(401, 'AUTH', 'Missing or invalid API key');
		case 'status': {
			// Codes of other statuses are not shown (§7.4).
			const answer = json(fault.status ?? 500, {
				code: 'UNAVAILABLE',
				message: 'Switched on in the simulator',
			});
			if (retryAfter !== undefined) answer.headers['Retry-After'] = retryAfter;
			return answer;
		}
		case 'html502':
			return html(502, '502 Bad Gateway');
		case 'html200':
			return html(200, 'Sign in to continue');
		case 'empty':
			return { status: 200, headers: {}, body: '' };
		case 'not-json':
			return {
				status: 200,
				headers: { 'Content-Type': 'application/json' },
				body: '{"transaction_hash": "0x12',
			};
		default:
			return undefined;
	}
}
