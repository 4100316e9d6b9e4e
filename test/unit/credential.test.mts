import fc from 'fast-check';

import { CardTreasuryApi } from '../../credentials/CardTreasuryApi.credentials.ts';
import {
	acceptedWebhookKeys,
	apiKeyOf,
	baseUrlOf,
	CREDENTIAL_TYPE,
	readCredential,
} from '../../nodes/shared/credential.ts';
import { orProblem, Problem } from '../../nodes/shared/problem.ts';
import { evaluate } from './reading.mts';

const { authenticate, name, properties, restrictToSupportedNodes, test } = new CardTreasuryApi();
const [baseUrl, EMPTY] = ['https://api.example.com', ''];
const VALID = { baseUrl, apiKey: 'k', webhookKey: EMPTY, previousWebhookKey: EMPTY };

const evaluated = (expression: unknown, credential: object) =>
	evaluate(expression, { $credentials: { ...VALID, ...credential } });

/** The node's base URL, the one of the credential test, and what that test says of them. */
function urlsOf(credential: object): unknown[] {
	const read = readCredential({ ...VALID, ...credential });
	const url = orProblem(() => baseUrlOf(read));
	const { baseURL, allowedDomains } = test.request;
	const used = url instanceof Problem ? url.message : url;
	return [used, ...[baseURL, allowedDomains].map((each) => evaluated(each, credential))];
}

it.each([
	...'https://api.example.com| https://api.example.com/v1// |https://[2001:db8::1]:8443'.split('|'),
	...'http://127.0.0.1:4010/|http://[::1]:4010|HTTP://LOCALHOST|HTTPS://API.EXAMPLE.COM'.split('|'),
])('the base URL %j is used by the node and by the credential test', (baseUrl) => {
	const url = baseUrl.trim().replace(/\/+$/, '');
	expect(urlsOf({ baseUrl })).toEqual([url, url, '']);
});

it.each([
	...['', 'api.example.com', 'ftp://127.0.0.1', 'https://', 'http://127.0.0.1.example.com'],
	'http://localhost.example.com',
	...['http://api.example.com', 'https://a b.example.com', 'https://user:secret@api.example.com'],
	...['https://api.example.com/?key=1', 'https://api.example.com/#a'],
])('the base URL %j is refused, and the credential test sends the key nowhere', (baseUrl) => {
	expect(urlsOf({ baseUrl })).toEqual([
		`Base URL in the credential ${baseUrl === '' ? 'is empty' : 'is not a usable address'}`,
		expect.stringMatching(/\.invalid$/),
		expect.stringContaining('a Base URL such as https://api.example.com'),
	]);
});

it('a key is refused by the credential test and by the node if a header cannot carry it', () => {
	const character = fc.constantFrom(...'a ~\t\n\u00a0\u200b\u007fü–');
	fc.assert(
		fc.property(fc.string({ unit: character, maxLength: 6 }), (apiKey) => {
			const isPrintable = /^[ -~]*$/.test(apiKey.trim());
			const url = isPrintable ? VALID.baseUrl : expect.stringMatching(/\.invalid$/);
			const says = isPrintable ? '' : expect.stringContaining('printable ASCII');
			for (const field of ['apiKey', 'webhookKey', 'previousWebhookKey'])
				expect(urlsOf({ [field]: apiKey }).slice(1)).toEqual([url, says]);
			const used = orProblem(() => apiKeyOf(readCredential({ apiKey })));
			if (isPrintable && apiKey.trim() !== '') expect(used).toBe(apiKey.trim());
			else expect(used).toBeInstanceOf(Problem);
		}),
	);
});

it('the credential has four texts, of which the keys are secret', () => {
	const isSecret = properties.map((each) => [each.name, each.typeOptions?.password ?? false]);
	const keys = ['apiKey', 'webhookKey', 'previousWebhookKey'].map((key) => [key, true]);
	expect(isSecret).toEqual([['baseUrl', false], ...keys]);
	expect([name, CREDENTIAL_TYPE]).toEqual(['cardTreasuryApi', 'cardTreasuryApi']);
	expect(restrictToSupportedNodes).toBe(true);
	const read = { baseUrl: 'https://a', apiKey: '', webhookKey: '', previousWebhookKey: '' };
	expect(readCredential({ baseUrl: ' https://a ', apiKey: 5, webhookKey: null })).toEqual(read);
});

it('the API key is sent trimmed, and follows no redirect of the credential test to another host', () => {
	const headers = authenticate.properties.headers!;
	expect(Object.keys(headers)).toEqual(['x-api-key']);
	expect(evaluated(headers['x-api-key'], { apiKey: '\tk 1\r\n' })).toBe('k 1');
	expect(test.request).toMatchObject({ url: '/mpc/tokens/list', disableFollowRedirect: true });
});

it.each([
	['', 'old', []],
	[' ', 'old', []],
	['new', 'old', ['new', 'old']],
	['new', ' ', ['new']],
])('with the webhook keys %j and %j, %j are accepted', (webhookKey, previousWebhookKey, keys) => {
	expect(acceptedWebhookKeys(readCredential({ webhookKey, previousWebhookKey }))).toEqual(keys);
	expect(acceptedWebhookKeys(readCredential({}))).toEqual([]);
});
