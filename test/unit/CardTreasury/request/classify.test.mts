import { classify, type FailedAttempt } from '../../../../nodes/CardTreasury/request/classify.ts';
import type {
	AnswerShape,
	RequestProfile,
} from '../../../../nodes/CardTreasury/request/request.ts';
import type { Meaning } from '../../../../nodes/shared/statuses.ts';
import { meaningOf, response, WRITE } from './classified.mts';

const NEVER = { again: 'never', outcome: 'unknown' } as const;
const LATER = { again: 'later', outcome: 'unknown' } as const;
const REJECTED = { again: 'never', outcome: 'rejected' } as const;
const HTML = { 'content-type': 'text/html' };

const OPEN = 'The service did not complete the request';
const BUSY = 'The service is not available at the moment';
const REDIRECT = 'The service replied with a redirect, which is not followed';
const BROKEN = 'The service failed';
const STATUSES: Array<[status: number, decision: Partial<Meaning>, message: string]> = [
	[100, NEVER, OPEN],
	[300, NEVER, REDIRECT],
	[301, NEVER, REDIRECT],
	[399, NEVER, REDIRECT],
	[400, REJECTED, 'The service rejected the request'],
	[401, REJECTED, 'The API key was rejected'],
	[402, NEVER, OPEN],
	[403, REJECTED, 'The API key is not allowed to do this'],
	[404, REJECTED, 'Not found'],
	[405, NEVER, OPEN],
	[408, LATER, BUSY],
	[409, NEVER, OPEN],
	[412, REJECTED, 'The service rejected the request'],
	[422, NEVER, OPEN],
	[
		429,
		{ again: 'rate limited', outcome: 'rejected' },
		'The service is receiving more than 15 requests per second',
	],
	[500, NEVER, BROKEN],
	[502, LATER, BUSY],
	[503, LATER, BUSY],
	[504, LATER, BUSY],
	[599, NEVER, BROKEN],
];

describe('HTTP status', () => {
	it.each(STATUSES)('HTTP %d decides %j with the message "%s"', (status, decision, message) => {
		const expected = { ...decision, message: `${message} (HTTP ${status})` };
		expect(meaningOf(response(status, ''))).toMatchObject(expected);
		// Only messages about the key quote the service's message.
		const said = [401, 403].includes(status) ? `${expected.message}: said` : expected.message;
		expect(meaningOf(response(status, { code: 'ANY', message: 'said' }))).toMatchObject({
			...expected,
			message: said,
		});
	});

	it.each(STATUSES.filter(([status]) => status !== 404))(
		'HTTP %d decides %j in the words of a proxy, too',
		(status, decision, message) => {
			for (const body of ['<html>', 'no upstream']) {
				const meaning = meaningOf(response(status, body));
				expect(meaning).toMatchObject({ ...decision, message: `${message} (HTTP ${status})` });
				// A gateway words the 5xx of the service behind it.
				expect(meaning.fix.includes('Check the Base URL.')).toBe(status < 500);
			}
		},
	);

	it('a 404 that is not JSON did not come from the service', () => {
		for (const page of [response(404, '<html>'), response(404, 'Log in', HTML)])
			expect(meaningOf(page)).toMatchObject({
				...REJECTED,
				message: 'The reply did not come from the service (HTTP 404)',
			});
	});

	it.each([
		[401, 1, 'The API key was rejected (HTTP 401)'],
		[401, 2, 'The API key was rejected, or is below level 2 (HTTP 401)'],
		[403, 2, 'The API key is not allowed to do this, or is below level 2 (HTTP 403)'],
	] as const)('HTTP %d names level %d only above 1: "%s"', (status, level, message) => {
		expect(meaningOf(response(status), { level }).message).toBe(message);
		const said = response(status, { message: 'Key expired' });
		expect(meaningOf(said, { level }).message).not.toContain('below level');
	});
});

