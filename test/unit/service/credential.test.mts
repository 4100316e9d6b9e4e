import {
	acceptedWebhookKeys,
	checkBaseUrl,
	readCredential,
} from '../../../nodes/service/credential.ts';

it.each([
	['https://api.example.com', 'https://api.example.com'],
	['https://api.example.com/', 'https://api.example.com'],
	[' https://api.example.com/v1// ', 'https://api.example.com/v1'],
	['http://127.0.0.1:4010/', 'http://127.0.0.1:4010'],
	['http://127.10.20.130', 'http://127.10.20.130'],
	['http://localhost:4010', 'http://localhost:4010'],
	['http://[::1]:4010', 'http://[::1]:4010'],
])('the base URL %j is used as %s', (given, url) => {
	expect(checkBaseUrl(given)).toEqual({ ok: true, url });
});

it.each([
	['', /is empty/],
	[' ', /is empty/],
	['api.example.com', /not a URL/],
	['http://api.example.com', /https/],
	['http://127.0.0.1.example.com', /https/],
	['http://localhost.example.com', /https/],
	['ftp://127.0.0.1', /https/],
	['file:///etc/hosts', /https/],
	['https://user@api.example.com', /user name or password/],
	['https://:secret@api.example.com', /user name or password/],
	['https://user:secret@api.example.com', /user name or password/],
	['https://api.example.com/?key=1', /remove everything from/],
	['https://api.example.com/#a', /remove everything from/],
])('the base URL %j is refused', (given, reason) => {
	expect(checkBaseUrl(given)).toEqual({ ok: false, reason: expect.stringMatching(reason) });
	expect(JSON.stringify(checkBaseUrl(given))).not.toContain('secret');
});

it('an unset webhook key is no key, and opens nothing to the previous one', () => {
	expect(acceptedWebhookKeys(readCredential({}))).toEqual([]);
	for (const webhookKey of ['', ' '])
		expect(acceptedWebhookKeys(readCredential({ webhookKey, previousWebhookKey: 'old' }))).toEqual(
			[],
		);
	expect(
		acceptedWebhookKeys(readCredential({ webhookKey: 'new', previousWebhookKey: 'old' })),
	).toEqual(['new', 'old']);
});

it.each([
	['production', 'production'],
	['sandbox', 'sandbox'],
	['Production', 'sandbox'],
	[undefined, 'sandbox'],
])('the environment %p is read as %s', (environment, expected) => {
	expect(readCredential({ environment }).environment).toBe(expected);
});

it('what is not a string is read as not set', () => {
	expect(readCredential({ apiKey: 5, webhookKey: null, baseUrl: 'https://a' })).toEqual({
		environment: 'sandbox',
		baseUrl: 'https://a',
		apiKey: '',
		webhookKey: '',
		previousWebhookKey: '',
		idempotencyWindowHours: 24,
	});
});

it.each([
	[undefined, 24],
	[null, 24],
	[0.5, 0.5],
	['48', 48],
	['a day', 'invalid'],
	['', 'invalid'],
	[0, 'invalid'],
	[-1, 'invalid'],
])('the Idempotency Window %j is read as %p hours', (idempotencyWindowHours, hours) => {
	expect(readCredential({ idempotencyWindowHours }).idempotencyWindowHours).toBe(hours);
});
