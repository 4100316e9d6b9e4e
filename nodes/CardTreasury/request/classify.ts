import { shortened } from '../../shared/plainLine';
import { meaningOfStatus, NOT_THE_SERVICE, type Meaning } from '../../shared/statuses';
import type { AnswerShape, RequestProfile, ServiceAnswer } from './request';
import {
	fileNameIn,
	jsonOf,
	missingShape,
	NO_CREDENTIAL,
	pdfState,
	readBody,
	saidBy,
	TOO_LARGE,
	typeIn,
	type Attempt,
	type ResponseBody,
	type Said,
} from './response';

/** Attempt that brought no result. */
export interface FailedAttempt extends Said {
	kind: 'failed';
	meaning: Meaning;
	status?: number;
	traceId: string | null;
}

/** Attempt after classification. */
type Classified = { kind: 'answered'; answer: ServiceAnswer } | FailedAttempt;

type Response = Extract<Attempt, { kind: 'response' }>;

/** Classifies an attempt as answered or failed. A failed one gets an outcome. */
export function classify(attempt: Attempt, profile: RequestProfile): Classified {
	if (attempt.kind === 'no response') {
		const { code, timedOut } = attempt;
		const meaning = timedOut ? TIMED_OUT : meaningOfCode(code);
		return { kind: 'failed', meaning, code, traceId: null };
	}
	const { status, headers } = attempt;
	const traceId = headers['x-trace-id'] ?? null;
	if (status >= 200 && status <= 299) return classifySuccess(attempt, profile.answer, traceId);
	const body = readBody(attempt.body, headers['content-type']);
	const said = saidBy(body);
	const { code, serviceMessage } = said;
	if (status === 302 && code === 'WARNING') {
		if (!profile.pending) return { kind: 'failed', meaning: PENDING, status, traceId, ...said };
		const pending = { code, ...(serviceMessage !== undefined && { message: serviceMessage }) };
		return {
			kind: 'answered',
			answer: { status, traceId, pending, json: jsonOf(body), bytes: attempt.body },
		};
	}
	const isJson = body.kind === 'json' || body.kind === 'empty';
	const { level } = profile;
	const meaning =
		knownError(status, code, profile) ?? meaningOfStatus(status, { isJson, level, serviceMessage });
	return { kind: 'failed', meaning, status, traceId, ...said };
}

/** Meaning of a 302 `WARNING` (§4.5) in an operation that has no pending result. */
const PENDING: Meaning = {
	again: 'never',
	outcome: 'unknown',
	message: 'The transaction is pending (HTTP 302)',
	fix: 'Do not send it again: wait for its event, or ask the provider, quoting the trace ID.',
};

/**
 * Failure of a write that is not re-sent. The service may have forgotten the key, and could execute the write again.
 */
export const FORGOTTEN: FailedAttempt = {
	kind: 'failed',
	meaning: {
		again: 'never',
		outcome: 'unknown',
		message: 'The service may have forgotten the idempotency key by now',
		fix: 'It was not sent again, because the Idempotency Window of the credential is over.',
	},
	traceId: null,
};

/** Finds an error that the operation declares as a definite rejection. */
function knownError(status: number, code: string | undefined, { errors }: RequestProfile) {
	const known = errors?.find(
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

/** Meaning of Node's error codes. The first match counts. */
const CODES: Array<[codes: RegExp, meaning: Meaning]> = [
	[
		// Codes of connections that were never made. EHOSTUNREACH and ENETUNREACH are missing, because Node also reports
		// them for open connections.
		/^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN)$/,
		{
			again: 'later',
			outcome: 'not_sent',
			message: 'The service could not be reached',
			fix: UNREACHABLE,
		},
	],
	[
		// Codes of rejected certificates. Node closes such a connection before it sends anything.
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
			message: "n8n's SSRF protection blocked the Base URL",
			fix: 'Check the Base URL in the credential. If it is right, add its address to N8N_SSRF_ALLOWED_IP_RANGES or its host to N8N_SSRF_ALLOWED_HOSTNAMES.',
		},
	],
	[
		// Codes of an address or header that Node cannot send.
		/^ERR_(?:INVALID|UNESCAPED)_/,
		{
			again: 'never',
			outcome: 'not_sent',
			message: 'The request could not be built',
			fix: 'Check the Base URL and the API Key in the credential for spaces, line breaks and unusual characters.',
		},
	],
	[
		new RegExp(`^${NO_CREDENTIAL}$`),
		{
			again: 'never',
			outcome: 'not_sent',
			message: 'n8n could not add the API key to the request',
			fix: 'If the settings of the workflow have binaryMode "combined", remove it: nodes with credentials do not work with it. Otherwise, select the credential again.',
		},
	],
	[
		new RegExp(`^${TOO_LARGE}$`),
		{
			again: 'never',
			outcome: 'unknown',
			message: 'The reply is larger than 50 MB, and was cut off',
			fix: NOT_THE_SERVICE,
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

function classifySuccess(
	response: Response,
	shape: AnswerShape,
	traceId: string | null,
): Classified {
	const { status, headers, body: bytes } = response;
	const pdf = shape === 'pdf' ? pdfState(bytes) : 'no PDF';
	if (pdf === 'whole') {
		return { kind: 'answered', answer: { status, traceId, json: undefined, bytes } };
	}
	if (pdf === 'cut off') return { kind: 'failed', meaning: CUT_OFF, status, traceId };
	const type = headers['content-type'];
	const body = readBody(bytes, type);
	// JSON that was cut off in transit is no text.
	const isBroken = shape === 'content' && body.kind === 'text' && looksLikeJson(body.text, type);
	const expected = isBroken ? 'JSON' : missingShape(shape, body);
	if (expected === undefined) {
		if (body.kind !== 'text')
			return { kind: 'answered', answer: { status, traceId, json: jsonOf(body), bytes } };
		if (shape !== 'content')
			return { kind: 'answered', answer: { status, traceId, json: body.text, bytes } };
		const fileName = fileNameIn(headers['content-disposition']) ?? 'data';
		const mimeType = type?.split(';')[0]?.trim() || 'application/octet-stream';
		const content = body.isFile ? { file: { fileName, mimeType } } : { text: body.text };
		return { kind: 'answered', answer: { status, traceId, json: undefined, ...content, bytes } };
	}
	const meaning: Meaning = {
		again: 'never',
		outcome: 'unknown',
		message: `The service replied with HTTP ${status}, but not with ${expected}`,
		fix: body.kind === 'html' || body.kind === 'text' ? NOT_THE_SERVICE : UNEXPECTED_FORM,
	};
	return { kind: 'failed', meaning, status, traceId, ...saidInstead(body) };
}

/** Text of a successful reply of another shape: its reason, or else the reply itself. */
function saidInstead(body: ResponseBody): Said {
	const said = saidBy(body);
	const json = jsonOf(body);
	if (said.serviceMessage !== undefined || json === undefined) return said;
	return { ...said, serviceMessage: shortened(JSON.stringify(json), 200) };
}

const looksLikeJson = (text: string, type?: string) =>
	type === undefined ? /^[[{]/.test(text) : /[/+]json$/.test(typeIn(type));

const CUT_OFF: Meaning = {
	again: 'later',
	outcome: 'unknown',
	message: 'The PDF was cut off in transit',
	fix: 'Run it again.',
};

const UNEXPECTED_FORM = 'Check the Base URL in the credential, or ask the provider.';
