import type {
	IAuthenticateGeneric,
	Icon,
	ICredentialTestRequest,
	ICredentialType,
	INodeProperties,
} from 'n8n-workflow';

/**
 * Where the test request goes. n8n's test knows no checks of its own, so an address that the nodes would refuse becomes
 * a host name that says why and, ending in `.invalid` (RFC 2606), never exists: the key goes nowhere.
 */
const TEST_ADDRESS =
	'={{ /^(https:\\/\\/|http:\\/\\/(localhost|127(\\.[0-9]{1,3}){3}|\\[::1\\])(:[0-9]+)?(\\/|$))/i.test($credentials.baseUrl.trim()) ? $credentials.baseUrl.trim().replace(/\\/+$/, "") : "https://base-url-must-start-with-https.invalid" }}';

/** API key and webhook key of one company at the service (§5 of the interface document). */
export class CardTreasuryApi implements ICredentialType {
	name = 'cardTreasuryApi';

	displayName = 'Card Treasury API';

	icon: Icon = {
		light: 'file:../nodes/icons/cardTreasury.svg',
		dark: 'file:../nodes/icons/cardTreasury.dark.svg',
	};

	documentationUrl = 'https://github.com/OWNER/n8n-nodes-card-treasury#credentials';

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
			displayName: 'API Key',
			name: 'apiKey',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			description:
				'Issued from the company portal. Level 1 reads, and can change the amount of ramp transfers; level 2 also transfers and changes cards; level 3 also submits documents.',
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
			displayName: 'Previous Webhook Key',
			name: 'previousWebhookKey',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			description:
				'Accepted alongside the current key while you rotate the secret. Clear it when the rotation is done.',
		},
	];

	// A line break that came along when the key was copied cannot stand in a header.
	authenticate: IAuthenticateGeneric = {
		type: 'generic',
		properties: { headers: { 'x-api-key': '={{$credentials.apiKey.trim()}}' } },
	};

	test: ICredentialTestRequest = {
		request: {
			baseURL: TEST_ADDRESS,
			url: '/mpc/tokens/list',
			timeout: 15000,
			// The key must not follow a redirect to another host.
			disableFollowRedirect: true,
		},
		// n8n reads each rule by its own type, though its types want lists of one kind.
		rules: [
			{
				type: 'responseCode',
				properties: {
					value: 401,
					message:
						'The service does not accept this API key. Check the key, the environment it was issued for, and its IP allowlist.',
				},
			},
			{
				type: 'responseCode',
				properties: {
					value: 404,
					message: 'Nothing answers at this address. Check the Base URL.',
				},
			},
			{
				// The first character of a web page, which n8n gives as a string; a list of tokens has none.
				type: 'responseSuccessBody',
				properties: {
					key: '0',
					value: '<',
					message:
						'A web page answered instead of the service. The Base URL must be the address of the service itself.',
				},
			},
		] as ICredentialTestRequest['rules'],
	};
}