describe('declared error', () => {
	const errors = [
		{ status: 409, code: 'VAL', message: 'Not pending documentation', fix: 'Wait for it.' },
		{ status: 410, message: 'Gone', fix: 'Start anew.' },
		{ status: 404, code: 'NOT_FOUND', message: 'Card not found', fix: 'Check Card ID.' },
	];

	it.each([
		[409, { code: 'VAL' }, errors[0]],
		[410, { code: 'ANY' }, errors[1]],
		[404, { code: 'NOT_FOUND' }, errors[2]],
	])('HTTP %d with %j is a rejection with its own message', (status, body, error) => {
		const { message, fix } = error!;
		expect(meaningOf(response(status, body), { errors })).toEqual({ ...REJECTED, message, fix });
	});

	it.each([
		[409, { code: 'OTHER' }, { ...NEVER, message: `${OPEN} (HTTP 409)` }],
		[409, '<html>', { ...NEVER, message: `${OPEN} (HTTP 409)` }],
		[422, { code: 'VAL' }, { ...NEVER, message: `${OPEN} (HTTP 422)` }],
		[404, '<html>', { message: 'The reply did not come from the service (HTTP 404)' }],
	])('HTTP %d with %j is no declared error', (status, body, meaning) => {
		expect(meaningOf(response(status, body), { errors })).toMatchObject(meaning);
	});
});

describe('HTTP 302', () => {
	const WARNING = { code: 'WARNING', message: 'Still mining.' };

	it('code WARNING is a pending result if the operation has one', () => {
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
		const unworded = response(302, { code: 'WARNING' });
		const classified = classify(unworded, { ...WRITE, pending: true });
		expect(classified).toHaveProperty('answer.pending', { code: 'WARNING' });
	});

	it.each<RequestProfile>([
		{ effect: 'read', answer: 'anything' },
		{ ...WRITE, pending: false },
		{ effect: 'unkeyed write', answer: 'anything' },
	])('code WARNING is never re-sent without a pending result: %j', (profile) => {
		expect(classify(response(302, WARNING), profile)).toMatchObject({
			kind: 'failed',
			meaning: { ...NEVER, message: 'The transaction is pending (HTTP 302)' },
			code: 'WARNING',
			serviceMessage: 'Still mining.',
		});
	});

	it.each([
		[302, { code: 'MOVED' }],
		[302, 'WARNING'],
		[307, WARNING],
	])('HTTP %d with %j is a redirect', (status, body) => {
		expect(meaningOf(response(status, body), { pending: true })).toMatchObject({
			...NEVER,
			message: `${REDIRECT} (HTTP ${status})`,
		});
	});
});

describe('attempt without a response', () => {
	const NOT_SENT = { again: 'never', outcome: 'not_sent' } as const;
	const NOT_REACHED = { again: 'later', outcome: 'not_sent' } as const;

	it.each<[string, Partial<Meaning>, string]>([
		['ECONNREFUSED', NOT_REACHED, 'The service could not be reached'],
		['ENOTFOUND', NOT_REACHED, 'The service could not be reached'],
		['EAI_AGAIN', NOT_REACHED, 'The service could not be reached'],
		...[
			'EAI_AGAIN_',
			'XECONNREFUSED',
			// Node reports this code for open connections too.
			'EHOSTUNREACH',
			'ECONNRESET',
			'EPROTO',
			'HPE_INVALID_CONSTANT',
			'SOME_CERT_',
			'HPE_ERR_INVALID_',
		].map((code): [string, Partial<Meaning>, string] => [
			code,
			LATER,
			'The service could not be reached, or closed the connection',
		]),
		...[
			'CERT_HAS_EXPIRED',
			'DEPTH_ZERO_SELF_SIGNED_CERT',
			'SELF_SIGNED_CERT_IN_CHAIN',
			'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
		].map((code): [string, Partial<Meaning>, string] => [
			code,
			NOT_SENT,
			'The certificate of the service was not accepted',
		]),
		['SSRF_BLOCKED', NOT_SENT, "n8n's SSRF protection blocked the Base URL"],
		['ERR_INVALID_CHAR', NOT_SENT, 'The request could not be built'],
		['ERR_UNESCAPED_CHARACTERS', NOT_SENT, 'The request could not be built'],
		['NO_CREDENTIAL', NOT_SENT, 'n8n could not add the API key to the request'],
		['NO_ANSWER', NEVER, 'The request ended without a reply'],
		['TOO_LARGE', NEVER, 'The reply is larger than 50 MB, and was cut off'],
	])('the code %s decides %j with the message "%s"', (code, decision, message) => {
		expect(classify({ kind: 'no response', code, timedOut: false }, WRITE)).toEqual({
			kind: 'failed',
			meaning: { ...decision, message, fix: expect.any(String) },
			code,
			traceId: null,
		});
	});

	it.each(['ETIMEDOUT', 'ECONNREFUSED'])('a timeout has an unknown outcome, even by %s', (code) => {
		expect(meaningOf({ kind: 'no response', code, timedOut: true })).toMatchObject({
			...LATER,
			message: 'The service did not answer in time',
		});
	});
});

