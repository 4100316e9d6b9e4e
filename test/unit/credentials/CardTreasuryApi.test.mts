import { runInNewContext } from 'node:vm';
import { NodeHelpers, type INodeParameters } from 'n8n-workflow';

import { CardTreasuryApi } from '../../../credentials/CardTreasuryApi.credentials.ts';
import { readCredential } from '../../../nodes/shared/credential.ts';
import { readBaseUrl } from '../../../nodes/shared/fields/text.ts';

const { authenticate, properties, test } = new CardTreasuryApi();

/** Evaluates an expression of the test request as n8n does. */
const evaluate = (expression: unknown, baseUrl: string, keys: object = {}): unknown => {
	const script = /^=\{\{([\s\S]*)\}\}$/.exec(String(expression))![1]!;
	const noKeys = { apiKey: '', webhookKey: '', previousWebhookKey: '' };
	return runInNewContext(script, { $credentials: { baseUrl, ...noKeys, ...keys } });
};

describe('credential test', () => {
	it.each([
		'https://api.example.com',
		' https://api.example.com/v1// ',
		'https://[2001:db8::1]/v1',
		'http://127.0.0.1:4010/',
		'http://localhost:4010',
		'HTTPS://API.EXAMPLE.COM/V1',
	])('the test requests the base URL %j', (baseUrl) => {
		expect(() => readBaseUrl(baseUrl)).not.toThrow();
		expect(evaluate(test.request.baseURL, baseUrl)).toBe(baseUrl.trim().replace(/\/+$/, ''));
		expect(evaluate(test.request.allowedDomains, baseUrl)).toBe('');
	});

	it.each([
		'',
		'api.example.com',
		'http://api.example.com',
		'http://127.0.0.1.example.com',
		'https://',
		'https://my host.example.com',
		'https://user:secret@api.example.com',
		'https://api.example.com/?key=1',
		'https://api.example.com/#a',
	])(
		'the test requests no real host for the base URL %j, and shows the correct form',
		(baseUrl) => {
			expect(() => readBaseUrl(baseUrl)).toThrow('Base URL');
			expect(evaluate(test.request.baseURL, baseUrl)).toMatch(/\.invalid$/);
			expect(evaluate(test.request.allowedDomains, baseUrl)).toContain(
				'a Base URL such as https://',
			);
		},
	);

	it.each([
		[{ webhookKey: 'key-1', previousWebhookKey: ' k 2 ~!' }, true],
		[{ webhookKey: '\ufeffkey-1\r\n' }, true],
		[{ webhookKey: 'schlüssel' }, false],
		[{ webhookKey: 'key\u200b-1' }, false],
		[{ previousWebhookKey: ' k\tk' }, false],
		[{ apiKey: 'k–1' }, false],
	])('the test requests the base URL with the keys %j: %s', (keys, expected) => {
		const url = 'https://api.example.com';
		const requested = evaluate(test.request.baseURL, url, keys);
		const allowed = evaluate(test.request.allowedDomains, url, keys);
		expect([requested === url, allowed === '']).toEqual([expected, expected]);
		if (expected) return;
		expect(requested).toMatch(/\.invalid$/);
		expect(allowed).toContain('printable ASCII');
	});

	it.each([
		[401, 'The API key was rejected (HTTP 401). Check the API Key in the credential'],
		[404, 'The reply did not come from the service (HTTP 404). Check the Base URL.'],
		[302, 'The service replied with a redirect, which is not followed (HTTP 302).'],
	])('the test explains HTTP %s as the node does', (status, message) => {
		const rules: object[] = test.rules!;
		expect(rules).toContainEqual({
			type: 'responseCode',
			properties: { value: status, message: expect.stringContaining(message) },
		});
	});
});

it('the credential test follows no redirect, which would send the key to another host', () => {
	expect(test.request.disableFollowRedirect).toBe(true);
});

it('every key is a secret field, and no other field is', () => {
	const secrets = properties.filter(({ typeOptions }) => typeOptions?.password === true);
	const keys = properties.filter(({ name }) => /key$/i.test(name));
	expect(keys).toHaveLength(3);
	expect(secrets).toEqual(keys);
});

it.each(['key-1', '\tkey-1\r\n'])('the API key %j is sent trimmed', (apiKey) => {
	const { headers } = authenticate.properties;
	const script = /^=\{\{([\s\S]*)\}\}$/.exec(String(headers!['x-api-key']))![1]!;
	expect(runInNewContext(script, { $credentials: { apiKey } })).toBe('key-1');
	expect(Object.keys(headers!)).toEqual(['x-api-key']);
});

describe('notice in the credential form', () => {
	const shows = (name: string, data: INodeParameters) =>
		NodeHelpers.displayParameter(data, properties.find((each) => each.name === name)!, null, null);

	it.each([
		['', false],
		['https://api.example.com', false],
		['http://127.0.0.1:4010', false],
		['={{ $secrets.vault.baseUrl }}', false],
		['http://api.example.com', true],
		['api.example.com', true],
	])('for the base URL %j is shown: %s', (baseUrl, expected) => {
		expect(shows('baseUrlNotice', { baseUrl })).toBe(expected);
	});

	it.each([
		['', true],
		['__n8n_EMPTY_VALUE_7b1af746-3729-4c60-9b9b-e08eb29e58da', true],
		['secret', false],
	])('for the webhook key %j is shown: %s', (webhookKey, expected) => {
		expect(shows('webhookKeyNotice', { webhookKey })).toBe(expected);
	});
});

it('the Idempotency Window is the last field, and empty: not known', () => {
	expect(properties.at(-1)).toMatchObject({
		displayName: 'Idempotency Window (Hours)',
		name: 'idempotencyWindowHours',
		type: 'number',
		default: '',
	});
	expect(readCredential({ idempotencyWindowHours: '' }).idempotencyWindowHours).toBeUndefined();
});
