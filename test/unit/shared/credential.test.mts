import { acceptedWebhookKeys, readCredential } from '../../../nodes/shared/credential.ts';

it('no webhook key is accepted without a current one, not even the previous one', () => {
	expect(acceptedWebhookKeys(readCredential({}))).toEqual([]);
	for (const webhookKey of ['', ' '])
		expect(acceptedWebhookKeys(readCredential({ webhookKey, previousWebhookKey: 'old' }))).toEqual(
			[],
		);
	expect(
		acceptedWebhookKeys(readCredential({ webhookKey: 'new', previousWebhookKey: 'old' })),
	).toEqual(['new', 'old']);
	expect(
		acceptedWebhookKeys(readCredential({ webhookKey: 'new', previousWebhookKey: ' ' })),
	).toEqual(['new']);
});

it.each([
	['production', 'production'],
	['sandbox', 'sandbox'],
	['Production', 'invalid'],
	['prod', 'invalid'],
	['', 'invalid'],
	[undefined, 'invalid'],
])('the environment %p is read as %s', (environment, expected) => {
	expect(readCredential({ environment }).environment).toBe(expected);
});

it('a value that is not a string is read as not set', () => {
	expect(readCredential({ apiKey: 5, webhookKey: null, baseUrl: 'https://a' })).toEqual({
		environment: 'invalid',
		baseUrl: 'https://a',
		apiKey: '',
		webhookKey: '',
		previousWebhookKey: '',
	});
});

it.each([
	[undefined, undefined],
	[null, undefined],
	[0.5, 0.5],
	['48', 48],
	['a day', 'invalid'],
	['', undefined],
	[0, undefined],
	[-1, 'invalid'],
])('the Idempotency Window %j is read as %p hours', (idempotencyWindowHours, hours) => {
	expect(readCredential({ idempotencyWindowHours }).idempotencyWindowHours).toBe(hours);
});
