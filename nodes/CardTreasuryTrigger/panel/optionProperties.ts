import type { INodeProperties } from 'n8n-workflow';

export const OPTION_PROPERTIES: INodeProperties[] = [
	{
		displayName: 'Ignore Duplicates',
		name: 'ignoreDuplicates',
		type: 'boolean',
		default: true,
		description:
			'Whether an event that the service sends again is acknowledged without running the workflow a second time',
	},
	{
		displayName: 'IP Allowlist',
		name: 'ipAllowlist',
		type: 'string',
		default: '',
		placeholder: 'e.g. 203.0.113.7, 10.0.0.0/8',
		description:
			'Addresses and CIDR ranges that may send events, IPv4 and IPv6, comma-separated. Any other sender is rejected with 403. Behind a proxy, set N8N_PROXY_HOPS on the n8n instance: otherwise every sender has the address of the proxy.',
	},
	{
		displayName: 'Maximum Age (Seconds)',
		name: 'maximumAgeSeconds',
		hint: '0 accepts any age',
		type: 'number',
		typeOptions: { minValue: 0 },
		default: 0,
		description:
			'Rejects deliveries whose X-Request-Timestamp is older. The timestamp is not signed, so this stops late and replayed deliveries, but no forger.',
	},
	{
		displayName: 'Run Workflow For',
		name: 'runWorkflowFor',
		type: 'options',
		options: [
			{ name: 'All Authorizations', value: 'all' },
			{ name: 'Declined Authorizations', value: 'declined' },
			{ name: 'No Authorizations', value: 'none' },
		],
		default: 'all',
		displayOptions: { show: { '/authorizationDecision': ['rules'] } },
		description:
			'Which authorizations decided by the rules also run the workflow. Run fewer so that a busy card program does not overload this n8n.',
	},
	{
		displayName: 'Sample Changes',
		name: 'sampleChanges',
		type: 'json',
		default: '{}',
		description:
			'JSON that is merged into the data of the sample that Test With sends, so that rules can be tried, for example {"bill_amount": "20.00", "merchant_data": {"mcc_code": "7995"}}. Has no effect once the workflow is published.',
	},
];
