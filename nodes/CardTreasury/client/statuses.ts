import type { Outcome } from '../errors';
import {
	SERVICE_RATE,
	type AccessLevel,
	type AnswerShape,
	type RequestProfile,
	type ServiceAnswer,
} from '../request';
import {
	errorFields,
	missingShape,
	pdfState,
	readBody,
	type Attempt,
	type ResponseBody,
} from './answer';

/** What an attempt without a result means. The one place that reads statuses and codes (§7). */
export interface Meaning {
	/** Whether the same attempt may end differently: never, a moment later, or as soon as the limit allows. */
	again: 'never' | 'later' | 'rate limited';
	outcome: Exclude<Outcome, 'accepted'>;
	/** The fix says all there is to know of the outcome. */
	saysOutcome?: true;
	message: string;
	fix: string;
}

/** What one attempt came to. */
export type Verdict =
	| { kind: 'answered'; answer: ServiceAnswer }
	| {
			kind: 'failed';
			meaning: Meaning;
			status?: number;
			code?: string;
			traceId: string | null;
			/** The service's `message` (§7), at most 500 characters. */
			serviceMessage?: string;
	  };

type Response = Extract<Attempt, { kind: 'response' }>;
type Row = (status: number, level?: AccessLevel, serviceMessage?: string) => Meaning;

const NOT_THE_SERVICE = 'The reply did not come from the service. Check the Base URL.';

/** Classifies an attempt: an answer, or why there is none and what may have been executed. */
export function judge(attempt: Attempt, profile: RequestProfile): Verdict {
	if (attempt.kind === 'no response') {
		const { code, timedOut } = attempt;
		const meaning = timedOut ? TIMED_OUT : meaningOfCode(code);
		return { kind: 'failed', meaning, code, traceId: null };
	}
	const { status, headers } = attempt;
	const traceId = headers['x-trace-id'] ?? null;
	if (status >= 200 && status <= 299) return judgeSuccess(attempt, profile.answer, traceId);
	const body = readBody(attempt.body, headers['content-type']);
	const { code, serviceMessage } = errorFields(body);
	if (status === 302 && code === 'WARNING') {
		if (!profile.pending)
			return { kind: 'failed', meaning: PENDING, status, code, traceId, serviceMessage };
		const pending = { code, message: serviceMessage ?? 'The transaction is pending.' };
		const json = body.kind === 'json' ? body.value : undefined;
		return {
			kind: 'answered',
			answer: { status, traceId, pending, json, bytes: attempt.body },
		};
	}
	const meaning =
		knownError(status, code, profile) ?? meaningOf(status, body, profile.level, serviceMessage);
	return { kind: 'failed', meaning, status, code, traceId, serviceMessage };
}

/** A 302 `WARNING` (§4.5) of an operation that has no pending result. */
const PENDING: Meaning = {
	again: 'never',
	outcome: 'unknown',
	saysOutcome: true,
	message: 'The transaction is pending (HTTP 302)',
	fix: 'Do not send it again: wait for its event, or ask the provider, quoting the trace ID.',
};

/** Sent before, and by now the service may execute it a second time under its key. */
export const FORGOTTEN: Meaning = {
	again: 'never',
	outcome: 'unknown',
	saysOutcome: true,
	message:
		'It may have been executed, and the service may have forgotten its idempotency key since',
	fix: 'It was not sent again. Ask the provider whether it was executed. If it was not, start a new execution for it. The Idempotency Window in the credential says how long keys are remembered.',
};

const rejected =
	(message: string, fix: string): Row =>
	(status) => ({
		again: 'never',
		outcome: 'rejected',
		message: `${message} (HTTP ${status})`,
		fix,
	});

const unclear =
	(message: string, fix: string): Row =>
	(status) => ({ again: 'never', outcome: 'unknown', message: `${message} (HTTP ${status})`, fix });

/** The service, or a gateway in front of it, is busy or down. It may have executed the request before that. */
const unavailable: Row = (status) => ({
	again: 'later',
	outcome: 'unknown',
	message: `The service is not available at the moment (HTTP ${status})`,
	fix: 'Wait until it is available again.',
});

/** Says in the headline what the service says of the key; where it says nothing, the level is the likeliest reason. */
const aboutTheKey =
	(message: string, fix: string): Row =>
	(status, level = 1, serviceMessage) => {
		const belowLevel =
			level > 1 && serviceMessage === undefined ? `, or is below level ${level}` : '';
		const meaning = rejected(message + belowLevel, fix)(status);
		return serviceMessage === undefined
			? meaning
			: { ...meaning, message: `${meaning.message}: ${serviceMessage}` };
	};

const rateLimited: Row = (status) => ({
	again: 'rate limited',
	outcome: 'rejected',
	message: `The service is receiving more than ${SERVICE_RATE} requests per second (HTTP ${status})`,
	fix: 'Lower Requests per Second in the options, or spread the work: the limit counts everything your company sends.',
});

/** What is known of a status, from §7 or from HTTP itself. After any other, the request may have been executed. */
const STATUSES: Record<number, Row> = {
	400: rejected('The service rejected the request', 'Check the values of the fields.'),
	401: aboutTheKey(
		'The API key was rejected',
		'Check the API Key in the credential, and that it was issued for the environment of the Base URL.',
	),
	403: aboutTheKey(
		'The API key is not allowed to do this',
		'Check the permissions, the level and the IP allowlist that the key was issued with.',
	),
	404: rejected('Not found', 'Check the path and the IDs.'),
	408: unavailable,
	412: rejected('The service rejected the request', 'Check the values of the fields.'),
	429: rateLimited,
	502: unavailable,
	503: unavailable,
	504: unavailable,
};

