import * as workflow from 'n8n-workflow';
import type {
	IDisplayOptions,
	INodeProperties,
	INodeTypeDescription,
	IWebhookDescription,
} from 'n8n-workflow';

import { alphabetical } from '../../shared/fields/alphabetical';
import { propertiesOf } from '../../shared/fields/field';
import { RULE } from '../authorization/rules';
import { AUTHORIZATION, BLOCKED_BY_VELOCITY, ENTRIES, OTHER, type Entry } from '../events';
import { BY_RULES, CHOSEN, OPTIONS, PARAMETERS } from '../settings';
import { TEST } from './activate';

/** Returns a text for each event, by event name. */
const textOfEach = (of: (entry: Entry) => string): Record<string, string> =>
	Object.fromEntries([...ENTRIES.map((entry) => [entry.name, of(entry)]), [OTHER, 'Other']]);

/**
 * Returns one output per chosen event, in the order chosen. Sorting would move existing wires, because n8n connects
 * outputs by position. n8n's editor evaluates the source text of this function, so the code may use only the arguments.
 */
function outputsOf(parameters: { events?: string[] }, labels: Record<string, string>) {
	const events = parameters.events ?? [];
	return events
		.filter((name, position) => events.indexOf(name) === position)
		.map((name) => ({ type: 'main', displayName: labels[name] ?? name }));
}

const OUTPUT_LABELS = textOfEach(({ output }) => output);

/** Field `outputs` of the node description. */
export const OUTPUTS =
	`={{(${String(outputsOf)})($parameter, ${JSON.stringify(OUTPUT_LABELS)})}}` as const;

/**
 * Returns the label of the only event, or the number of events. n8n's editor evaluates the source text of this
 * function, so the code may use only the arguments.
 */
function subtitleOf(parameters: { events?: string[] }, labels: Record<string, string>) {
	const [only = '', ...more] = parameters.events ?? [];
	if (more.length > 0) return `${more.length + 1} events`;
	return labels[only] ?? only;
}

const EVENT_LABELS = textOfEach(({ label }) => label);

/** Field `subtitle` of the node description. */
export const SUBTITLE = `={{(${String(subtitleOf)})($parameter, ${JSON.stringify(EVENT_LABELS)})}}`;

/**
 * Returns the response mode. If the workflow decides authorizations, n8n keeps the response open. Otherwise n8n answers
 * after storing the execution (since 2.20). n8n evaluates the source text of this function, so the code may use only
 * the argument.
 */
function responseModeOf(parameters: { events?: string[]; authorizationDecision?: string }) {
	const waits =
		parameters.authorizationDecision === 'workflow' &&
		(parameters.events ?? []).includes('cards.authorization');
	return waits ? 'responseNode' : 'onReceived';
}

/**
 * Returns `responseMode` as a function if n8n supports that (2.41 does, 2.20 does not). Otherwise as an expression. An
 * expression is slow: evaluating it is nearly the whole cost of a delivery.
 */
function responseMode(): Pick<IWebhookDescription, 'responseMode'> {
	if (!('webhookDescriptionFields' in workflow) || !('fromFunction' in workflow))
		return { responseMode: `={{(${String(responseModeOf)})($parameter)}}` };
	return workflow.webhookDescriptionFields({ responseMode: workflow.fromFunction(responseModeOf) });
}

/** Webhook for all events, because the service has only one URL per company (§6). */
export const WEBHOOKS: IWebhookDescription[] = [
	{
		name: 'default',
		httpMethod: 'POST',
		path: 'webhook',
		...responseMode(),
		// Without this field, n8n answers the literal text "firstEntryJson" instead of the result of `webhook()`.
		responseData: '',
	},
];

const URLS =
	'This trigger has two URLs. The <b>test URL</b> works once each time you run this step, and the event shows up here. The <b>production URL</b> works while the workflow is published.';

