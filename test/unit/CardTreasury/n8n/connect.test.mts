import type { IDataObject, IExecuteFunctions, IHttpRequestOptions } from 'n8n-workflow';

import { connect, hasHost } from '../../../../nodes/CardTreasury/n8n/connect.ts';
import {
	createRateLimiters,
	RequestGroup,
} from '../../../../nodes/CardTreasury/request/rateLimiter.ts';
import { processClock } from '../../../../nodes/shared/clock.ts';

describe('allowed domains', () => {
	it.each([
		['a.com, API.Example.com ,b.com', 'api.example.com', true],
		['*.example.com', 'api.example.com', true],
		['*.x.com', 'evilx.com', false],
		['*.example.com', 'example.com', false],
		['example.com', 'api.example.com', false],
		['', 'example.com', false],
		['*', 'example.com', false],
	])('the list %j allows %s: %s', (list, host, allowed) => {
		expect(hasHost(list, host)).toBe(allowed);
	});
});

const PROCESS = { clock: processClock, limiters: createRateLimiters(processClock) };
const READ = {
	request: { method: 'GET' as const, path: '/cards' },
	profile: { effect: 'read' as const, answer: 'object' as const },
	policy: { maxAttempts: 1, maxTotalMs: 1_000, requestsPerSecond: 15, timeoutMs: 1_000 },
};
const KEY = { baseUrl: 'https://api.example.com/v1', apiKey: 'k', environment: 'sandbox' };

function n8nWith(
	data: IDataObject,
	sent: IHttpRequestOptions[] = [],
	instanceId = 'instance-1',
	answer = '{}',
): IExecuteFunctions {
	return Object.assign(Object.create(null), {
		getInstanceId: () => instanceId,
		getCredentials: async () => ({ ...KEY, ...data }),
		helpers: {
			httpRequestWithAuthentication: async (_type: string, options: IHttpRequestOptions) => {
				sent.push(options);
				return { statusCode: 200, headers: {}, body: Buffer.from(answer) };
			},
		},
	});
}

it.each<[string, IDataObject, string]>([
	['no URL', { baseUrl: 'api.example.com' }, 'Base URL in the credential is not a URL'],
	['an empty key', { apiKey: ' ' }, 'API Key in the credential is empty'],
	[
		'a key with a Cyrillic letter',
		{ apiKey: ' ke\u0443' },
		'API Key in the credential cannot be sent: character 3 is not printable ASCII',
	],
	[
		'a host that is not allowed',
		{ allowedHttpRequestDomains: 'domains', allowedDomains: '*.other.com' },
		'Allowed Domains in the credential does not list api.example.com',
	],
	[
		'the Idempotency Window -1',
		{ idempotencyWindowHours: -1 },
		'Idempotency Window in the credential is not a number of hours above 0',
	],
	[
		'an Environment from an expression that gives another word',
		{ environment: 'Production' },
		'Environment in the credential is neither sandbox nor production',
	],
])('a credential is refused with %s', async (_name, data, message) => {
	await expect(connect(n8nWith(data), PROCESS)).rejects.toThrow(message);
});

it.each<[string, IDataObject, string | undefined]>([
	['all domains', {}, undefined],
	['a list that is switched off', { allowedDomains: 'other.com' }, undefined],
	[
		'its list',
		{ allowedHttpRequestDomains: 'domains', allowedDomains: '*.example.com' },
		'*.example.com',
	],
])('a request is sent below the base URL, with %s', async (_name, data, allowedDomains) => {
	const sent: IHttpRequestOptions[] = [];
	const { client, environment } = await connect(n8nWith(data, sent), PROCESS);
	await client.send(READ, new RequestGroup());
	expect(environment).toBe('sandbox');
	expect(sent).toEqual([
		expect.objectContaining({
			url: 'https://api.example.com/v1/cards',
			disableFollowRedirect: true,
			ignoreHttpStatusErrors: true,
		}),
	]);
	expect(sent[0]?.allowedDomains).toBe(allowedDomains);
});

it('the key is removed from an answer that repeats it', async () => {
	const n8n = n8nWith({ apiKey: ' sk-live-0123\n' }, [], 'instance-1', '{"key":"sk-live-0123"}');
	const { client } = await connect(n8n, PROCESS);
	expect(await client.send(READ, new RequestGroup())).toMatchObject({
		answer: { json: { key: '[API key]' } },
	});
});

it.each([
	[{}, undefined],
	[{ idempotencyWindowHours: 0.5 }, 1_800_000],
])('the credential %j has a window of %p ms', async (data, ms) => {
	expect((await connect(n8nWith(data), PROCESS)).windowMs).toBe(ms);
});

describe('service of a connection', () => {
	const connected = async (data: IDataObject = {}, instanceId?: string) =>
		await connect(n8nWith(data, [], instanceId), PROCESS);

	it('payments are remembered by the host of the Base URL', async () => {
		const { target } = await connected();
		expect(target).toBe('api.example.com');
		const same = [
			{ apiKey: 'other' },
			{ baseUrl: 'https://api.example.com/v2' },
			{ baseUrl: `${String(KEY.baseUrl)}/` },
			{ baseUrl: 'https://API.example.com:443/v1' },
			{ environment: 'production' },
		];
		for (const data of same) expect((await connected(data)).target).toBe(target);
		expect((await connected({}, 'instance-2')).target).toBe(target);
		expect((await connected({ baseUrl: 'https://b.example.com' })).target).not.toBe(target);
	});

	it('the credential hash never changes, depends on host and key, and hides the key', async () => {
		const { credential } = await connected();
		expect(credential).toBe('LP3vN5yjD_Hc_fvrJZaGXgU903yjxRkoha92sOzX_TQ');
		const others = [{ baseUrl: 'https://sandbox.example.com/v1' }, { apiKey: 'other' }];
		for (const data of others) expect((await connected(data)).credential).not.toBe(credential);
		// Spaces and a closing slash are not sent. The webhook key belongs to the trigger.
		const same = [
			{ apiKey: ' k ' },
			{ baseUrl: `${String(KEY.baseUrl)}/` },
			{ environment: 'production' },
			{ webhookKey: 'w' },
		];
		for (const data of same) expect((await connected(data)).credential).toBe(credential);
	});
});
