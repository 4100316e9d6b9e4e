import type { IDataObject, IExecuteFunctions, IHttpRequestOptions } from 'n8n-workflow';

import { connect } from '../../../../nodes/CardTreasury/service/connect.ts';

const KEY = 'K/2026+b';

/** Connects with a credential, and reads a reply. */
async function replied(credential: IDataObject, body: Buffer = Buffer.from('{}'), type = '') {
	const n8n = {
		getCredentials: async () => ({ baseUrl: 'https://a.example.com', apiKey: KEY, ...credential }),
		helpers: {
			httpRequestWithAuthentication: async (_: string, { url }: IHttpRequestOptions) => ({
				...{ statusCode: 200, body },
				headers: {
					'content-type': type,
					'x-trace-id': `t ${String(credential.apiKey ?? KEY)} ${url}`,
				},
			}),
		},
	} as unknown as IExecuteFunctions;
	const { host, send } = await connect(n8n, new Map());
	const sending = { effect: 'read', isStopped: () => false } as const;
	return { host, ...(await send({ method: 'GET', path: '/x' }, sending)) };
}

it.each([
	['a.example.com:8443', 'a.example.com', true],
	['a.example.com', 'b.example.com, A.example.com ', true],
	['a.example.com', '*.example.com', true],
	['a.b.example.com', '*.example.com', true],
	['evilexample.com', '*.example.com', false],
	['example.com', '*.example.com', false],
	['a.example.com', 'example.com', false],
	['a.example.com', '', false],
])('the host %s with the Allowed Domains %j is used: %s', async (host, allowedDomains, isUsed) => {
	const credential = { baseUrl: `https://${host}`, allowedHttpRequestDomains: 'domains' };
	const used = await replied({ ...credential, allowedDomains }).catch((thrown: unknown) => thrown);
	const message = `Allowed Domains in the credential does not list ${host}`;
	expect(used).toMatchObject(isUsed ? { json: {}, host } : { message });
});

const inJson = (text: string) => JSON.stringify({ said: text });
const ESCAPED = KEY.replace(/./g, (each) => `\\u00${each.charCodeAt(0).toString(16)}`);
const LARGE = ESCAPED.toUpperCase().replaceAll('U', 'u');

it.each<[how: string, body: string, type?: string]>([
	['as it is', inJson(`a${KEY}b`)],
	['with a slash that PHP escapes', inJson(`a${KEY}b`).replace('/', '\\/')],
	['in escapes', `{"said":"a${ESCAPED}b"}`],
	['in large escapes', `{"said":"a${LARGE}b"}`],
	['in UTF-16', inJson(`a${KEY}b`), 'a/b; charset=utf-16le'],
	[
		'in escapes and UTF-16, the high byte first',
		`{"said":"a${ESCAPED}b"}`,
		'a/b; charset=utf-16be',
	],
])('the API key is taken out of a reply that echoes it %s', async (...[, body, type = '']) => {
	const given = Buffer.from(body, type ? 'utf16le' : 'utf8');
	if (type.endsWith('be')) given.swap16();
	const { json, text, bytes, traceId } = await replied({}, given, type);
	expect(json).toEqual({ said: 'a[API key]b' });
	for (const each of [text, bytes.toString('latin1'), traceId]) expect(each).not.toContain('2026');
	expect(traceId).toContain('t [API key] https');
});

it.each([
	[KEY, KEY.toLowerCase()],
	// Too short to be a key.
	['test', 'latest-1'],
])('with the API key %j the text %j stays', async (apiKey, said) => {
	const { json } = await replied({ apiKey }, Buffer.from(inJson(said)));
	expect(json).toEqual({ said });
});
