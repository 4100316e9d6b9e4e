import { NodeOperationError, type IHookFunctions } from 'n8n-workflow';

import { CREDENTIAL_TYPE, acceptedWebhookKeys, readCredential } from '../../service/credential';
import { unsupportedHost } from '../../service/host';
import { readSettings } from '../settings';
import { sendSample } from './sendSample';

/**
 * Checks, when the workflow is published or listens for a test event, what would otherwise only show when a delivery
 * is rejected or declined. There is nothing to register: the webhook URL is entered at the service (§4.14).
 * @throws NodeOperationError that says what to change
 */
export async function activate(n8n: IHookFunctions): Promise<boolean> {
	const credential = readCredential(await n8n.getCredentials(CREDENTIAL_TYPE));
	const [webhookKey] = acceptedWebhookKeys(credential)
		.map((key) => key.trim())
		.filter((key) => key !== '');
	const settings = readSettings((name, fallback) => n8n.getNodeParameter(name, fallback));
	const [problem] = [
		unsupportedHost(),
		webhookKey === undefined ? NO_KEY : undefined,
		...settings.problems,
	].filter((each) => each !== undefined);
	// n8n shows only the message when publishing fails, so it has to say everything.
	if (problem !== undefined) throw new NodeOperationError(n8n.getNode(), problem);
	const { sampleEvent } = settings;
	if (n8n.getMode() === 'manual' && sampleEvent !== undefined && webhookKey !== undefined)
		void sendSample(n8n, sampleEvent, webhookKey);
	return true;
}

const NO_KEY =
	'The credential has no Webhook Key, so every delivery would be rejected. Enter the webhook key that is set at the service in the Card Treasury API credential.';
