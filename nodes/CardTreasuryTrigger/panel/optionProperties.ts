import type { INodeProperties } from 'n8n-workflow';

import { EVENTS, eventName } from '../events';

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
		displayName: 'Sample Event',
		name: 'sampleEvent',
		type: 'options',
		noDataExpression: true,
		options: EVENTS.map((event) => ({ name: event.label, value: eventName(event) })),
		default: 'cards.authorization',
		description:
			'A test run in the editor starts at once with a sample of this event, instead of waiting for a real one. It must be one of the chosen events. Has no effect once the workflow is published.',
	},
];
