import * as workflow from 'n8n-workflow';
import type { INodeTypeDescription, IWebhookDescription } from 'n8n-workflow';

import { EVENTS, OTHER, eventName, type EventDefinition } from '../events';

/** A text of each event, by its name. */
const labels = (of: (event: EventDefinition) => string): Record<string, string> =>
	Object.fromEntries([...EVENTS.map((event) => [eventName(event), of(event)]), [OTHER, 'Other']]);

/**
 * One output per chosen event, in the order chosen. n8n connects by position, so an event added at the end never moves
 * an existing wire; sorting or grouping the outputs would.
 * n8n 2.41 evaluates the text of this function in the editor: it may use nothing but its arguments.
 */
function outputsOf(parameters: { events?: string[] }, labels: Record<string, string>) {
	const events = parameters.events ?? [];
	return events
		.filter((name, position) => events.indexOf(name) === position)
		.map((name) => ({ type: 'main', displayName: labels[name] ?? name }));
}

const OUTPUT_LABELS = labels(({ output }) => output);

/** The node description's `outputs`. */
export const OUTPUTS =
	`={{(${String(outputsOf)})($parameter, ${JSON.stringify(OUTPUT_LABELS)})}}` as const;

/** The event when there is one, else how many. n8n's editor evaluates the text of this function: it may use nothing but its arguments. */
function subtitleOf(parameters: { events?: string[] }, labels: Record<string, string>) {
	const [only = '', ...more] = parameters.events ?? [];
	if (more.length > 0) return `${more.length + 1} events`;
	return labels[only] ?? only;
}

const EVENT_LABELS = labels(({ label }) => label);

/** The node description's `subtitle`. */
export const SUBTITLE = `={{(${String(subtitleOf)})($parameter, ${JSON.stringify(EVENT_LABELS)})}}`;

/**
 * While authorizations are chosen and wait for the workflow, n8n keeps the response open for it; otherwise it answers
 * when the execution has been stored (since 2.20). n8n also evaluates the text of this function: it may use nothing but
 * its argument.
 */
function responseModeOf(parameters: { events?: string[]; authorizationDecision?: string }) {
	const waits =
		parameters.authorizationDecision === 'workflow' &&
		(parameters.events ?? []).includes('cards.authorization');
	return waits ? 'responseNode' : 'onReceived';
}

/**
 * `responseMode` as an expression or, where n8n supports it (2.41 does, 2.20 does not), as a function: n8n calls that
 * without the isolate that an expression needs, which is nearly all that a delivery costs.
 */
function responseMode(): Pick<IWebhookDescription, 'responseMode'> {
	if (!('webhookDescriptionFields' in workflow) || !('fromFunction' in workflow))
		return { responseMode: `={{(${String(responseModeOf)})($parameter)}}` };
	return workflow.webhookDescriptionFields({ responseMode: workflow.fromFunction(responseModeOf) });
}

/** One URL for every event, as the service knows only one (§6). */
export const WEBHOOKS: IWebhookDescription[] = [
	{
		name: 'default',
		httpMethod: 'POST',
		path: 'webhook',
		...responseMode(),
		// Without it n8n answers the literal text "firstEntryJson" instead of what `webhook()` returned.
		responseData: '',
	},
];

const URLS =
	'This trigger has two URLs. The <b>test URL</b> works once each time you run this step, and the event shows up here. The <b>production URL</b> works while the workflow is published.';

const REGISTER =
	'Register the <b>production URL</b>, shown under Webhook URLs, as the webhook URL of your company at the service, together with the webhook key of the credential. The service sends all events of a company to this one URL.';

const SAMPLE =
	'The test run starts at once with a sample: choose which in <b>Test With</b>, and change it with <b>Sample Changes</b> in the options. Or set Test With to <b>Wait for a Real Event</b>, copy the test URL, and send one with the simulator from the repository of this node:<br /><code>npm run simulator -- emit cards.authorized --to &lt;URL&gt; --key &lt;webhook key&gt;</code>';

/** What the panel next to the node says (§4.14: how the URL is set at the service is not shown there). */
export const TRIGGER_PANEL: INodeTypeDescription['triggerPanel'] = {
	header: 'Receive an event from the service',
	executionsHelp: {
		inactive: `${URLS}<br /><br />${SAMPLE}<br /><br />When the workflow is ready, publish it. ${REGISTER}`,
		active: `${URLS}<br /><br />${REGISTER}<br /><br />${SAMPLE}<br /><br />Events that came in on the production URL are in the <a data-key="executions">executions list</a>.`,
	},
	activationHint: `The test run starts at once with a sample, unless <b>Test With</b> waits for a real event: then copy the test URL first. When the workflow is ready, publish it. ${REGISTER}`,
};
