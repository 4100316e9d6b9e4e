import type { IWebhookFunctions } from 'n8n-workflow';

import { DECISION_HEADER, isResponseCode } from '../../service/authorizationAnswer';
import type { Reply } from '../delivery/outcome';

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
 * Tells, once, whether n8n took a delivery on: since 2.20 it answers 200 only after it has stored the execution, and
 * 5xx when it could not. Watches the answer being written rather than being sent: a sender that hung up before (§6.4:
 * after 30 s) says nothing about whether the execution was stored.
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
 * Keeps what n8n writes from the network, for an authorization that the workflow decides (§6.3): n8n 2.41 writes 500 for
 * a workflow that failed and an empty 200 for one that ended without an answer, and writes to an answered response, which
 * breaks the connection and fills the log. A body is a decision when it carries the mark of `authorization: respond`.
 * @param decide is told the response code, or undefined for any other body
 * @returns a function that lets one writing through
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
		// n8n ends a response once more besides answering it: only an end that brings a body is an answer.
		end: (body?: unknown) =>
			typeof body === 'string' || Buffer.isBuffer(body) ? finish(body) : response,
	};
	Object.assign(response, watching);
	// Node writes an answer through these very methods.
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
