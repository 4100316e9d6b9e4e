import { readAttempt, type Attempt } from '../../../../nodes/CardTreasury/service/attempt.ts';

const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' };
const PAGE = '<!DOCTYPE html><html>Sign in</html>';
const reply = (
	status: number,
	body: string | Buffer = '{"code":"X","message":"said"}',
	headers: Record<string, string> = JSON_TYPE,
): Attempt => ({ status, headers, body: Buffer.from(body) });
const html = (status: number) => reply(status, PAGE, { 'content-type': 'text/html' });
const of = (attempt: Attempt, more: Partial<Parameters<typeof readAttempt>[1]> = {}) => {
	const read = readAttempt(attempt, { effect: 'payment', ...more });
	if (!('problem' in read)) return { again: 'done', ...read };
	const { message, fix, outcome, facts } = read.problem;
	return { again: read.again, message, fix, outcome, facts };
};

/** A gateway may reply with 408, 409 and 425 after passing a request on. No redirect is followed. */
it.each<[again: string, outcome: string, attempts: Attempt[]]>([
	[
		'never',
		'rejected',
		[400, 401, 402, 403, 404, 405, 410, 412, 418, 422, 451, 499].map((status) => reply(status)),
	],
	['never', 'unknown', [408, 409, 425].map((status) => reply(status))],
	['limited', 'rejected', [reply(429), html(429), reply(429, '')]],
	[
		'later',
		'unknown',
		[500, 501, 502, 503, 504, 520, 599].flatMap((status) => [reply(status), html(status)]),
	],
	['never', 'unknown', [300, 301, 303, 304, 307, 308].map((status) => reply(status))],
	['never', 'unknown', [reply(302), reply(302, '{"code":"OTHER"}'), reply(302, '')]],
	// Only as the reply of the service a page would be a result.
	[
		'never',
		'unknown',
		[html(200), html(201), html(302), reply(200, PAGE, {}), reply(200, '  <HTML>')],
	],
	['never', 'rejected', [html(400), html(401), html(403), html(404)]],
	['never', 'unknown', [reply(100), reply(600), reply(700)]],
	['later', 'not_sent', ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN'].map((code) => ({ code }))],
	[
		'never',
		'not_sent',
		[
			'CERT_HAS_EXPIRED',
			'ERR_TLS_CERT_ALTNAME_INVALID',
			'DEPTH_ZERO_SELF_SIGNED_CERT',
			'SELF_SIGNED_CERT_IN_CHAIN',
			'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
			'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
			'ERR_INVALID_URL',
			'ERR_INVALID_CHAR',
			'ERR_UNESCAPED_CHARACTERS',
			'SSRF_BLOCKED',
			'NO_CREDENTIAL',
		].map((code) => ({ code })),
	],
	// These may end a connection that has carried the request.
	[
		'later',
		'unknown',
		[
			...['ECONNRESET', 'EHOSTUNREACH', 'ENETUNREACH', 'EPIPE', 'ETIMEDOUT', 'ECONNABORTED'],
			...['ERR_CANCELED', 'ERR_BAD_RESPONSE', 'HPE_INVALID_CONSTANT', 'NO_ANSWER', 'ECONNREFUSEDX'],
		].map((code) => ({ code })),
	],
])('an attempt is repeated %s, and its outcome is %s', (again, outcome, attempts) => {
	for (const attempt of attempts)
		expect({ attempt, ...of(attempt) }).toMatchObject({ attempt, again, outcome });
});

it.each([
	['a transfer', 'payment', true],
	['a setting', 'set', true],
	['an unnamed write', 'once', true],
	['a read', 'read', false],
] as const)('302 WARNING for %s (%s) is a pending reply: %s', (_name, effect, isPending) => {
	const read = of(reply(302, '{"code":"WARNING"}'), { effect });
	expect(read).toMatchObject(isPending ? { again: 'done', isPending } : { outcome: 'unknown' });
});

describe('reply', () => {
	it.each<[body: string | Buffer, headers: Record<string, string>, json: unknown, text: string]>([
		['{"a":1}', JSON_TYPE, { a: 1 }, '{"a":1}'],
		[' [1] \n', {}, [1], '[1]'],
		['', {}, undefined, ''],
		['null', JSON_TYPE, null, 'null'],
		['plain', { 'content-type': 'Text/Plain' }, undefined, 'plain'],
		['{"half', JSON_TYPE, undefined, '{"half'],
		[
			Buffer.from([0x6d, 0xfc]),
			{ 'content-type': 'text/plain; charset=windows-1252' },
			undefined,
			'mü',
		],
		[
			Buffer.from([0x6d, 0xfc]),
			{ 'content-type': 'text/plain; charset="iso-8859-1"' },
			undefined,
			'mü',
		],
		['ü', { 'content-type': 'text/plain; charset=nonsense' }, undefined, 'ü'],
		['\ufeff{"a":1}', JSON_TYPE, { a: 1 }, '{"a":1}'],
	])('%j with %j is read', (body, headers, json, text) => {
		const own = { ...headers, 'x-trace-id': 't-1' };
		expect(of(reply(200, body, own))).toMatchObject({
			json,
			text,
			traceId: 't-1',
			isPending: false,
		});
	});

	it('a whole number beyond 2^53 keeps its digits where this Node has them', () => {
		const hasSource = JSON.parse(
			'1',
			(_name, _value, given?: { source?: string }) => given?.source,
		);
		expect(
			of(reply(200, '{"id":7615917337495251231,"n":-9007199254740993,"x":0.1}')),
		).toMatchObject({
			json:
				hasSource === undefined
					? { id: 7615917337495251231, x: 0.1 }
					: { id: '7615917337495251231', n: '-9007199254740993', x: 0.1 },
		});
	});

	it('its media type has no parameters, and its bytes are as they came', () => {
		const bytes = Buffer.from([0x25, 0xff, 0x00]);
		const read = of(reply(200, bytes, { 'content-type': 'Application/PDF; x=y' }));
		expect(read).toMatchObject({ type: 'application/pdf', bytes, json: undefined });
	});
});

describe('problem', () => {
	it('has the facts of the reply', () => {
		const body = '{"code":"VAL","message":"No\\n<funds>","transaction_hash":"0xab"}';
		expect(of(reply(412, body, { 'x-trace-id': 't-2' }))).toMatchObject({
			message: 'The service rejected the request (HTTP 412)',
			facts: { status: 412, code: 'VAL', traceId: 't-2', hash: '0xab', said: 'No ‹funds›' },
		});
	});

	it.each([
		['a text', 'no JSON', {}, 'no JSON'],
		['a message that is no text', '{"message":{"a":1}}', {}, '{"message":{"a":1}}'],
		['a page', PAGE, {}, ''],
		['a long text', 'x'.repeat(500), {}, `${'x'.repeat(199)}…`],
	])('quotes %s', (_name, body, headers, said) => {
		expect(of(reply(400, body, headers))).toMatchObject({ facts: { said } });
	});

	it('quotes little of a page with 60 MB, without reading all of it', () => {
		const replace = jest.spyOn(String.prototype, 'replace');
		of(reply(502, 'x'.repeat(60_000_000), {}));
		const longest = Math.max(...replace.mock.contexts.map((text) => String(text).length));
		replace.mockRestore();
		expect(longest).toBeLessThan(10_000);
	});

	it.each([
		[401, 2, /It needs access level 2\.$/],
		[403, 3, /It needs access level 3\.$/],
		[401, undefined, /allowlist\.$/],
		[404, 2, /the IDs\.$/],
	] as const)('%d of a request with level %s says %s', (status, level, fix) => {
		expect(of(reply(status), { level })).toMatchObject({ fix: expect.stringMatching(fix) });
	});

	it.each([
		[404, 'Card not found (HTTP 404)', 'rejected'],
		[409, 'Not waiting (HTTP 409)', 'rejected'],
		[400, 'The service rejected the request (HTTP 400)', 'rejected'],
	])('%d has the words of the operation, if it has any: %s', (status, message, outcome) => {
		const errors = [
			{ status: 404, message: 'Card not found', fix: 'Check it.' },
			{ status: 409, message: 'Not waiting', fix: 'Wait.' },
		];
		expect(of(reply(status), { errors })).toMatchObject({ message, outcome, again: 'never' });
	});
});
