import type { IWebhookFunctions } from 'n8n-workflow';

import { DECISION_HEADER, isResponseCode } from '../../shared/authorizationAnswer';
import type { Reply } from '../delivery/replies';

/** Express response to a delivery. */
export type DeliveryResponse = ReturnType<IWebhookFunctions['getResponseObject']>;

/**
 * Writes a decision or a refusal to the sender. n8n writes acknowledgements. Does nothing if the response is answered or
 * closed.
 */
export function writeReply(response: DeliveryResponse, reply: Reply): void {
	if (response.headersSent || response.writableEnded || response.destroyed) return;
	if (reply === 'hang up') return void response.socket?.destroy();
	response.statusCode = reply.status;
	response.setHeader('Content-Type', 'application/json; charset=utf-8');
	response.end(JSON.stringify(reply.body));
}

/**
 * Calls `tell` when n8n answers. n8n answers 200 only after storing the execution, and 5xx if that failed (since 2.20).
 * Watches n8n write the answer, because a sender that has hung up (§6.4: after 30 s) does not receive it.
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

/** Methods with which n8n 2.20 to 2.41 writes an answer. */
const WRITING = [
	'status',
	'set',
	'header',
	'setHeader',
	'setHeaders',
	'writeHead',
	'write',
	'json',
	'send',
	'end',
] as const;

/**
 * Intercepts n8n's answer to an authorization that the workflow decides (§6.3). Only a body with the header of
 * `authorization: respond` is a decision. n8n 2.41 also writes answers for failed and silent workflows, and even to a
 * response that was already answered.
 * @param decide called with the response code, or with undefined for any other body
 * @returns a function that runs `write` with the original methods
 */
export function interceptAnswer(
	response: DeliveryResponse,
	decide: (responseCode: string | undefined) => void,
): (write: () => void) => void {
	const own = Object.fromEntries(WRITING.map((method) => [method, response[method]]));
	let marked = false;
	const noteHeaders = (headers: unknown) => {
		marked ||= headerNames(headers).some((name) => name.toLowerCase() === DECISION_HEADER);
		return response;
	};
	const finish = (body: unknown) => {
		decide(marked ? responseCodeOf(body) : undefined);
		return response;
	};
	const watching = {
		status: () => response,
		set: noteHeaders,
		header: noteHeaders,
		setHeader: noteHeaders,
		setHeaders: noteHeaders,
		writeHead: () => response,
		write: () => true,
		json: finish,
		send: finish,
		// Only an `end` with a body counts as an answer, because n8n also ends a response that was already answered.
		end: (body?: unknown) =>
			typeof body === 'string' || Buffer.isBuffer(body) ? finish(body) : response,
	};
	Object.assign(response, watching);
	// All original methods are restored while `write` runs, because Node's `end` calls other methods of the response.
	return (write) => {
		Object.assign(response, own);
		write();
		Object.assign(response, watching);
	};
}

/** Names of headers. Accepts all forms that express and Node accept: one name, an object, a Map or Headers. */
function headerNames(headers: unknown): string[] {
	if (typeof headers === 'string') return [headers];
	if (typeof headers !== 'object' || headers === null) return [];
	if (!(headers instanceof Map) && !(headers instanceof Headers)) return Object.keys(headers);
	const names: string[] = [];
	headers.forEach((_value: unknown, name: unknown) => names.push(String(name)));
	return names;
}

function responseCodeOf(body: unknown): string | undefined {
	const value = typeof body === 'string' || Buffer.isBuffer(body) ? parseJson(String(body)) : body;
	const code =
		typeof value === 'object' && value !== null && 'response_code' in value
			? value.response_code
			: undefined;
	return isResponseCode(code) ? code : undefined;
}

function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}
