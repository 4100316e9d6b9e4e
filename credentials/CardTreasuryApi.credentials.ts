import type {
	IAuthenticateGeneric,
	Icon,
	ICredentialTestRequest,
	ICredentialType,
	INodeProperties,
} from 'n8n-workflow';

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
				'Which environment the base URL and the key belong to. Build and test against the sandbox first.',
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
				'Issued in the company portal. Reading needs level 1, moving money and card changes level 2, submitting documents level 3.',
		},
		{
			displayName: 'Webhook Key',
			name: 'webhookKey',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			description:
				'The shared secret that the service sends in X-Webhook-Key. The trigger lets nothing in while it is empty.',
		},
		{
			displayName: 'Previous Webhook Key',
			name: 'previousWebhookKey',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			description:
				'Accepted beside the current key while you rotate the secret. Clear it when the rotation is done.',
		},
	];

	authenticate: IAuthenticateGeneric = {
		type: 'generic',
		properties: { headers: { 'x-api-key': '={{$credentials.apiKey}}' } },
	};

	test: ICredentialTestRequest = {
		request: {
			baseURL: '={{$credentials.baseUrl.trim().replace(/\\/+$/, "")}}',
			url: '/mpc/tokens/list',
			timeout: 15000,
		},
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
		],
	};
}
