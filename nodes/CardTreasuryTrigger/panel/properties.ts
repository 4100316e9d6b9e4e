import type { INodeProperties } from 'n8n-workflow';

import { DECISION_PROPERTIES } from './decisionProperties';
import { BLOCKED_BY_VELOCITY, EVENTS, OTHER, eventName } from '../events';

const EVENT_OPTIONS = [
	...EVENTS.map((event) => ({
		name: event.label,
		value: eventName(event),
		action: event.action,
		description: event.when,
	})),
	{
		name: 'Other',
		value: OTHER,
		action: 'On any other event',
		description:
			'Everything that is not chosen here, including events that this node does not know',
	},
];

const BLOCKED_IS_RECEIVED = [BLOCKED_BY_VELOCITY, OTHER];

export const PROPERTIES: INodeProperties[] = [
	{
		displayName: 'Events',
		name: 'events',
		type: 'multiOptions',
		noDataExpression: true,
		required: true,
		options: EVENT_OPTIONS,
		default: [],
		description:
			'Each event gets an output of its own, in the order in which you choose them. Adding one never moves an existing connection; removing one moves those after it.',
	},
	{
		displayName:
			'<b>Cards: Card Blocked by Velocity</b> is not chosen. The service asks receivers that select events to include it: a card that a velocity rule blocks stays blocked until somebody unblocks it.',
		name: 'blockedByVelocityNotice',
		type: 'notice',
		default: '',
		displayOptions: {
			show: {
				events: [...EVENTS.map(eventName).filter((name) => !BLOCKED_IS_RECEIVED.includes(name))],
			},
			hide: { events: BLOCKED_IS_RECEIVED },
		},
	},
	...DECISION_PROPERTIES,
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options: [
			{
				displayName: 'Ignore Duplicates',
				name: 'ignoreDuplicates',
				type: 'boolean',
				default: true,
				description:
					'Whether an event that the service sends again is acknowledged without running the workflow a second time',
			},
			{
				displayName: 'Maximum Age (Seconds)',
				name: 'maximumAgeSeconds',
				type: 'number',
				typeOptions: { minValue: 0 },
				default: 0,
				description:
					'Refuses deliveries whose X-Request-Timestamp is older than this. 0 accepts any age. The timestamp is not signed, so this guards against late deliveries rather than against attackers.',
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
					'Which authorizations decided by the rules also run the workflow, so that a busy card programme does not drown this n8n',
			},
		],
	},
];
