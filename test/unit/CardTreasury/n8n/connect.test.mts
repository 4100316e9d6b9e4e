import type { IDataObject, IExecuteFunctions, IHttpRequestOptions } from 'n8n-workflow';

import { RequestGroup } from '../../../../nodes/CardTreasury/client/requestGroup.ts';
import { connect, createLimiters, isAllowed } from '../../../../nodes/CardTreasury/n8n/connect.ts';

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
		expect(isAllowed(list, host)).toBe(allowed);
	});
});

const KEY = { baseUrl: 'https://api.example.com/v1', apiKey: 'k', environment: 'sandbox' };

function n8nWith(data: IDataObject, sent: IHttpRequestOptions[] = []): IExecuteFunctions {
	return Object.assign(Object.create(null), {
		getCredentials: async () => ({ ...KEY, ...data }),
		helpers: {
			httpRequestWithAuthentication: async (_type: string, options: IHttpRequestOptions) => {
				sent.push(options);
				return { statusCode: 200, headers: {}, body: Buffer.from('{}') };
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
])('refuses a credential with %s', async (_name, data, message) => {
	await expect(connect(n8nWith(data), createLimiters())).rejects.toThrow(message);
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
	const { client, environment } = await connect(n8nWith(data, sent), createLimiters());
	await client.send(
		{
			request: { method: 'GET', path: '/cards' },
			profile: { effect: 'read', answer: 'object' },
			policy: { maxAttempts: 1, maxTotalMs: 1_000, requestsPerSecond: 15, timeoutMs: 1_000 },
		},
		new RequestGroup(),
	);
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
