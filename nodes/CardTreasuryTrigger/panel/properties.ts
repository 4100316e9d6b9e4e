import type { INodeProperties } from 'n8n-workflow';

import { BLOCKED_BY_VELOCITY, EVENTS, OTHER, eventName } from '../events';
import { DECISION_PROPERTIES } from './decisionProperties';
import { OPTION_PROPERTIES } from './optionProperties';

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
		hint: 'One output per event, in this order. Removing one shifts the outputs below it: check your connections. An event that is neither chosen nor taken by Other is acknowledged and discarded.',
		description: 'The events that run the workflow',
	},
	{
		displayName:
			'<b>Cards: Card Blocked by Velocity</b> is not chosen. If no other workflow handles it, nobody is told that a velocity rule has blocked a card.',
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
	{
		displayName: 'Test With',
		name: 'testEvent',
		type: 'options',
		noDataExpression: true,
		options: [
			{ name: 'Sample of the First Event', value: 'first' },
			{ name: 'Wait for a Real Event', value: 'real' },
			...EVENTS.map((event) => ({ name: event.label, value: eventName(event) })),
		],
		default: 'first',
		description:
			'What Execute Step runs with: a sample, which starts at once, or a real event. Changes nothing once the workflow is published.',
	},
	...DECISION_PROPERTIES,
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options: OPTION_PROPERTIES,
	},
];
