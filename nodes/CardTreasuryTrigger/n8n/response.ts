import type { IWebhookFunctions } from 'n8n-workflow';

import { DECISION_HEADER, isResponseCode } from '../../shared/authorizationAnswer';
import type { Reply } from '../delivery/replies';

/** n8n's response object of a delivery (express). */
export type DeliveryResponse = ReturnType<IWebhookFunctions['getResponseObject']>;

/** The one place that writes to the sender. Does nothing when the response has been answered or is gone. */
export function writeReply(response: DeliveryResponse, reply: Reply): void {
	if (response.headersSent || response.writableEnded || response.destroyed) return;
	if (reply === 'hang up') return void response.socket?.destroy();
	response.statusCode = reply.status;
	response.setHeader('Content-Type', 'application/json; charset=utf-8');
	response.end(JSON.stringify(reply.body));
}

/**
 * Calls `tell` once n8n answers: since 2.20 it answers 200 only after it has stored the execution, and 5xx when it could
 * not. Watches the answer being written, not sent: a sender that hung up earlier (§6.4: after 30 s) says nothing about
 * whether the execution was stored.
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

/** Everything that n8n 2.20 to 2.41 calls to write an answer. */
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
 * Intercepts what n8n writes to the response of an authorization that the workflow decides (§6.3). n8n 2.41 writes 500 for
 * a failed workflow and an empty 200 for one that ended without an answer, neither of which is a decision; and it writes
 * to an answered response, which breaks the connection and fills the log. Only a body with the header of
 * `authorization: respond` is a decision.
 * @param decide is told the response code, or undefined for any other body
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
		// n8n also ends a response that it has answered: only an `end` with a body is an answer.
		end: (body?: unknown) =>
			typeof body === 'string' || Buffer.isBuffer(body) ? finish(body) : response,
	};
	Object.assign(response, watching);
	// Node's `end` calls other methods of the response, so all originals are in place while `write` runs.
	return (write) => {
		Object.assign(response, own);
		write();
		Object.assign(response, watching);
	};
}

/** The names in what express and Node take as headers: one name, an object, a Map or Headers. */
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
