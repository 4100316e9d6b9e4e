import type { INodeProperties } from 'n8n-workflow';

import { DECLINE } from '../shared/responseCode';
import { CONDITIONS } from '../shared/rules/conditions';
import { ASK } from '../shared/rules/decide';

/** Choices of the fields for a decision. */
export const RULINGS = {
	approve: { name: 'Approve', value: 'approve', description: 'Response code 00' },
	decline: { name: 'Decline', value: 'decline', description: 'Response code 05' },
	ask: {
		name: 'Ask the Workflow',
		value: ASK,
		description:
			'A Card Treasury node with the action "Respond to card authorization" answers. No person can answer in a second: if it does not either, the rules below this one decide.',
	},
	other: {
		name: 'Other Code',
		value: 'other',
		description: 'Declines with another reason code, which is passed to the card network',
	},
};

/** Parameter *Rules*. */
export const RULES: INodeProperties = {
	displayName: 'Rules',
	name: 'rules',
	type: 'fixedCollection',
	typeOptions: {
		multipleValues: true,
		sortable: true,
		fixedCollection: { itemTitle: '={{ $collection.item.value.name }}' },
	},
	placeholder: 'Add rule',
	default: {},
	options: [
		{
			displayName: 'Rule',
			name: 'rule',
			values: [
				{
					displayName: 'Conditions',
					name: 'conditions',
					type: 'collection',
					placeholder: 'Add condition',
					default: {},
					description: 'All of them must match. A rule that approves or asks needs at least one.',
					options: Object.entries(CONDITIONS).map(
						([name, { label, placeholder, description, choices: options, rows }]) => ({
							displayName: label,
							name,
							noDataExpression: true,
							description,
							...(options
								? { type: 'multiOptions', options, default: [] }
								: {
										type: 'string',
										default: '',
										placeholder,
										...(rows && { typeOptions: { rows } }),
									}),
						}),
					),
				},
				{
					displayName: 'Decision',
					name: 'decision',
					type: 'options',
					noDataExpression: true,
					options: Object.values(RULINGS),
					default: 'decline',
					description: 'The answer when all conditions of this rule match',
				},
				{
					displayName: 'Decline Code',
					name: 'responseCode',
					type: 'string',
					noDataExpression: true,
					default: DECLINE,
					placeholder: 'e.g. 51',
					description: 'Passed to the card network as the decline reason (ISO 8583 response code)',
					displayOptions: { show: { decision: ['other'] } },
				},
				{
					displayName: 'Name',
					name: 'name',
					type: 'string',
					noDataExpression: true,
					default: '',
					placeholder: 'e.g. No gambling',
					description: 'Shown in the output when this rule decides',
				},
				{
					displayName: 'Observe Only',
					name: 'observeOnly',
					type: 'boolean',
					noDataExpression: true,
					default: false,
					description:
						'Whether this rule only shows what it would have answered, in decision.observed, and never decides',
				},
			],
		},
	],
};
