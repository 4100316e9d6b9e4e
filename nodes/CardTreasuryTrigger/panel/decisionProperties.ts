import type { IDisplayOptions, INodeProperties } from 'n8n-workflow';

import { DECLINE } from '../../service/authorizationAnswer';
import { AUTHORIZATION } from '../events';
import { editorOnly } from '../n8n/editorOnly';
import { DEADLINE_MS, DEFAULT_DEADLINE_MS } from '../settings';
import { DECISIONS, OTHER_CODE, RULE_PROPERTIES } from './ruleProperties';

const CHOSEN = { events: [AUTHORIZATION] };
const BY_RULES = { ...CHOSEN, authorizationDecision: ['rules'] };
const BY_WORKFLOW = { ...CHOSEN, authorizationDecision: ['workflow'] };
const shown = (show: IDisplayOptions['show']): IDisplayOptions => ({ show });

const LAZY_ACQUIRE =
	'Ask whoever runs your n8n to set <code>N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE=true</code>. Without it, purchases may be answered too late. Authorizations on n8n Cloud are unproven: see <a href="https://github.com/OWNER/n8n-nodes-card-treasury/blob/main/docs/authorizations.md" target="_blank">card authorizations</a>.';

const FALLBACK_DECISIONS = [
	...DECISIONS,
	{
		name: 'None',
		value: 'none',
		description: 'Sends no answer, so the default behavior configured on the card applies',
	},
];

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
				description: 'This node answers at once, before the workflow runs',
			},
			{
				name: 'Workflow',
				value: 'workflow',
				description: 'A Card Treasury node with the action "Respond to card authorization" answers',
			},
		],
		default: 'rules',
		displayOptions: shown(CHOSEN),
		description: 'Who decides a card authorization. The service waits 1.2 seconds.',
	},
	{
		displayName:
			'The output <b>Authorization</b> needs a <b>Card Treasury</b> node with the action <b>Respond to card authorization</b>. The service waits for its answer; at the deadline the Fallback Decision is sent, and a later answer changes nothing.',
		name: 'respondNotice',
		type: 'notice',
		default: '',
		displayOptions: shown(BY_WORKFLOW),
	},
	{
		displayName:
			'The first rule whose conditions all match decides: put rules that decline, and those that only observe, first. A rule that cannot read what it looks at declines.',
		name: 'rulesNotice',
		type: 'notice',
		default: '',
		displayOptions: shown(BY_RULES),
	},
	{
		displayName: 'Rules',
		name: 'rules',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true, sortable: true },
		placeholder: 'Add rule',
		default: {},
		displayOptions: shown(BY_RULES),
		options: [{ displayName: 'Rule', name: 'rule', values: RULE_PROPERTIES }],
	},
	...Object.entries({
		approve: '<b>approved</b>',
		decline: '<b>declined</b>',
		other: '<b>declined</b> with the Default Response Code',
	}).map(
		([decision, said]): INodeProperties => ({
			displayName: `No rules yet: every authorization is ${said} (Default Decision).`,
			name: `noRulesNotice_${decision}`,
			type: 'notice',
			default: '',
			displayOptions: editorOnly({
				show: { ...BY_RULES, defaultDecision: [decision] },
				hide: { 'rules.rule': [{ _cnd: { exists: true } }] },
			}),
		}),
	),
	{
		displayName: 'Default Decision',
		name: 'defaultDecision',
		type: 'options',
		noDataExpression: true,
		options: DECISIONS,
		default: 'decline',
		displayOptions: shown(BY_RULES),
		description: 'The answer when no rule matches',
	},
	{
		displayName: 'Default Response Code',
		name: 'defaultResponseCode',
		...OTHER_CODE,
		default: DECLINE,
		displayOptions: shown({ ...BY_RULES, defaultDecision: ['other'] }),
	},
	{
		displayName: 'Deadline (Milliseconds)',
		name: 'deadlineMs',
		hint: 'Counted from when the authorization arrived',
		type: 'number',
		typeOptions: { minValue: DEADLINE_MS.min, maxValue: DEADLINE_MS.max },
		default: DEFAULT_DEADLINE_MS,
		displayOptions: shown(BY_WORKFLOW),
		description:
			'The service waits 1,200 ms for the full answer, including network time. The fallback is sent no later than 1,100 ms after X-Request-Timestamp.',
	},
	{
		displayName: 'Fallback Decision',
		name: 'fallbackDecision',
		type: 'options',
		noDataExpression: true,
		options: FALLBACK_DECISIONS,
		default: 'decline',
		displayOptions: shown(BY_WORKFLOW),
		description: 'The answer when the workflow has given none by the deadline, or fails',
	},
	{
		displayName: 'Fallback Response Code',
		name: 'fallbackResponseCode',
		...OTHER_CODE,
		default: DECLINE,
		displayOptions: shown({ ...BY_WORKFLOW, fallbackDecision: ['other'] }),
	},
	{
		displayName: LAZY_ACQUIRE,
		name: 'lazyAcquireNotice',
		type: 'notice',
		default: '',
		displayOptions: shown(CHOSEN),
	},
];
