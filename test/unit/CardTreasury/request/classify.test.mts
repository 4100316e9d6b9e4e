import { classify } from '../../../../nodes/CardTreasury/request/classify.ts';
import type { RequestProfile } from '../../../../nodes/CardTreasury/request/request.ts';
import { NOT_THE_SERVICE, type Meaning } from '../../../../nodes/shared/statuses.ts';
import { BASE_URL, meaningOf, response, WRITE } from './classified.mts';

type Row = [
	status: number,
	again: Meaning['again'],
	outcome: Meaning['outcome'],
	message: string,
	fix: string,
];

const REJECTED = 'The service rejected the request';
const VALUES = 'Check the values of the fields.';
const OPEN = 'The service did not complete the request';
const BUSY = 'The service is not available at the moment';
const WAIT = 'Wait until it is available again.';
const REDIRECT = 'The service replied with a redirect, which is not followed';
const FINAL = 'Check the Base URL in the credential: it must be the final address of the service.';
const BROKEN = 'The service failed';
const ASK = 'If it happens again, ask the provider.';

const ROWS: Row[] = [
	[100, 'never', 'unknown', OPEN, VALUES],
	[300, 'never', 'unknown', REDIRECT, FINAL],
	[301, 'never', 'unknown', REDIRECT, FINAL],
	[399, 'never', 'unknown', REDIRECT, FINAL],
	[400, 'never', 'rejected', REJECTED, VALUES],
	[
		401,
		'never',
		'rejected',
		'The API key was rejected',
		'Check the API Key in the credential, and that it belongs to the environment of the Base URL.',
	],
	[402, 'never', 'unknown', OPEN, VALUES],
	[
		403,
		'never',
		'rejected',
		'The API key is not allowed to do this',
		'Check the permissions, the level and the IP allowlist of the key.',
	],
	[404, 'never', 'rejected', 'Not found', 'Check the path and the IDs.'],
	[405, 'never', 'unknown', OPEN, VALUES],
	[408, 'later', 'unknown', BUSY, WAIT],
	[409, 'never', 'unknown', OPEN, VALUES],
	[412, 'never', 'rejected', REJECTED, VALUES],
	[
		429,
		'rate limited',
		'rejected',
		'The service is receiving more than 15 requests per second',
		'Lower Requests per Second in the options, or spread the requests over time. The limit counts all requests of your company.',
	],
	[500, 'never', 'unknown', BROKEN, ASK],
	[502, 'later', 'unknown', BUSY, WAIT],
	[503, 'later', 'unknown', BUSY, WAIT],
	[504, 'later', 'unknown', BUSY, WAIT],
	[599, 'never', 'unknown', BROKEN, ASK],
];

it.each(ROWS)(
	'HTTP %d with JSON means again: %s, outcome: %s, "%s"',
	(status, again, outcome, message, fix) => {
		const expected = { again, outcome, message: `${message} (HTTP ${status})`, fix };
		// Messages about the key include the service's message.
		const said = [401, 403].includes(status) ? `${expected.message}: said` : expected.message;
		expect(meaningOf(response(status, { code: 'ANY', message: 'said' }))).toEqual({
			...expected,
			message: said,
		});
		expect(meaningOf(response(status, ''))).toEqual(expected);
	},
);

it.each(ROWS.filter(([status]) => status !== 404))(
	'HTTP %d from a proxy means again: %s, outcome: %s',
	(status, again, outcome, message, fix) => {
		const expected = {
			again,
			outcome,
			message: `${message} (HTTP ${status})`,
			// A gateway words the 5xx of the service behind it.
			fix: status >= 500 ? fix : `${BASE_URL} ${fix}`,
		};
		expect(meaningOf(response(status, '<html>'))).toEqual(expected);
		expect(meaningOf(response(status, 'no upstream'))).toEqual(expected);
	},
);

it.each([
	[401, undefined, 'The API key was rejected (HTTP 401)'],
	[401, 1, 'The API key was rejected (HTTP 401)'],
	[401, 2, 'The API key was rejected, or is below level 2 (HTTP 401)'],
	[401, 3, 'The API key was rejected, or is below level 3 (HTTP 401)'],
	[403, 1, 'The API key is not allowed to do this (HTTP 403)'],
	[403, 2, 'The API key is not allowed to do this, or is below level 2 (HTTP 403)'],
] as const)('HTTP %d for an operation of level %p shows "%s"', (status, level, message) => {
	expect(meaningOf(response(status), { level }).message).toBe(message);
	const said = response(status, { message: 'Key expired' });
	expect(meaningOf(said, { level }).message).not.toContain('below level');
});

describe('declared error', () => {
	const errors = [
		{ status: 409, code: 'VAL', message: 'Not pending documentation', fix: 'Wait for it.' },
		{ status: 410, message: 'Gone', fix: 'Start anew.' },
		{ status: 404, code: 'NOT_FOUND', message: 'Card not found', fix: 'Check Card ID.' },
	];

	it.each([
		[409, { code: 'VAL' }, 'Not pending documentation', 'Wait for it.'],
		[410, { code: 'ANY' }, 'Gone', 'Start anew.'],
		[404, { code: 'NOT_FOUND' }, 'Card not found', 'Check Card ID.'],
	])('makes %d %j a definite rejection with its own message', (status, body, message, fix) => {
		expect(meaningOf(response(status, body), { errors })).toEqual({
			again: 'never',
			outcome: 'rejected',
			message,
			fix,
		});
	});

	it.each([
		[409, { code: 'OTHER' }, 'unknown', `${OPEN} (HTTP 409)`],
		[409, '<html>', 'unknown', `${OPEN} (HTTP 409)`],
		[422, { code: 'VAL' }, 'unknown', `${OPEN} (HTTP 422)`],
		[404, '<html>', 'rejected', 'The reply did not come from the service (HTTP 404)'],
	])('does not apply to %d %j', (status, body, outcome, message) => {
		expect(meaningOf(response(status, body), { errors })).toMatchObject({ outcome, message });
	});
});

