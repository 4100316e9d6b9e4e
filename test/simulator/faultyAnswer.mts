import lodash from 'lodash';

import { errorAnswer, json, type Answer } from './answer.mts';
import type { ActiveFault } from './faults.mts';

const html = (status: number, title: string): Answer => ({
	status,
	headers: { 'Content-Type': 'text/html; charset=utf-8' },
	body: `<html><head><title>${title}</title></head><body><h1>${title}</h1></body></html>\n`,
});

/** 429 answer. §8 shows neither a body nor retry guidance, so the body is empty. */
export const tooManyRequests = (retryAfter: string | undefined): Answer => ({
	status: 429,
	headers: retryAfter === undefined ? {} : { 'Retry-After': retryAfter },
	body: '',
});

/** Answer that a fault sends instead of the service's, and if the effect still happens; undefined for other faults. */
export function replacement(fault: ActiveFault): { effect: boolean; answer: Answer } | undefined {
	const answer = replacementAnswer(fault);
	// A damaged answer comes from the service itself, so the write was executed.
	const damaged = fault.kind === 'empty' || fault.kind === 'not-json';
	return answer && { answer, effect: fault.effect ?? damaged };
}

function replacementAnswer(fault: ActiveFault): Answer | undefined {
	const retryAfter =
		fault.retryAfter === undefined ? undefined : String(Math.ceil(fault.retryAfter));
	switch (fault.kind) {
		case '429':
			return tooManyRequests(retryAfter);
		case '401':
			return errorAnswer(401, 'AUTH', 'Missing or invalid API key');
		case 'status':
			// The document shows no codes for other statuses (§7.4).
			return json(
				fault.status ?? 500,
				{ code: 'UNAVAILABLE', message: 'Switched on in the simulator' },
				tooManyRequests(retryAfter).headers,
			);
		case 'html502':
			return html(502, '502 Bad Gateway');
		case 'html200':
			return html(200, 'Sign in to continue');
		case 'proxy':
			return { ...html(fault.status ?? 502, 'Answered by a proxy'), withoutTrace: true };
		case 'empty':
			return { status: 200, headers: {}, body: '' };
		case 'not-json':
			return { ...json(200, {}), body: '{"transaction_hash": "0x12' };
		default:
			return undefined;
	}
}

/** Changes an answer of the service before it is stored under its key. */
export type Amend = (answer: Answer) => Answer;

/** Change that a fault makes to the service's own answer. */
export function amendment(fault: ActiveFault | undefined): Amend {
	switch (fault?.kind) {
		case 'warning':
			return () =>
				errorAnswer(302, 'WARNING', 'The transaction is pending; check the status later');
		case 'no-status':
			return succeeded((answer) => ({ ...answer, body: withoutStatus(answer.body) }));
		case 'body':
			return succeeded((answer) => ({ ...answer, body: fault.body ?? '' }));
		default:
			return (answer) => answer;
	}
}

const succeeded =
	(amend: Amend): Amend =>
	(answer) =>
		answer.status < 300 ? amend(answer) : answer;

function withoutStatus(body: Answer['body']): Answer['body'] {
	const value: unknown = typeof body === 'string' ? JSON.parse(body) : undefined;
	return lodash.isPlainObject(value)
		? JSON.stringify(lodash.omit(value as object, 'status'))
		: body;
}

export const half = (body: Answer['body']): Answer['body'] =>
	body instanceof Buffer ? body.subarray(0, body.length >> 1) : body.slice(0, body.length >> 1);
