import { NodeOperationError, type IHookFunctions, type INode } from 'n8n-workflow';

import { CREDENTIAL_TYPE, acceptedWebhookKeys, readCredential } from '../../service/credential';
import { unsupportedHost } from '../../n8n/host';
import { readSettings, type ReadParameter } from '../settings';
import { readSample, sendSample, unsafeUrl } from './sample';

/**
 * Checks, when the workflow is published or listens for a test event, what would otherwise only show when a delivery
 * is rejected or declined. There is nothing to register: the webhook URL is entered at the service (§4.14).
 * @throws NodeOperationError that says what to change
 */
export async function activate(n8n: IHookFunctions): Promise<boolean> {
	const credential = readCredential(await n8n.getCredentials(CREDENTIAL_TYPE));
	const [webhookKey] = acceptedWebhookKeys(credential);
	const read: ReadParameter = (name, fallback) => n8n.getNodeParameter(name, fallback);
	const settings = readSettings(read);
	const sample = n8n.getMode() === 'manual' ? readSample(read, settings.events) : undefined;
	const testUrl = n8n.getNodeWebhookUrl('default') ?? '';
	const [problem] = [
		unsupportedHost(),
		webhookKey === undefined ? NO_KEY : undefined,
		...forbiddenSettings(n8n.getNode()),
		...settings.problems,
		typeof sample === 'object' ? unsafeUrl(testUrl) : sample,
	].filter((each) => each !== undefined);
	// n8n shows only the message when publishing fails, so it has to say everything.
	if (problem !== undefined) throw new NodeOperationError(n8n.getNode(), problem);
	if (typeof sample === 'object' && webhookKey !== undefined)
		void sendSample(n8n, testUrl, sample, webhookKey);
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

const NO_KEY =
	'The credential has no Webhook Key, so every delivery would be rejected. Enter the webhook key that is set at the service in the Card Treasury API credential.';
