import type {
	IAuthenticateGeneric,
	Icon,
	ICredentialTestRequest,
	ICredentialType,
	INodeProperties,
} from 'n8n-workflow';

import { BASE_URL, BASE_URL_BEGINNINGS } from '../nodes/shared/baseUrl';
import { PRINTABLE_KEY } from '../nodes/shared/printableKey';
import { statusInWords } from '../nodes/shared/statuses';

/** True if the base URL is valid. */
const IS_BASE_URL = `/${BASE_URL}/i.test($credentials.baseUrl.trim())`;

/**
 * True if a header can carry every key. Checked here too, because n8n does not ask the trigger after a change of the
 * credential, and the trigger would then reject every delivery.
 */
const KEYS = `[$credentials.apiKey, $credentials.webhookKey, $credentials.previousWebhookKey].every((key) => /${PRINTABLE_KEY}/.test(key))`;

/** Host that never exists (RFC 2606). Replaces the base URL of an invalid credential, so that the key is sent nowhere. */
const NOWHERE = 'https://this-credential-is-not-valid.invalid';

/** Statuses that need an explanation, because n8n's credential test shows none. */
const EXPLAINED = [301, 302, 303, 307, 308, 401, 403, 404, 408, 500, 502, 503, 504];

/** First characters of a reply that is neither a list nor a web page. `undefined` is an empty reply. */
const NOT_A_LIST = [
	undefined,
	...Array.from({ length: 127 }, (_, code) => String.fromCharCode(code)).filter(
		(character) => !'[<'.includes(character),
	),
];

/** Beginnings without a notice. `=` begins an expression. */
const BEGINNINGS = [...BASE_URL_BEGINNINGS, '='];

const beginsWith = (text: string) => ({ _cnd: { startsWith: text } });

/** Value in the editor of a secret that was saved empty (n8n 2.41). */
const SAVED_EMPTY = '__n8n_EMPTY_VALUE_';

/** API key and webhook key of one company (§5). */
export class CardTreasuryApi implements ICredentialType {
	name = 'cardTreasuryApi';

	displayName = 'Card Treasury API';

	icon: Icon = {
		light: 'file:../nodes/icons/cardTreasury.svg',
		dark: 'file:../nodes/icons/cardTreasury.dark.svg',
	};

	documentationUrl = 'https://github.com/OWNER/n8n-nodes-card-treasury#credentials';

	// Without this restriction, an HTTP Request node or tool could use the key for any payment, past every guard.
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
				'The environment of the Base URL, as a label: the option Only in Environment compares it, and nothing else does. Build and test against the sandbox first.',
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
				'Issued from the company portal. Level 1 reads tokens, individual cards, statements and product requests, and can change the amount of ramp transfers; level 2 also transfers, freezes and unfreezes cards and configures 3DS; level 3 also submits documents. The API document does not show the level of the other operations.',
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
				'Without a Webhook Key, the trigger rejects every event. The connection test passes without it.',
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
			typeOptions: { minValue: 0 },
			default: '',
			placeholder: 'e.g. 24',
			description:
				'Hours for which the service remembers an idempotency key. The API document does not show it, so ask the provider. Retry sends a transfer with an unknown outcome again only within this time, and never while this is empty.',
		},
	];

	// The key is trimmed, because a copied line break would be invalid in a header.
	authenticate: IAuthenticateGeneric = {
		type: 'generic',
		properties: { headers: { 'x-api-key': '={{$credentials.apiKey.trim()}}' } },
	};

	// n8n has its own text for an unreachable host, and cannot test if a webhook key is empty.
	test: ICredentialTestRequest = {
		request: {
			baseURL: `={{ ${IS_BASE_URL} && ${KEYS} ? $credentials.baseUrl.trim().replace(/\\/+$/, "") : "${NOWHERE}" }}`,
			url: '/mpc/tokens/list',
			timeout: 15000,
			// The reply is read as text, because n8n's test cannot read an empty list, a valid reply (§4.1). The rules check
			// the first character.
			encoding: 'text',
			// The key must not follow a redirect to another host.
			disableFollowRedirect: true,
			// n8n shows these texts when it refuses the host.
			allowedDomains: `={{ !${IS_BASE_URL} ? "a Base URL such as https://api.example.com (https; without spaces or user name or ? or #)" : ${KEYS} ? "" : "none until each key has only printable ASCII characters (copy the keys again)" }}`,
		},
		// Cast needed because n8n's type allows rules of only one kind. n8n itself accepts both kinds.
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
						'The reply is a web page. Set the Base URL to the address of the service itself.',
				},
			},
			...NOT_A_LIST.map((beginning) => ({
				type: 'responseSuccessBody',
				properties: {
					key: '0',
					value: beginning,
					message:
						'The reply is not the list of tokens. Check that the Base URL is the address of the service.',
				},
			})),
		] as ICredentialTestRequest['rules'],
	};
}
