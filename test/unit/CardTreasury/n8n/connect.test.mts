import type { IDataObject, IExecuteFunctions, IHttpRequestOptions } from 'n8n-workflow';

import { connect, hasHost } from '../../../../nodes/CardTreasury/n8n/connect.ts';
import { processClock } from '../../../../nodes/CardTreasury/request/clock.ts';
import {
	createRateLimiters,
	RequestGroup,
} from '../../../../nodes/CardTreasury/request/rateLimiter.ts';

describe('the allowed domains', () => {
	it.each([
		['api.example.com', 'api.example.com', true],
		['a.com, API.Example.com ,b.com', 'api.example.com', true],
		['*.example.com', 'api.example.com', true],
		['*.example.com', 'eu.api.example.com', true],
		['*.x.com', 'evilx.com', false],
		['*.example.com', 'example.com', false],
		['*.example.com', 'example.com.evil.org', false],
		['example.com', 'api.example.com', false],
		['api.example.com', 'example.com', false],
		['', 'example.com', false],
		[' , ', 'example.com', false],
		['*', 'example.com', false],
	])('%j for %s: %s', (list, host, allowed) => {
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
		'a key with a line break inside',
		{ apiKey: 'a\nb' },
		'API Key in the credential contains a space, a line break or a character that cannot be sent',
	],
	[
		'a host that is not allowed',
		{ allowedHttpRequestDomains: 'domains', allowedDomains: '*.other.com' },
		'Allowed Domains in the credential does not list api.example.com',
	],
	[
		'an empty list of hosts',
		{ allowedHttpRequestDomains: 'domains' },
		'Allowed Domains in the credential does not list api.example.com',
	],
	...[0, -1, '0', 'a day', '', NaN].map((hours): [string, IDataObject, string] => [
		`the Idempotency Window ${JSON.stringify(hours)}`,
		{ idempotencyWindowHours: hours },
		'Idempotency Window in the credential is not a number of hours above 0',
	]),
])('refuses a credential with %s', async (_name, data, message) => {
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
])('sends below the base URL, with %s', async (_name, data, allowedDomains) => {
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

it('takes the key out of an answer that repeats it, as it was sent', async () => {
	const n8n = n8nWith({ apiKey: ' sk-live-0123\n' }, [], 'instance-1', '{"key":"sk-live-0123"}');
	const { client } = await connect(n8n, PROCESS);
	expect(await client.send(READ, new RequestGroup())).toMatchObject({
		answer: { json: { key: '[API key]' } },
	});
});

describe('the Idempotency Window', () => {
	it.each([
		[{}, 24],
		[{ idempotencyWindowHours: 0.5 }, 0.5],
		[{ idempotencyWindowHours: '48' }, 48],
	])('of %j is %d hours', async (data, hours) => {
		const { windowMs } = await connect(n8nWith(data), PROCESS);
		expect(windowMs).toBe(hours * 3_600_000);
	});
});

it('is told from connections to another service, environment or key, and from those of another n8n', async () => {
	const targetOf = async (data: IDataObject = {}, instanceId?: string) =>
		(await connect(n8nWith(data, [], instanceId), PROCESS)).target;
	const own = await targetOf();
	expect(own).toMatch(/^[0-9a-f]{32}$/);
	const others = await Promise.all([
		targetOf({ baseUrl: 'https://sandbox.example.com/v1' }),
		targetOf({ baseUrl: 'https://api.example.com/v2' }),
		targetOf({ environment: 'production' }),
		targetOf({ apiKey: 'other' }),
		targetOf({}, 'instance-2'),
	]);
	expect(new Set([own, ...others]).size).toBe(6);
	// What changes nothing in what is sent, or only whom it is accepted from.
	const same = [{ apiKey: ' k ' }, { baseUrl: `${KEY.baseUrl}/` }, { webhookKey: 'w' }];
	for (const data of same) expect(await targetOf(data)).toBe(own);
});

it('shares the request limit with every connection to the same host, whatever the path or key', async () => {
	const hosts: string[] = [];
	const limiters = (host: string) => {
		hosts.push(host);
		return PROCESS.limiters(host);
	};
	for (const data of [
		{},
		{ baseUrl: 'https://api.example.com/v2/' },
		{ baseUrl: 'https://API.example.com', apiKey: 'other', environment: 'production' },
		{ baseUrl: 'https://api.example.com:8443/v1' },
	])
		await connect(n8nWith(data), { ...PROCESS, limiters });
	expect(hosts).toEqual([...Array<string>(3).fill('api.example.com'), 'api.example.com:8443']);
});

it('sends every request with the credential as it was read first', async () => {
	const data: IDataObject = { ...KEY };
	const used: unknown[] = [];
	const n8n = Object.assign(Object.create(null), {
		getInstanceId: () => 'instance-1',
		getCredentials: async () => ({ ...data }),
		helpers: {
			httpRequestWithAuthentication: async (
				_type: string,
				{ url }: IHttpRequestOptions,
				options?: { credentialsDecrypted?: { data?: IDataObject } },
			) => {
				used.push([url, options?.credentialsDecrypted?.data?.apiKey]);
				Object.assign(data, { apiKey: 'production', baseUrl: 'https://production.example.com' });
				return { statusCode: 200, headers: {}, body: Buffer.from('{}') };
			},
		},
	}) as IExecuteFunctions;
	const { client } = await connect(n8n, PROCESS);
	for (let request = 0; request < 2; request++) await client.send(READ, new RequestGroup());
	expect(used).toEqual(Array(2).fill(['https://api.example.com/v1/cards', 'k']));
});