describe('details of a failure', () => {
	it.each([
		[{ code: 'VAL', message: 'Wrong' }, 'VAL', 'Wrong'],
		[{ code: 17, message: '' }, '17', undefined],
		[{ code: null, message: 5 }, undefined, undefined],
		[{ message: 'x'.repeat(600) }, undefined, `${'x'.repeat(499)}…`],
		[['VAL'], undefined, undefined],
		['null', undefined, undefined],
	])('the body %j has the code %j and the message %j', (body, code, serviceMessage) => {
		const facts = { status: 400, code, traceId: 'trace-1', serviceMessage };
		expect(classify(response(400, body), WRITE)).toMatchObject(facts);
	});

	it.each([
		[
			500,
			{ error: { message: 'Broken' }, transaction_hash: '0x1' },
			{ serviceMessage: 'Broken', hash: '0x1' },
		],
		[
			400,
			{ success: false, errors: [{ field: 'to', message: 'unknown' }] },
			{ serviceMessage: 'to: unknown' },
		],
		[400, 'Insufficient funds', { text: 'Insufficient funds' }],
		[502, '<html>', {}],
	])('a reply of HTTP %i with %j says %j', (status, body, said) => {
		const failed = classify(response(status, body), WRITE);
		const { kind, meaning, status: _, traceId, code, ...others } = failed as FailedAttempt;
		expect([kind, traceId, code]).toEqual(['failed', 'trace-1', undefined]);
		expect(meaning.outcome).toBe(status === 400 ? 'rejected' : 'unknown');
		expect(JSON.parse(JSON.stringify(others))).toEqual(said);
	});

	// What a service says in place of the documented answer is not lost.
	it.each<[AnswerShape, unknown, object]>([
		[
			'pdf',
			{ code: 'VAL', message: 'No transactions' },
			{ code: 'VAL', serviceMessage: 'No transactions' },
		],
		['array', { error: 'Try later' }, { serviceMessage: 'Try later' }],
		[
			'object',
			[{ status: 'SUCCESS', transaction_hash: '0x1' }],
			{ serviceMessage: '[{"status":"SUCCESS","transaction_hash":"0x1"}]', hash: '0x1' },
		],
		['object', 'true', { serviceMessage: 'true' }],
		['object', 'Insufficient funds', { text: 'Insufficient funds' }],
		['object', '<html>', {}],
		['object', '', {}],
	])('a reply of HTTP 200 that has no %s but %j says %j', (answer, body, said) => {
		const failed = classify(response(200, body), { ...WRITE, answer });
		const { kind, meaning, status, traceId, ...others } = failed as FailedAttempt;
		expect([kind, status, traceId, meaning.outcome]).toEqual(['failed', 200, 'trace-1', 'unknown']);
		expect(JSON.parse(JSON.stringify(others))).toEqual(said);
	});

	it('a reply without the header has no trace ID', () => {
		const reply = { kind: 'response' as const, headers: {}, body: Buffer.from('{}') };
		expect(classify({ ...reply, status: 400 }, WRITE)).toMatchObject({ traceId: null });
		expect(classify({ ...reply, status: 200 }, WRITE)).toMatchObject({ answer: { traceId: null } });
	});
});