describe('HTTP 302', () => {
	const WARNING = { code: 'WARNING', message: 'Still mining.' };

	it('with code WARNING is a pending result if the operation has one', () => {
		expect(classify(response(302, WARNING), { ...WRITE, pending: true })).toEqual({
			kind: 'answered',
			answer: {
				status: 302,
				traceId: 'trace-1',
				pending: WARNING,
				json: WARNING,
				bytes: Buffer.from(JSON.stringify(WARNING)),
			},
		});
		expect(classify(response(302, { code: 'WARNING' }), { ...WRITE, pending: true })).toMatchObject(
			{
				answer: { pending: { code: 'WARNING', message: 'The transaction is pending.' } },
			},
		);
	});

	it.each<RequestProfile>([
		{ effect: 'read', answer: 'anything' },
		{ ...WRITE, pending: false },
		{ effect: 'unkeyed write', answer: 'anything' },
	])('with code WARNING is never re-sent if the operation has no pending result: %j', (profile) => {
		expect(classify(response(302, WARNING), profile)).toEqual({
			kind: 'failed',
			meaning: {
				again: 'never',
				outcome: 'unknown',
				saysOutcome: true,
				message: 'The transaction is pending (HTTP 302)',
				fix: 'Do not send it again: wait for its event, or ask the provider, quoting the trace ID.',
			},
			status: 302,
			code: 'WARNING',
			traceId: 'trace-1',
			serviceMessage: 'Still mining.',
		});
	});

	it.each([
		[302, { code: 'MOVED' }],
		[302, 'WARNING'],
		[307, WARNING],
	])('with any other body is a redirect: %d %j', (status, body) => {
		const meaning = meaningOf(response(status, body), { pending: true });
		expect(meaning.message).toBe(`${REDIRECT} (HTTP ${status})`);
		expect(meaning.fix).toContain(FINAL);
	});
});

describe('attempt without a response', () => {
	const UNREACHABLE = 'Check the Base URL in the credential, and that this n8n can reach it.';
	const CERTIFICATE = [
		'never',
		'not_sent',
		'The certificate of the service was not accepted',
		'Check the Base URL in the credential, and the proxy between n8n and the service if there is one.',
	] as const;
	const NOT_BUILT = [
		'never',
		'not_sent',
		'The request could not be built',
		'Check the Base URL and the API Key in the credential for spaces, line breaks and unusual characters.',
	] as const;
	const BLOCKED = [
		'never',
		'not_sent',
		"n8n's SSRF protection blocked the Base URL",
		'Check the Base URL in the credential. If it is right, add its address to N8N_SSRF_ALLOWED_IP_RANGES or its host to N8N_SSRF_ALLOWED_HOSTNAMES.',
	] as const;
	const NOT_REACHED = [
		'later',
		'not_sent',
		'The service could not be reached',
		UNREACHABLE,
	] as const;
	const CLOSED = [
		'later',
		'unknown',
		'The service could not be reached, or closed the connection',
		UNREACHABLE,
	] as const;

	it.each([
		['ECONNREFUSED', ...NOT_REACHED],
		['ENOTFOUND', ...NOT_REACHED],
		['EAI_AGAIN', ...NOT_REACHED],
		['XECONNREFUSED', ...CLOSED],
		// Node reports these for open connections too.
		['EHOSTUNREACH', ...CLOSED],
		['ECONNRESET', ...CLOSED],
		['EPROTO', ...CLOSED],
		['HPE_INVALID_CONSTANT', ...CLOSED],
		['CERT_HAS_EXPIRED', ...CERTIFICATE],
		['DEPTH_ZERO_SELF_SIGNED_CERT', ...CERTIFICATE],
		['UNABLE_TO_VERIFY_LEAF_SIGNATURE', ...CERTIFICATE],
		['SOME_CERT_', ...CLOSED],
		['SSRF_BLOCKED', ...BLOCKED],
		['ERR_INVALID_CHAR', ...NOT_BUILT],
		['HPE_ERR_INVALID_', ...CLOSED],
		['NO_ANSWER', 'never', 'unknown', 'The request ended without a reply', UNREACHABLE],
		[
			'TOO_LARGE',
			'never',
			'unknown',
			'The reply is larger than 50 MB, and was cut off',
			NOT_THE_SERVICE,
		],
	] as const)('%s means again: %s, outcome: %s, "%s"', (code, again, outcome, message, fix) => {
		expect(classify({ kind: 'no response', code, timedOut: false }, WRITE)).toEqual({
			kind: 'failed',
			meaning: { again, outcome, message, fix },
			code,
			traceId: null,
		});
	});

	it.each(['ETIMEDOUT', 'ECONNREFUSED'])(
		'that timed out has an unknown outcome, even with code %s',
		(code) => {
			expect(meaningOf({ kind: 'no response', code, timedOut: true })).toEqual({
				again: 'later',
				outcome: 'unknown',
				message: 'The service did not answer in time',
				fix: 'If it needs longer, raise Timeout per Attempt in the options.',
			});
		},
	);
});
