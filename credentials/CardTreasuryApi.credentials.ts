import type {
	IAuthenticateGeneric,
	Icon,
	ICredentialTestRequest,
	ICredentialType,
	INodeProperties,
} from 'n8n-workflow';

import { DEFAULT_WINDOW_HOURS } from '../nodes/shared/credential';
import { statusInWords } from '../nodes/shared/statuses';

/**
 * A base URL that the nodes accept, as far as a pattern can tell. n8n's test says of another one only what Node's code
 * for it is, ENOTFOUND or ERR_INVALID_URL.
 */
const BASE_URL =
	'/^(https:\\/\\/([^\\s\\/?#@:\\[\\]]+|\\[[0-9a-f:.]+\\])|http:\\/\\/(localhost|127(\\.[0-9]{1,3}){3}|\\[::1\\]))(:[0-9]{1,5})?(\\/[^\\s?#]*)?$/i.test($credentials.baseUrl.trim())';

/** Never exists (RFC 2606), so that a key goes nowhere. */
const NOWHERE = 'https://the-base-url-is-not-valid.invalid';

/** The status codes that n8n's test would show without a word. */
const EXPLAINED = [301, 302, 303, 307, 308, 401, 403, 404, 408, 500, 502, 503, 504];

/** How an answer can begin that is not the list of tokens: empty, or with any character but that of a list or a web page. */
const NOT_A_LIST = [
	undefined,
	...Array.from({ length: 127 }, (_, code) => String.fromCharCode(code)).filter(
		(character) => !'[<'.includes(character),
	),
];

/** How a base URL, or an expression that gives one, begins. */
const BEGINNINGS = ['https://', 'http://localhost', 'http://127.', 'http://[::1]', '='];

const beginsWith = (text: string) => ({ _cnd: { startsWith: text } });

/** What the editor gets in place of a secret that was saved empty (n8n 2.41). */
const SAVED_EMPTY = '__n8n_EMPTY_VALUE_';

/** API key and webhook key of one company at the service (§5 of the interface document). */
export class CardTreasuryApi implements ICredentialType {
	name = 'cardTreasuryApi';

	displayName = 'Card Treasury API';

	icon: Icon = {
		light: 'file:../nodes/icons/cardTreasury.svg',
		dark: 'file:../nodes/icons/cardTreasury.dark.svg',
	};

	documentationUrl = 'https://github.com/OWNER/n8n-nodes-card-treasury#credentials';

	// With an HTTP Request node or tool the key would pay anybody any amount, past every guard.
	restrictToSupportedNodes = true as const;

	properties: INodeProperties[] = [
		{
			displayName: 'Environment',
			name: 'environment',
			type: 'options',
			options: [
				{ name: 'Sandbox', value: 'sandbox' },
				{ name: 'Production', value: 'production' },
			],
			default: 'sandbox',
			description:
				'A label that guards can check. The Base URL decides where requests go. Build and test against the sandbox first.',
		},
		{
			displayName:
				'This key moves real money. Give it the lowest access level that the workflow needs, and restrict it to the IP addresses of this n8n.',
			name: 'productionNotice',
			type: 'notice',
			default: '',
			displayOptions: { show: { environment: ['production'] } },
		},
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. https://sandbox.example.com',
			description:
				'Address of the service for this environment, as the provider gave it to you. Must start with https:// (http:// is accepted for this machine only, e.g. for the simulator).',
		},
		{
			displayName:
				'The Base URL must start with https:// (http:// only for this machine, e.g. http://127.0.0.1:4010).',
			name: 'baseUrlNotice',
			type: 'notice',
			default: '',
			displayOptions: { hide: { baseUrl: ['', ...BEGINNINGS.map(beginsWith)] } },
		},
		{
			displayName: 'API Key',
			name: 'apiKey',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			description:
				'Issued from the company portal. Level 1 reads tokens, individual cards, statements and product requests, and can change the amount of ramp transfers; level 2 also transfers, freezes and unfreezes cards and configures 3DS; level 3 also submits documents. Which level other operations need is not documented.',
		},
		{
			displayName: 'Webhook Key',
			name: 'webhookKey',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			description:
				'The shared secret that the service sends in X-Webhook-Key. While it is empty, the trigger rejects every event.',
		},
		{
			displayName:
				'Without a Webhook Key, the trigger rejects every event. The connection test does not check it.',
			name: 'webhookKeyNotice',
			type: 'notice',
			default: '',
			displayOptions: { show: { webhookKey: ['', beginsWith(SAVED_EMPTY)] } },
		},
		{
			displayName: 'Previous Webhook Key',
			name: 'previousWebhookKey',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			description:
				'Accepted alongside the current key while you rotate the secret. Clear it when the rotation is done.',
		},
		{
			displayName: 'Idempotency Window (Hours)',
			name: 'idempotencyWindowHours',
			type: 'number',
			typeOptions: { minValue: 0.1 },
			default: DEFAULT_WINDOW_HOURS,
			description:
				'For how many hours the service remembers an idempotency key. The interface document does not show it: enter what the provider says. A write of unknown outcome is not sent again later than that.',
		},
	];

	// A line break that came along when the key was copied cannot stand in a header.
	authenticate: IAuthenticateGeneric = {
		type: 'generic',
		properties: { headers: { 'x-api-key': '={{$credentials.apiKey.trim()}}' } },
	};

	// An empty webhook key and a host without an answer are n8n's to word: it allows no check here.
	test: ICredentialTestRequest = {
		request: {
			baseURL: `={{ ${BASE_URL} ? $credentials.baseUrl.trim().replace(/\\/+$/, "") : "${NOWHERE}" }}`,
			url: '/mpc/tokens/list',
			timeout: 15000,
			// As text, of which the rules see the first character: n8n's test cannot read an empty list, which is a right answer (§4.1).
			encoding: 'text',
			// The key must not follow a redirect to another host.
			disableFollowRedirect: true,
			// With an address to allow that is a sentence, n8n's refusal of the other one explains itself.
			allowedDomains: `={{ ${BASE_URL} ? "" : "a Base URL such as https://api.example.com (https; without spaces or user name or ? or #)" }}`,
		},
		// n8n reads each rule by its own type, though its types want lists of one kind.
		rules: [
			...EXPLAINED.map((status) => ({
				type: 'responseCode',
				properties: { value: status, message: statusInWords(status) },
			})),
			{
				type: 'responseSuccessBody',
				properties: {
					key: '0',
					value: '<',
					message:
						'A web page answered instead of the service. The Base URL must be the address of the service itself.',
				},
			},
			...NOT_A_LIST.map((beginning) => ({
				type: 'responseSuccessBody',
				properties: {
					key: '0',
					value: beginning,
					message:
						'Something answered, but not with the list of tokens. Check that the Base URL is the address of the service.',
				},
			})),
		] as ICredentialTestRequest['rules'],
	};
}