describe('successful answer', () => {
	const PDF = '%PDF-1.7 %%EOF';

	it.each<[AnswerShape, unknown, unknown]>([
		['array', [{ id: 1 }], [{ id: 1 }]],
		['object', { id: 1 }, { id: 1 }],
		['object or nothing', '', undefined],
		['content', [1], [1]],
		['content', '', undefined],
		['anything', 'plain words', 'plain words'],
		['anything', '{"a":12345678901234567890}', { a: '12345678901234567890' }],
		['pdf', PDF, undefined],
	])('the shape "%s" accepts %j', (answer, body, json) => {
		const attempt = response(200, body);
		expect(classify(attempt, { ...WRITE, answer })).toEqual({
			kind: 'answered',
			answer: {
				status: 200,
				traceId: 'trace-1',
				json,
				bytes: attempt.kind === 'response' && attempt.body,
			},
		});
	});

	it.each<[AnswerShape, unknown, string, isOther: boolean]>([
		['array', {}, 'a list of objects', false],
		['array', [{ id: 1 }, 1], 'a list of objects', false],
		['object', [], 'a JSON object', false],
		['object', '', 'a JSON object', false],
		['object', '<html>', 'a JSON object', true],
		['object', '{"a":', 'a JSON object', true],
		['object or nothing', [], 'a JSON object', false],
		['content', '<html>', 'data', true],
		['content', '{"a":', 'JSON', true],
		['anything', '<html>', 'data', true],
		['pdf', '<html>', 'a PDF', true],
		['pdf', {}, 'a PDF', false],
	])('the shape "%s" rejects %j as not %s (from another server: %s)', (...row) => {
		const [answer, body, expected, isOther] = row;
		const failed = classify(response(201, body), { ...WRITE, answer });
		expect(failed).toMatchObject({
			kind: 'failed',
			meaning: {
				...NEVER,
				message: `The service replied with HTTP 201, but not with ${expected}`,
				fix: expect.stringMatching(isOther ? /^The reply did not come from/ : /^Check the Base/),
			},
		});
	});

	const LATIN1 = Buffer.from('gr\xfc\xdfe', 'latin1');
	it.each<[string, string | Buffer, string, object]>([
		['text', 'OK', 'text/plain', { text: 'OK' }],
		['text of no type', 'OK', '', { text: 'OK' }],
		['text in its charset', LATIN1, 'text/plain; charset=ISO-8859-1', { text: 'grüße' }],
		[
			'text in windows-1252',
			Buffer.from([0x80, 0x35, 0x20, 0x93, 0xe9, 0x94]),
			'text/plain; charset=windows-1252',
			{ text: '€5 “é”' },
		],
		['text of the label latin1', Buffer.from([0x80]), 'text/csv;charset=latin1', { text: '€' }],
		['text in an unknown charset', 'OK', 'text/plain; charset=x-none', { text: 'OK' }],
		['text with a byte order mark', '\ufeffa;b', 'text/csv', { text: 'a;b' }],
		['XML', '{x}', 'application/soap+xml', { text: '{x}' }],
		['lines of JSON', '{"a":1}\n{"a":2}', 'application/x-ndjson', { text: '{"a":1}\n{"a":2}' }],
		['a sequence of JSON', '\x1e{"a":1}', 'application/json-seq', { text: '\x1e{"a":1}' }],
		['YAML', 'a: 1', 'application/x-yaml', { text: 'a: 1' }],
		[
			'a file',
			'%PDF-1.7',
			'application/pdf',
			{ file: { fileName: 'data', mimeType: 'application/pdf' } },
		],
		[
			'bytes of no type',
			Buffer.from([1, 0, 255]),
			'',
			{ file: { fileName: 'data', mimeType: 'application/octet-stream' } },
		],
	])('the shape "content" accepts %s', (_, body, type, content) => {
		const bytes = Buffer.from(body);
		const headers: Record<string, string> = type === '' ? {} : { 'content-type': type };
		const attempt = { kind: 'response' as const, status: 200, headers, body: bytes };
		const found = classify(attempt, { ...WRITE, answer: 'content' });
		expect(found).toEqual({
			kind: 'answered',
			answer: { status: 200, traceId: null, json: undefined, bytes, ...content },
		});
	});

	it.each([
		['attachment; filename="../a/report 1.pdf"', 'report 1.pdf'],
		['attachment; filename=x;y', 'x'],
		['attachment', 'data'],
		['attachment; filename="e.pdf"; filename*=UTF-8\'\'caf%C3%A9%20%2F1.pdf', '1.pdf'],
		["attachment; filename*=UTF-8''caf%C3%A9.pdf", 'café.pdf'],
		["attachment; filename=a.pdf; filename*=UTF-8''%E0", 'a.pdf'],
	])('a file has the name in %j, without folders', (disposition, fileName) => {
		const headers = { 'content-type': 'application/pdf', 'content-disposition': disposition };
		const attempt = { kind: 'response' as const, status: 200, headers, body: Buffer.from('%PDF') };
		expect(classify(attempt, { ...WRITE, answer: 'content' })).toMatchObject({
			answer: { file: { fileName } },
		});
	});

	it('a web page is recognized by its content type, too', () => {
		const page = response(200, 'Log in', HTML);
		expect(meaningOf(page, { answer: 'anything' })).toMatchObject(NEVER);
	});

	it('a PDF that was cut off in transit is requested again', () => {
		expect(meaningOf(response(200, '%PDF-1.7'), { answer: 'pdf' })).toMatchObject(LATER);
	});

	it.each([204, 299])('HTTP %d is a success', (status) => {
		expect(classify(response(status), WRITE).kind).toBe('answered');
	});
});
