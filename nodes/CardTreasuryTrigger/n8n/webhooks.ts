import * as workflow from 'n8n-workflow';
import type { IWebhookDescription } from 'n8n-workflow';

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
