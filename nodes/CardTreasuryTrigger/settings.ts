import type { INodeProperties } from 'n8n-workflow';

import { RUNS, type Read } from '../shared/rules/read';
import { AUTHORIZATION, ENTRIES, OTHER } from './events';
import { RULES, RULINGS } from './rulesPanel';

/** Shown while authorizations are chosen (§6.3). */
const CHOSEN = { displayOptions: { show: { events: [AUTHORIZATION] } } };

const FIRST_MATCH =
	'The first rule whose conditions all match decides, or asks. Put rules that decline, or only observe, first.';

const ANSWER_IN_TIME =
	'Answers must arrive within 1.2 seconds. On a busy n8n, set <code>N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE=true</code>: see <a href="https://github.com/OWNER/n8n-nodes-card-treasury/blob/main/docs/authorizations.md" target="_blank">card authorizations</a>.';

/** n8n shows options in alphabetical order. */
const sorted = <Option extends { name: string }>(options: Option[]): Option[] =>
	options.sort((left, right) => (left.name < right.name ? -1 : 1));

/** Parameters, in the order of the panel. None takes an expression: it would be evaluated for every delivery. */
export const PARAMETERS: INodeProperties[] = [
	{
		displayName: 'Events',
		name: 'events',
		type: 'multiOptions',
		noDataExpression: true,
		required: true,
		default: [],
		options: sorted([
			...ENTRIES.map(({ label, name, when }) => ({ name: label, value: name, description: when })),
			{
				name: 'Other',
				value: OTHER,
				description:
					'Everything not chosen here. Without it, such events are acknowledged and discarded.',
			},
		]),
		hint: 'One output per event, in this order. Removing one shifts the outputs below it.',
		description:
			'The events that run the workflow. An entry for failures takes them from the entry for all.',
	},
	{
		displayName: 'Test With',
		name: 'testEvent',
		type: 'options',
		noDataExpression: true,
		default: 'first',
		options: sorted([
			{ name: 'Sample of the First Event', value: 'first' },
			{
				name: 'Wait for a Real Event',
				value: 'real',
				description: 'Copy the test URL under Webhook URLs first, then click Execute Step',
			},
			...ENTRIES.map(({ label, name }) => ({ name: label, value: name })),
		]),
		description: 'Event that Execute Step runs with. Has no effect once the workflow is published.',
	},
	// Not a hint of Rules, because n8n's editor shows none there (n8n 2.41).
	{ displayName: FIRST_MATCH, name: 'firstMatchNotice', type: 'notice', default: '', ...CHOSEN },
	{ ...RULES, ...CHOSEN },
	{
		displayName: 'Default Decision',
		name: 'defaultDecision',
		type: 'options',
		noDataExpression: true,
		default: 'decline',
		options: [RULINGS.approve, RULINGS.decline, RULINGS.ask],
		hint: 'The answer when no rule matches, also while there are no rules',
		...CHOSEN,
	},
	{
		displayName: 'Fallback Decision',
		name: 'fallbackDecision',
		type: 'options',
		noDataExpression: true,
		default: 'decline',
		options: [RULINGS.approve, RULINGS.decline],
		description:
			'The answer to what was asked when the workflow has given none within a second, and no rule below the one that asked matches',
		...CHOSEN,
	},
	{
		displayName: ANSWER_IN_TIME,
		name: 'answerInTimeNotice',
		type: 'notice',
		default: '',
		...CHOSEN,
	},
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options: [
			{
				displayName: 'Run Workflow For',
				name: 'runWorkflowFor',
				type: 'options',
				noDataExpression: true,
				default: 'all',
				options: Object.entries(RUNS).map(([value, name]) => ({ name, value })),
				description:
					'Which authorizations decided by the rules also run the workflow. What is asked always runs it.',
			},
			{
				displayName: 'Sample Changes',
				name: 'sampleChanges',
				type: 'json',
				noDataExpression: true,
				default: '{}',
				description:
					'JSON to merge into the sample of Test With, for example {"status": "failed"} or {"data": {"merchant_data": {"mcc_code": "7995"}}}',
			},
		],
	},
];

/**
 * Chosen entries of *Events* in order, without repetitions.
 * @throws Error if an import has made it something else
 */
export function readEvents(read: Read): string[] {
	const stored = read('events', []);
	if (Array.isArray(stored)) return [...new Set(stored.map(String))];
	throw new Error('Events cannot be read. Choose them again.');
}
