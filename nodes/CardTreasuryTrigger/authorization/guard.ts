import { DECISION_HEADER, isResponseCode } from '../../service/authorizationAnswer';
import { answer, type DeliveryResponse } from '../delivery/answer';
import { awaitDecision, type Deadline } from './deadline';

/** Everything that n8n calls to write an answer, in the versions that this pack runs on. */
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
 * Stands between n8n and the network for an authorization that the workflow answers (§6.3). What n8n writes becomes
 * the decision when it carries the mark of `authorization: respond`; whatever else it writes (500 for a workflow that
 * failed, an empty 200 for one that ended without an answer) becomes the fallback. Once decided, later writes do
 * nothing: n8n would otherwise write to an answered response, break the connection and fill the log.
 * @returns the code that was answered in the end; empty when none was sent
 */
export async function guardDecision(
	response: DeliveryResponse,
	deadline: Deadline,
): Promise<string> {
	const own = Object.fromEntries(WRITING.map((method) => [method, response[method]]));
	// Node writes an answer through these very methods, so they are put back for as long as it takes.
	const { decide, decided } = awaitDecision(response, deadline, (...args) => {
		Object.assign(response, own);
		answer(...args);
		Object.assign(response, watching);
	});

	let marked = false;
	const noteHeaders = (headers: unknown) => {
		marked ||= headerNames(headers).some((name) => name.toLowerCase() === DECISION_HEADER);
		return response;
	};
	const finish = (body: unknown) => {
		decide((marked ? responseCodeOf(body) : undefined) ?? deadline.fallbackResponseCode);
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
		// n8n ends a response once more beside answering it: only an end that brings a body is an answer.
		end: (body?: unknown) =>
			typeof body === 'string' || Buffer.isBuffer(body) ? finish(body) : response,
	};
	Object.assign(response, watching);
	return await decided;
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
