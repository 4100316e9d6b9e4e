import type { INodeProperties, INodeTypeDescription, IWebhookDescription } from 'n8n-workflow';

import { alphabetical } from '../../shared/fields/alphabetical';
import { propertiesOf } from '../../shared/fields/field';
import { ENTRIES, OTHER, type Entry } from '../events';
import { PARAMETERS } from '../settings';
import { responseMode } from './responseMode';

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
	'Register the <b>production URL</b>, shown under Webhook URLs, as the webhook URL of your company at the service, together with the webhook key of the credential. A company has one webhook URL. If another workflow has it, such as <b>Event router</b>, do not publish this trigger: start this workflow with <b>When Executed by Another Workflow</b>, and call it from the output of its event there.';

/** Message after publishing. */
export const ACTIVATION_MESSAGE =
	'The webhook URL answers now. A company has one webhook URL at the service: events arrive here only if it is this one. Other workflows are called from the Event router.';

const SAMPLE =
	'The test run starts at once with a sample: choose which in <b>Test With</b>, and change it with <b>Sample Status</b> and <b>Sample Changes</b> in the options. Or set Test With to <b>Wait for a Real Event</b>, copy the test URL, and send one with the simulator from the repository of this node:<br /><code>npm run simulator -- emit cards.authorized --to &lt;URL&gt; --key &lt;webhook key&gt;</code>';

/** Texts of the panel next to the node. How to set the URL at the service is not documented (§4.14). */
export const TRIGGER_PANEL: INodeTypeDescription['triggerPanel'] = {
	header: 'Receive an event from the service',
	executionsHelp: {
		inactive: `${URLS}<br /><br />${SAMPLE}<br /><br />When the workflow is ready, publish it. ${REGISTER}`,
		active: `${URLS}<br /><br />${REGISTER}<br /><br />${SAMPLE}<br /><br />Events that came in on the production URL are in the <a data-key="executions">executions list</a>.`,
	},
	activationHint: `The test run starts at once with a sample, unless <b>Test With</b> waits for a real event: then copy the test URL first. When the workflow is ready, publish it. ${REGISTER}`,
};

export const PROPERTIES: INodeProperties[] = alphabetical(propertiesOf(PARAMETERS));
