import * as n8n from 'n8n-workflow';
import type { IWebhookDescription } from 'n8n-workflow';

import { STORES_BEFORE_ANSWERING } from '../delivery/stored';

/**
 * While authorizations are chosen and wait for the workflow, n8n keeps the response open for it; otherwise it answers
 * when the execution has been stored. n8n also evaluates the text of this function: it may use nothing but its argument.
 */
function responseModeOf(parameters: { events?: string[]; authorizationDecision?: string }) {
	const waits =
		parameters.authorizationDecision === 'workflow' &&
		(parameters.events ?? []).includes('cards.authorization');
	return waits ? 'responseNode' : 'onReceived';
}

/**
 * `responseMode` as a template and, on hosts that know them, as a function too: these call it without building the
 * isolate that an expression needs, which is nearly all that a delivery costs.
 */
function responseMode(): Pick<IWebhookDescription, 'responseMode'> {
	if (!STORES_BEFORE_ANSWERING) return { responseMode: 'responseNode' };
	const template = `={{(${String(responseModeOf)})($parameter)}}`;
	if (!('webhookDescriptionFields' in n8n) || !('fromFunction' in n8n))
		return { responseMode: template };
	return n8n.webhookDescriptionFields({ responseMode: n8n.fromFunction(responseModeOf) });
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
