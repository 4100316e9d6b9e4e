import type { INodeTypeDescription } from 'n8n-workflow';

const URLS =
	'This trigger has two URLs. The <b>test URL</b> works once each time you run this step, and the event shows up here. The <b>production URL</b> works while the workflow is published.';

const REGISTER =
	'Register the <b>production URL</b>, shown under Webhook URLs, as the webhook URL of your company at the service, together with the webhook key of the credential. The service sends all events of a company to this one URL.';

const SAMPLE =
	'No real event at hand? Choose a <b>Sample Event</b> in the options: the test run then starts at once with a sample. Or copy the test URL first and send one with the simulator from the repository of this node:<br /><code>npm run simulator -- emit cards.authorized --to &lt;URL&gt; --key &lt;webhook key&gt;</code>';

/** What the panel next to the node says (§4.14: how the URL is set at the service is not shown there). */
export const TRIGGER_PANEL: INodeTypeDescription['triggerPanel'] = {
	header: 'Receive an event from the service',
	executionsHelp: {
		inactive: `${URLS}<br /><br />${SAMPLE}<br /><br />When the workflow is ready, publish it. ${REGISTER}`,
		active: `${URLS}<br /><br />${REGISTER}<br /><br />${SAMPLE}<br /><br />Events that came in on the production URL are in the <a data-key="executions">executions list</a>.`,
	},
	activationHint: `Before you click: copy the test URL, or choose a <b>Sample Event</b> in the options. When the workflow is ready, publish it. ${REGISTER}`,
};
