/** Reading of one attempt: the reply, or what became of the request and what to do. */

import { isObject } from '../../shared/isObject';
import { Problem, type Facts, type FailedOutcome, type KnownError } from '../../shared/problem';
import { harmless } from '../../shared/text';
import type { Effect, Reply } from './request';

/** One attempt: what came back, or the code of the network. */
export type Attempt =
	| { status: number; headers: Record<string, string>; body: Buffer }
	| { code: string };

/** Attempt that brought no result, and when a repeat may help: never, later, or as soon as the rate allows. */
export interface Failure {
	again: 'never' | 'later' | 'limited';
	problem: Problem;
}

/** Facts of a request on which the meaning of its reply depends. */
export interface Purpose {
	effect: Effect;
	level?: number;
	errors?: KnownError[];
}

type Meaning = [
	pattern: RegExp,
	again: Failure['again'],
	outcome: FailedOutcome,
	message: string,
	fix: string,
];

const ADDRESS = 'Check the credential: its Base URL, and that this n8n may reach it.';
const KEY = 'Check the API Key in the credential, its permissions and its IP allowlist.';
const ASK = 'If it happens again, ask the provider, quoting the trace ID.';

/** Meaning of a status (§7), the first match counts. A gateway may answer 408, 409 and 425 after passing a request on. */
const STATUSES: Meaning[] = [
	[/^401/, 'never', 'rejected', 'The API key was rejected', KEY],
	[/^403/, 'never', 'rejected', 'The API key is not allowed to do this', KEY],
	[/^404/, 'never', 'rejected', 'Not found', 'Check the path and the IDs.'],
	[/^4(?:08|09|25)/, 'never', 'unknown', 'The service did not complete the request', ASK],
	[/^429/, 'limited', 'rejected', 'More than 15 requests a second', 'Spread them over time.'],
	[/^4/, 'never', 'rejected', 'The service rejected the request', 'Check the fields.'],
	[/^5/, 'later', 'unknown', 'The service failed or is not available', ASK],
	[/^3/, 'never', 'unknown', 'The service replied with a redirect', ADDRESS],
	[/^/, 'never', 'unknown', 'The service replied with an unexpected status', ASK],
];

const CERTIFICATE = /^(?:CERT_|ERR_TLS_CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_(?:GET|VERIFY)_)/;
const UNREACHED = /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN)$/;
const BY_N8N = /^(?:ERR_INVALID_|ERR_UNESCAPED_|SSRF_BLOCKED|NO_CREDENTIAL)/;

/** Meaning of a code of Node, axios or n8n. EHOSTUNREACH also ends open connections, so it is not among the first. */
const CODES: Meaning[] = [
	[UNREACHED, 'later', 'not_sent', 'The service could not be reached', ADDRESS],
	[CERTIFICATE, 'never', 'not_sent', 'The certificate of the service was not accepted', ADDRESS],
	[BY_N8N, 'never', 'not_sent', 'n8n could not send the request', ADDRESS],
	[/^/, 'later', 'unknown', 'The connection broke, or no answer came in time', ASK],
];

/** Reads an attempt. */
export function readAttempt(attempt: Attempt, purpose: Purpose): Reply | Failure {
	if ('code' in attempt) {
		const { code } = attempt;
		return failure(meaningIn(CODES, code), { code });
	}
	const { status, headers, body } = attempt;
	const contentType = (headers['content-type'] ?? '').toLowerCase();
	const type = contentType.split(';')[0]!.trim();
	const text = decoded(body, /charset="?([\w.:-]+)/.exec(contentType)?.[1]).trim();
	const json = parseJson(text);
	const fields = isObject(json) ? json : {};
	const { code, transaction_hash: hash, message } = fields;
	const traceId = headers['x-trace-id'] ?? null;
	// A page of a proxy or a login, whatever its status and type.
	const isPage = json === undefined && text.startsWith('<');
	const isPending = status === 302 && code === 'WARNING' && purpose.effect !== 'read';
	const isSuccess = (status >= 200 && status <= 299) || isPending;
	if (isSuccess && !isPage) return { traceId, json, text, type, bytes: body, isPending };
	const said = isPage ? '' : harmless(typeof message === 'string' ? message : text, 200);
	const facts: Facts = { status, code: textIn(code), traceId, hash: textIn(hash), said };
	const meaning = meaningIn(STATUSES, String(status));
	if (isPage) return failure([...meaning.slice(0, 3), ...PAGE] as Meaning, facts);
	const known = purpose.errors?.find(
		(error) => error.status === status && (error.code ?? code) === code,
	);
	if (known) return failure([/^/, 'never', 'rejected', known.message, known.fix], facts);
	const isKey = (status === 401 || status === 403) && purpose.level !== undefined;
	return failure(meaning, facts, isKey ? ` It needs access level ${purpose.level}.` : '');
}

/** Message and fix of a reply that is no JSON and begins with `<`. */
const PAGE = ['A web page replied, not the service', ADDRESS] as const;

const meaningIn = (table: Meaning[], text: string): Meaning =>
	table.find(([pattern]) => pattern.test(text))!;

function failure([, again, outcome, message, fix]: Meaning, facts: Facts, more = ''): Failure {
	const cause = facts.status === undefined ? facts.code : `HTTP ${facts.status}`;
	return { again, problem: new Problem(`${message} (${cause})`, fix + more, outcome, facts) };
}

const textIn = (value: unknown) => (typeof value === 'string' ? value : undefined);

function decoded(bytes: Buffer, charset = 'utf-8'): string {
	try {
		return new TextDecoder(charset).decode(bytes);
	} catch {
		return bytes.toString('utf8');
	}
}

/** Parses JSON. Undefined if the text is none. */
function parseJson(text: string): unknown {
	try {
		return JSON.parse(text, exact as (name: string, value: unknown) => unknown);
	} catch {
		return undefined;
	}
}

/** A whole number that JavaScript cannot hold becomes its text, where this Node has it. */
const exact = (_name: string, value: unknown, { source }: { source?: string } = {}): unknown =>
	typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER
		? (source ?? value)
		: value;