const redirect = unclear(
	'The service replied with a redirect, which is not followed',
	'Check the Base URL in the credential: it must be the final address of the service.',
);
const failed = unclear('The service failed', 'If it happens again, ask the provider.');
const unexpected = unclear(
	'The service did not complete the request',
	'Check the values of the fields.',
);
const notTheService = rejected('The reply did not come from the service', 'Check the Base URL.');

function meaningOf(
	status: number,
	body: ResponseBody,
	level?: AccessLevel,
	serviceMessage?: string,
): Meaning {
	const isJson = body.kind === 'json' || body.kind === 'empty';
	// The service's own 404 is JSON (§7): another one comes from a wrong address.
	if (status === 404 && !isJson) return notTheService(status);
	const meaning = (STATUSES[status] ?? rowOfClass(status))(status, level, serviceMessage);
	// A gateway in front of the service writes its own 5xx pages, so they say nothing about the address.
	return isJson || status >= 500
		? meaning
		: { ...meaning, fix: `${NOT_THE_SERVICE} ${meaning.fix}` };
}

/** For the test of the credential, which knows the status alone, and whose path is right. */
export function statusInWords(status: number): string {
	const { message, fix } = meaningOf(status, { kind: status === 404 ? 'html' : 'empty' });
	return `${message}. ${fix}`;
}

function rowOfClass(status: number): Row {
	if (status >= 300 && status <= 399) return redirect;
	return status >= 500 ? failed : unexpected;
}

/** A status, with its code where it has one, that the operation declares is a definite no. */
function knownError(status: number, code: string | undefined, { errors = [] }: RequestProfile) {
	const known = errors.find(
		(error) => error.status === status && (error.code === undefined || error.code === code),
	);
	if (!known) return undefined;
	const { message, fix } = known;
	return { again: 'never', outcome: 'rejected', message, fix } satisfies Meaning;
}

const TIMED_OUT: Meaning = {
	again: 'later',
	outcome: 'unknown',
	message: 'The service did not answer in time',
	fix: 'If it needs longer, raise Timeout per Attempt in the options.',
};

const UNREACHABLE = 'Check the Base URL in the credential, and that this n8n can reach it.';

/** Node's error codes, and what they say about the request; the first match counts. */
const CODES: Array<[codes: RegExp, meaning: Meaning]> = [
	[
		// No connection was made. EHOSTUNREACH and ENETUNREACH are left out: Node reports them for open connections too.
		/^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN)$/,
		{
			again: 'later',
			outcome: 'not_sent',
			message: 'The service could not be reached',
			fix: UNREACHABLE,
		},
	],
	[
		// Node closes such a connection before it sends anything.
		/^(?:CERT_|ERR_TLS_CERT_|DEPTH_ZERO_SELF_SIGNED_CERT$|SELF_SIGNED_CERT_|UNABLE_TO_(?:GET|VERIFY)_)/,
		{
			again: 'never',
			outcome: 'not_sent',
			message: 'The certificate of the service was not accepted',
			fix: 'Check the Base URL in the credential, and the proxy between n8n and the service if there is one.',
		},
	],
	[
		/^SSRF_BLOCKED$/,
		{
			again: 'never',
			outcome: 'not_sent',
			message:
				'n8n blocked the request: the Base URL leads to an address that its SSRF protection does not allow',
			fix: 'Check the Base URL in the credential. If it is right, add its address to N8N_SSRF_ALLOWED_IP_RANGES or its host to N8N_SSRF_ALLOWED_HOSTNAMES.',
		},
	],
	[
		// An address or header that Node cannot put on the wire.
		/^ERR_(?:INVALID|UNESCAPED)_/,
		{
			again: 'never',
			outcome: 'not_sent',
			message: 'The request could not be built',
			fix: 'Check the Base URL and the API Key in the credential for spaces, line breaks and unusual characters.',
		},
	],
	[
		/^NO_ANSWER$/,
		{
			again: 'never',
			outcome: 'unknown',
			message: 'The request ended without a reply',
			fix: UNREACHABLE,
		},
	],
];

const CONNECTION_CLOSED: Meaning = {
	again: 'later',
	outcome: 'unknown',
	message: 'The service could not be reached, or closed the connection',
	fix: UNREACHABLE,
};

function meaningOfCode(code: string): Meaning {
	return CODES.find(([codes]) => codes.test(code))?.[1] ?? CONNECTION_CLOSED;
}

function judgeSuccess(response: Response, shape: AnswerShape, traceId: string | null): Verdict {
	const { status, headers, body: bytes } = response;
	const pdf = shape === 'pdf' ? pdfState(bytes) : 'no PDF';
	if (pdf === 'whole') {
		return { kind: 'answered', answer: { status, traceId, json: undefined, bytes } };
	}
	if (pdf === 'cut off') return { kind: 'failed', meaning: CUT_OFF, status, traceId };
	const body = readBody(bytes, headers['content-type']);
	const expected = missingShape(shape, body);
	if (expected === undefined) {
		const json = body.kind === 'json' ? body.value : body.kind === 'text' ? body.text : undefined;
		return { kind: 'answered', answer: { status, traceId, json, bytes } };
	}
	const meaning: Meaning = {
		again: 'never',
		outcome: 'unknown',
		message: `The service replied with HTTP ${status}, but not with ${expected}`,
		fix: body.kind === 'html' || body.kind === 'text' ? NOT_THE_SERVICE : UNEXPECTED_FORM,
	};
	return { kind: 'failed', meaning, status, traceId };
}

const CUT_OFF: Meaning = {
	again: 'later',
	outcome: 'unknown',
	message: 'The PDF was cut off on its way',
	fix: 'Run it again.',
};

const UNEXPECTED_FORM = 'Check the Base URL in the credential, or ask the provider.';
