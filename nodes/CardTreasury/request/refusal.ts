import type { AccessLevel, Effect, KnownRefusal } from '../operation';
import { SERVICE_RATE } from './pacer';
import type { AnswerBody } from './answerBody';

/** Why a request has no result: everything that the user is told, without n8n's classes. */
export interface Refusal {
	message: string;
	/** What to do about it. */
	fix: string;
	/** HTTP status; undefined when there was no answer. */
	status?: number;
	/** The service's `code` (§7), or that of the network. */
	code?: string;
	traceId: string | null;
	/** Whether the service may have carried out what it was asked for. */
	mayHaveHappened?: boolean;
	/** The key that was sent, when it may have been carried out. */
	idempotencyKey?: string;
}

/**
 * How a user sends the same key again. `retry`: by retrying the execution · `tool call`: by an agent's equal call in the same
 * execution · `own key`: by the same key of their own, at any time · `copied key`: only by copying the key that was sent,
 * where n8n offers no retry (Continue On Fail ends well) or where a retry brings another key (sub-workflows).
 */
export type Repetition = 'retry' | 'tool call' | 'own key' | 'copied key';

/** What the reader of an answer must know of the operation. */
export interface RefusalContext {
	level?: AccessLevel;
	effect: Effect;
	refusals: KnownRefusal[];
	/** How often the request was sent. */
	tries: number;
	/** Whether one of the tries may have been carried out. */
	mayHaveHappened: boolean;
	/** For a write with a key; default `copied key`, which is possible everywhere. */
	repetition?: Repetition;
}

/** Reads an HTTP status that is not a success. The one place that gives statuses and codes their meaning (§7). */
export function refusalOf(
	status: number,
	body: AnswerBody,
	traceId: string | null,
	context: RefusalContext,
): Refusal {
	const { code, message: said } = errorFields(body);
	const known = context.refusals.find(
		(refusal) => refusal.status === status && (refusal.code === undefined || refusal.code === code),
	);
	const { message, fix } = known ?? meaning(status, context);
	const inItsWords = said
		? ` The service says: ${said}`
		: body.kind === 'other'
			? ' The answer was not JSON: something between n8n and the service may have given it.'
			: '';
	return {
		message,
		fix: `${fix}${inItsWords}${whatHappened(context)}`,
		status,
		code,
		traceId,
		mayHaveHappened: context.mayHaveHappened,
	};
}

/** No answer came: the network, or our own deadline. */
export function noAnswer(code: string, timedOut: boolean, context: RefusalContext): Refusal {
	const fix = certificateRefused(code)
		? 'The certificate of the service was not accepted. Check the Base URL in the credential, and the proxy between n8n and the service if there is one.'
		: 'Check that the Base URL in the credential is right and that this n8n can reach it.';
	return {
		message: timedOut
			? 'The service did not answer in time'
			: 'The service could not be reached, or broke off the connection',
		fix: `${fix}${whatHappened(context)}`,
		code,
		traceId: null,
		mayHaveHappened: context.mayHaveHappened,
	};
}

/** A success whose body is not what §4 describes. */
export function unexpectedAnswer(
	expected: string,
	status: number,
	traceId: string | null,
	context: RefusalContext,
): Refusal {
	const write = context.effect !== 'read';
	const done = write
		? ` The service accepted the request, so it was probably carried out.${howToRepeat(context)}`
		: '';
	return {
		message: `The service answered ${status}, but not with ${expected}`,
		fix: `Check that the Base URL in the credential leads to the service itself and not to a proxy or login page.${done}`,
		status,
		traceId,
		mayHaveHappened: write,
	};
}

const NOT_REACHED = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'];

/** Codes that say that no connection came about, or no request, so that nothing was sent. */
export function neverConnected(code: string): boolean {
	return (
		NOT_REACHED.includes(code) ||
		certificateRefused(code) ||
		/^ERR_(?:INVALID|UNESCAPED)_/.test(code)
	);
}

/** Codes with which Node ends a connection before anything is sent on it. */
function certificateRefused(code: string): boolean {
	return /^(?:CERT_|ERR_TLS_CERT_|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_|UNABLE_TO_(?:GET|VERIFY)_)/.test(
		code,
	);
}

/** Whether the same try may have another end a moment later. */
export function mayPass(code: string): boolean {
	return code !== 'NO_ANSWER' && (NOT_REACHED.includes(code) || !neverConnected(code));
}

function errorFields(body: AnswerBody): { code?: string; message?: string } {
	if (body.kind !== 'json' || typeof body.value !== 'object' || body.value === null) return {};
	const { code, message } = body.value as { code?: unknown; message?: unknown };
	return {
		code: typeof code === 'string' || typeof code === 'number' ? String(code) : undefined,
		message: typeof message === 'string' && message !== '' ? message.slice(0, 500) : undefined,
	};
}

function meaning(status: number, { level }: RefusalContext): { message: string; fix: string } {
	const needed = level ? ` This operation needs a key of level ${level} or higher.` : '';
	if (status >= 300 && status < 400) {
		return {
			message: `The service answered with a redirect (${status}), which is not followed`,
			fix: 'Check the Base URL in the credential: it must be the final address of the service.',
		};
	}
	if (status === 401) {
		return {
			message: 'The service did not accept the API key',
			fix: `Check the API Key in the credential and the environment it was issued for.${needed}`,
		};
	}
	if (status === 403) {
		return {
			message: 'The API key is not allowed to do this',
			fix: `Check the permissions, the level and the IP allowlist of the key in the company portal.${needed}`,
		};
	}
	if (status === 404) {
		return {
			message: 'The service does not know what this request is about',
			fix: 'Check the IDs, and that they belong to the environment of the credential.',
		};
	}
	if (status === 429) {
		return {
			message: `The service is receiving more than ${SERVICE_RATE} requests per second`,
			fix: `Lower Requests per Second in the options, or spread the work: the limit counts everything your company sends.`,
		};
	}
	if (status === 408 || status >= 500) {
		return {
			message: `The service is not available at the moment (HTTP ${status})`,
			fix: 'Try again later.',
		};
	}
	return {
		message: `The service refused the request (HTTP ${status})`,
		fix: 'Check the values of the fields.',
	};
}

/** What a user must know before sending again. */
function whatHappened(context: RefusalContext): string {
	const { effect, tries, mayHaveHappened } = context;
	const tried = tries > 1 ? ` It was tried ${tries} times.` : '';
	if (effect === 'read') return tried;
	if (!mayHaveHappened) return `${tried} Nothing was carried out.`;
	return `${tried} It is not known whether it was carried out.${howToRepeat(context)}`;
}

function howToRepeat({ effect, repetition = 'copied key' }: RefusalContext): string {
	if (effect === 'unkeyed write') {
		return ' Check in the company portal before you send it again: nothing keeps this operation from happening twice.';
	}
	switch (repetition) {
		case 'retry':
			return ' Retry this execution: it sends the same idempotency key again, so it cannot happen twice. Do not start a new execution for it.';
		case 'tool call':
			return ' Call this tool again with the same values: it sends the same idempotency key again, so it cannot happen twice.';
		case 'own key':
			return ' Send it again with the same Idempotency Key, in this execution or another: it cannot happen twice.';
		case 'copied key':
			return ' Send it again only with the idempotency key below, as Idempotency Key in the options: then it cannot happen twice.';
	}
}
