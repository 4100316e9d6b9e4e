import type { INodeTypeDescription } from 'n8n-workflow';

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
