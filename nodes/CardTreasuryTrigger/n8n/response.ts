import type { IWebhookFunctions } from 'n8n-workflow';

import { DECISION_HEADER, isResponseCode } from '../../shared/authorizationAnswer';
import type { Reply } from '../delivery/replies';

/** Response object of a delivery (express). */
export type DeliveryResponse = ReturnType<IWebhookFunctions['getResponseObject']>;

/**
 * Writes the answer to the sender; no other function does. Does nothing if the response was already answered or is
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
 * Calls `tell` when n8n answers. Since 2.20 n8n answers 200 only after it has stored the execution, and 5xx if it could
 * not. Watches the answer being written instead of sent, because a sender that hung up (§6.4: after 30 s) does not show
 * if the execution was stored.
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

/** Methods that n8n 2.20 to 2.41 calls to write an answer. */
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
 * `authorization: respond` is a decision. n8n 2.41 also writes 500 for a failed workflow, and an empty 200 for one that
 * ended without an answer. It even writes to an answered response, which would break the connection and fill the log.
 * @param decide called with the response code, or undefined for any other body
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
		// Only an `end` with a body is an answer, because n8n also ends a response that it has answered.
		end: (body?: unknown) =>
			typeof body === 'string' || Buffer.isBuffer(body) ? finish(body) : response,
	};
	Object.assign(response, watching);
	// Node's `end` calls other methods of the response, so all originals are restored while `write` runs.
	return (write) => {
		Object.assign(response, own);
		write();
		Object.assign(response, watching);
	};
}

/** Names of headers in any form that express and Node accept: one name, an object, a Map or Headers. */
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