const REGISTER =
	'Register the <b>production URL</b>, shown under Webhook URLs, as the webhook URL of your company at the service, together with the webhook key of the credential. The service sends all events of a company to this one URL.';

const SAMPLE =
	'The test run starts at once with a sample: choose which in <b>Test With</b>, and change it with <b>Sample Changes</b> in the options. Or set Test With to <b>Wait for a Real Event</b>, copy the test URL, and send one with the simulator from the repository of this node:<br /><code>npm run simulator -- emit cards.authorized --to &lt;URL&gt; --key &lt;webhook key&gt;</code>';

/** Texts of the panel next to the node. How to set the URL at the service is not documented (§4.14). */
export const TRIGGER_PANEL: INodeTypeDescription['triggerPanel'] = {
	header: 'Receive an event from the service',
	executionsHelp: {
		inactive: `${URLS}<br /><br />${SAMPLE}<br /><br />When the workflow is ready, publish it. ${REGISTER}`,
		active: `${URLS}<br /><br />${REGISTER}<br /><br />${SAMPLE}<br /><br />Events that came in on the production URL are in the <a data-key="executions">executions list</a>.`,
	},
	activationHint: `The test run starts at once with a sample, unless <b>Test With</b> waits for a real event: then copy the test URL first. When the workflow is ready, publish it. ${REGISTER}`,
};

/** Line of text in the panel. */
const notice = (
	name: string,
	displayName: string,
	displayOptions: IDisplayOptions,
): INodeProperties => ({ displayName, name, type: 'notice', default: '', displayOptions });

const RULES: INodeProperties = {
	displayName: 'Rules',
	name: 'rules',
	type: 'fixedCollection',
	typeOptions: {
		multipleValues: true,
		sortable: true,
		fixedCollection: { itemTitle: '={{ $collection.item.value.name }}' },
	},
	placeholder: 'Add rule',
	hint: 'The first rule whose conditions all match decides. Put rules that decline, or only observe, first.',
	default: {},
	displayOptions: { show: BY_RULES },
	options: [{ displayName: 'Rule', name: 'rule', values: propertiesOf(RULE) }],
};

const LAZY_ACQUIRE =
	'Answers must arrive within 1.2 seconds. On a busy n8n, set <code>N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE=true</code>: see <a href="https://github.com/OWNER/n8n-nodes-card-treasury/blob/main/docs/authorizations.md" target="_blank">card authorizations</a>.';

const BLOCKED_IS_RECEIVED = [BLOCKED_BY_VELOCITY, OTHER];

/**
 * Events that hide the notice on blocked cards. The notice on authorizations takes precedence, because a panel should
 * show only one.
 */
const WITHOUT_BLOCKED_NOTICE = [...BLOCKED_IS_RECEIVED, AUTHORIZATION];

/** Properties to insert below a parameter, by name of the parameter. */
const BELOW: Record<string, INodeProperties[]> = {
	events: [
		notice(
			'blockedByVelocityNotice',
			'<b>Cards: Card Blocked by Velocity</b> is not chosen. If no other workflow handles it, nobody is told that a velocity rule has blocked a card.',
			{
				show: {
					events: ENTRIES.map(({ name }) => name).filter(
						(name) => !WITHOUT_BLOCKED_NOTICE.includes(name),
					),
				},
				hide: { events: WITHOUT_BLOCKED_NOTICE },
			},
		),
		...propertiesOf({ testEvent: TEST.testEvent }),
	],
	authorizationDecision: [RULES],
	fallbackResponseCode: [notice('lazyAcquireNotice', LAZY_ACQUIRE, { show: CHOSEN })],
};

export const PROPERTIES: INodeProperties[] = alphabetical([
	...propertiesOf(PARAMETERS).flatMap((property) => [property, ...(BELOW[property.name] ?? [])]),
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options: propertiesOf({
			...OPTIONS,
			sampleStatus: TEST.sampleStatus,
			sampleChanges: TEST.sampleChanges,
		}),
	},
]);
