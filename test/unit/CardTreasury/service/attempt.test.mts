import { readAttempt, type Attempt } from '../../../../nodes/CardTreasury/service/attempt.ts';

const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' };
const PAGE = '<!DOCTYPE html><html>Sign in</html>';
const reply = (
	status: number,
	body: string | Buffer = '{"code":"X","message":"said"}',
	headers: Record<string, string> = JSON_TYPE,
): Attempt => ({ status, headers, body: Buffer.from(body) });
const page = (status: number) => reply(status, PAGE, { 'content-type': 'text/html' });
const LATIN = Buffer.from([0x6d, 0xfc]);
const of = (attempt: Attempt, more: Partial<Parameters<typeof readAttempt>[1]> = {}) => {
	const read = readAttempt(attempt, { effect: 'payment', ...more });
	if (!('problem' in read)) return { again: 'done', ...read };
	const { message, fix, outcome, facts } = read.problem;
	return { again: read.again, message, fix, outcome, facts };
};

/** E.g. `400 404page ECONNRESET`: a reply of the service, a web page, no reply. */
const attempts = (text: string) =>
	text.split(' ').map((word): Attempt => {
		const [status = 0] = (/^\d+/.exec(word) ?? []).map(Number);
		return status === 0 ? { code: word } : word.endsWith('page') ? page(status) : reply(status);
	});

it.each([
	['400 401 402 403 404 405 410 412 418 422 451 499', 'never', 'rejected'],
	// A gateway may reply so after passing a request on.
	['408 409 425', 'never', 'unknown'],
	['429 429page', 'limited', 'rejected'],
	['500 501 502 503 504 520 599 500page 503page', 'later', 'unknown'],
	// No redirect is followed.
	['300 301 302 303 304 307 308', 'never', 'unknown'],
	// Only as the reply of the service a page would be a result.
	['200page 201page 302page 409page', 'never', 'unknown'],
	['400page 401page 403page 404page 412page', 'never', 'rejected'],
	['100 600 700', 'never', 'unknown'],
	['ECONNREFUSED ENOTFOUND EAI_AGAIN', 'later', 'not_sent'],
	['CERT_HAS_EXPIRED ERR_TLS_CERT_ALTNAME_INVALID', 'never', 'not_sent'],
	['DEPTH_ZERO_SELF_SIGNED_CERT SELF_SIGNED_CERT_IN_CHAIN', 'never', 'not_sent'],
	['UNABLE_TO_GET_ISSUER_CERT_LOCALLY UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'never', 'not_sent'],
	['ERR_INVALID_URL ERR_UNESCAPED_CHARACTERS SSRF_BLOCKED NO_CREDENTIAL', 'never', 'not_sent'],
	// These may end a connection that has carried the request.
	['ECONNRESET EHOSTUNREACH ENETUNREACH EPIPE ETIMEDOUT ECONNABORTED', 'later', 'unknown'],
	['ERR_CANCELED ERR_BAD_RESPONSE HPE_INVALID_CONSTANT NO_ANSWER', 'later', 'unknown'],
])('after %s the attempt is repeated %s, and its outcome is %s', (text, again, outcome) => {
	for (const attempt of attempts(text))
		expect({ attempt, ...of(attempt) }).toMatchObject({ attempt, again, outcome });
});

it('each success of HTTP is one', () => {
	for (const status of [200, 201, 202, 204, 299]) expect(of(reply(status)).again).toBe('done');
});

it.each([
	...['  <HTML>', '<?xml version="1.0"?><html>', '<!-- a --><p>', '<'].map(
		(body): [number, string, string] => [200, body, 'application/json'],
	),
	[302, '', 'text/plain'],
	[500, '{"code":"WARNING"}', 'application/json'],
])('%d with the body %j of type "%s" is no result', (status, body, type) => {
	expect(of(reply(status, body, { 'content-type': type }))).toMatchObject({ outcome: 'unknown' });
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
	it.each<[body: string | Buffer, type: string, json: unknown, text: string]>([
		['{"a":1}', 'application/json', { a: 1 }, '{"a":1}'],
		[' [1] \n', '', [1], '[1]'],
		['', '', undefined, ''],
		['null', 'application/json', null, 'null'],
		// JSON in a text that begins so, and a text that is none, are no pages.
		['"<p>"', 'text/html', '<p>', '"<p>"'],
		['OK', 'text/html', undefined, 'OK'],
		['plain', 'Text/Plain', undefined, 'plain'],
		['{"half', 'application/json', undefined, '{"half'],
		['\ufeff{"a":1}', 'application/json', { a: 1 }, '{"a":1}'],
		[LATIN, 'text/plain; charset=windows-1252', undefined, 'mü'],
		[LATIN, 'text/plain; charset="iso-8859-1"', undefined, 'mü'],
		['ü', 'text/plain; charset=nonsense', undefined, 'ü'],
	])('%j of type "%s" is read', (body, type, json, text) => {
		const read = of(reply(200, body, { 'content-type': type, 'x-trace-id': 't-1' }));
		expect(read).toMatchObject({ json, text, traceId: 't-1', isPending: false });
	});

	it('a whole number beyond 2^53 keeps its digits where this Node has them', () => {
		const sourceOf = (_name: string, _value: unknown, given?: object) => given !== undefined;
		const hasSource = JSON.parse('1', sourceOf) as boolean;
		expect(of(reply(200, '{"id":7615917337495251231,"x":0.1}'))).toMatchObject({
			json: { id: hasSource ? '7615917337495251231' : 7615917337495251231, x: 0.1 },
		});
	});

	it('its media type has no parameters, and its bytes are as they came', () => {
		const bytes = Buffer.from([0x25, 0xff, 0x00]);
		const read = of(reply(200, bytes, { 'content-type': 'Application/PDF; x=y' }));
		expect(read).toMatchObject({ type: 'application/pdf', bytes, json: undefined });
	});
});

const STATUSES = [200, 302, 400, 401, 403, 404, 408, 409, 412, 429, 500, 503];
it.each(STATUSES)('%d with a web page says that one replied, and where to look', (status) => {
	const errors = [{ status, message: 'Card not found', fix: 'Check it.' }];
	expect(of(reply(status, PAGE), { errors, level: 2 })).toMatchObject({
		message: `A web page replied, not the service (HTTP ${status})`,
		fix: 'Check the credential: its Base URL, and that this n8n may reach it.',
		facts: { said: '' },
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
		['a long text', 'x'.repeat(500), {}, `${'x'.repeat(199)}…`],
	])('quotes %s', (_name, body, headers, said) => {
		expect(of(reply(400, body, headers))).toMatchObject({ facts: { said } });
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
		['404', 'Card not found (HTTP 404)', 'rejected'],
		['409', 'Not waiting (HTTP 409)', 'rejected'],
		['400', 'The service rejected the request (HTTP 400)', 'rejected'],
	])('%s has the words of the operation, if it has any: %s', (text, message, outcome) => {
		const errors = [
			{ status: 404, message: 'Card not found', fix: 'Check it.' },
			{ status: 409, code: 'X', message: 'Not waiting', fix: 'Wait.' },
		];
		expect(of(attempts(text)[0]!, { errors })).toMatchObject({ message, outcome, again: 'never' });
	});
});
