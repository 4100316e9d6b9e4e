import type { IDisplayOptions, INodeProperties } from 'n8n-workflow';

import { DECLINE } from '../../service/authorizationAnswer';
import { AUTHORIZATION } from '../events';
import { RULE_FIELDS, warnOf } from './ruleFields';
import { DEADLINE_MS, DEFAULT_DEADLINE_MS } from '../settings';

const CHOSEN: IDisplayOptions = { show: { events: [AUTHORIZATION] } };
const BY_RULES: IDisplayOptions = {
	show: { events: [AUTHORIZATION], authorizationDecision: ['rules'] },
};
const BY_WORKFLOW: IDisplayOptions = {
	show: { events: [AUTHORIZATION], authorizationDecision: ['workflow'] },
};

/** Shown while `cards.authorization` is chosen (§6.3). */
export const DECISION_PROPERTIES: INodeProperties[] = [
	{
		displayName: 'Authorization Decision',
		name: 'authorizationDecision',
		type: 'options',
		noDataExpression: true,
		options: [
			{
				name: 'Rules',
				value: 'rules',
				description: 'Answered by this node at once, before the workflow runs',
			},
			{
				name: 'Workflow',
				value: 'workflow',
				description:
					'Answered by a Card Treasury node with the action "Respond to card authorization"',
			},
		],
		default: 'rules',
		displayOptions: CHOSEN,
		description: 'Who decides a card authorization. The card network waits 1.2 seconds.',
	},
	{
		displayName:
			'The branch of <b>cards.authorization</b> needs a <b>Card Treasury</b> node with the action <b>Respond to card authorization</b>. Until it answers, the card network waits; at the deadline the Fallback Response Code is sent, and a later answer changes nothing.',
		name: 'respondNotice',
		type: 'notice',
		default: '',
		displayOptions: BY_WORKFLOW,
	},
	{
		displayName: 'Rules',
		name: 'rules',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true, sortable: true },
		placeholder: 'Add Rule',
		default: {},
		displayOptions: BY_RULES,
		description:
			'Tried in order; the first rule decides of which every condition given holds. A rule without conditions decides every authorization. What a rule looks at and cannot read is declined.',
		options: [{ displayName: 'Rule', name: 'rule', values: RULE_FIELDS }],
	},
	{
		displayName: 'Default Response Code',
		name: 'defaultResponseCode',
		type: 'string',
		default: DECLINE,
		displayOptions: BY_RULES,
		hint: '00 approves, 05 declines',
		description: 'The answer when no rule matches',
	},
	warnOf('Default Response Code', 'defaultResponseCode', BY_RULES),
	{
		displayName: 'Deadline (Milliseconds)',
		name: 'deadlineMs',
		type: 'number',
		typeOptions: { minValue: DEADLINE_MS.least, maxValue: DEADLINE_MS.most },
		default: DEFAULT_DEADLINE_MS,
		displayOptions: BY_WORKFLOW,
		description:
			'Counted from receiving the authorization. The service waits 1,200 ms for the full answer, the way there and back included.',
	},
	{
		displayName: 'Fallback Response Code',
		name: 'fallbackResponseCode',
		type: 'string',
		default: DECLINE,
		hint: '00 approves, 05 declines, empty sends no answer',
		displayOptions: BY_WORKFLOW,
		description:
			'The answer when the workflow has given none by the deadline, or fails. Empty sends no answer, so that the default configured on the card applies.',
	},
	warnOf('Fallback Response Code', 'fallbackResponseCode', BY_WORKFLOW),
];
