import { NodeOperationError, type IHookFunctions, type INode } from 'n8n-workflow';

import {
	CREDENTIAL_TYPE,
	acceptedWebhookKeys,
	checkBaseUrl,
	readCredential,
} from '../../service/credential';
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
	const [webhookKey] = acceptedWebhookKeys(credential);
	const settings = readSettings((name, fallback) => n8n.getNodeParameter(name, fallback));
	const sampleEvent = n8n.getMode() === 'manual' ? settings.sampleEvent : undefined;
	const testUrl = n8n.getNodeWebhookUrl('default') ?? '';
	const [problem] = [
		unsupportedHost(),
		webhookKey === undefined ? NO_KEY : undefined,
		...forbiddenSettings(n8n.getNode()),
		...settings.problems,
		sampleEvent !== undefined && !checkBaseUrl(testUrl).ok ? UNSAFE_URL : undefined,
	].filter((each) => each !== undefined);
	// n8n shows only the message when publishing fails, so it has to say everything.
	if (problem !== undefined) throw new NodeOperationError(n8n.getNode(), problem);
	if (sampleEvent !== undefined && webhookKey !== undefined)
		void sendSample(n8n, testUrl, sampleEvent, webhookKey);
	return true;
}

/** With any of them, n8n 2.41 loses events of a trigger, or hands them to another branch. */
function forbiddenSettings({ retryOnFail, alwaysOutputData, onError, continueOnFail }: INode) {
	const refuse = (setting: string, fix: string) =>
		`In the Settings tab of this trigger, ${setting}: n8n would lose events, or run the wrong branch. ${fix}.`;
	const continues = continueOnFail === true || (onError ?? 'stopWorkflow') !== 'stopWorkflow';
	return [
		...(retryOnFail ? [refuse('Retry On Fail is on', 'Turn it off')] : []),
		...(alwaysOutputData ? [refuse('Always Output Data is on', 'Turn it off')] : []),
		...(continues ? [refuse('On Error is not Stop Workflow', 'Choose Stop Workflow')] : []),
	];
}

const UNSAFE_URL =
	'The sample carries the webhook key, so it is sent only to a test URL that starts with https://, or is on this machine. Set WEBHOOK_URL of this n8n to its https address, or wait for a real event.';

const NO_KEY =
	'The credential has no Webhook Key, so every delivery would be rejected. Enter the webhook key that is set at the service in the Card Treasury API credential.';
