import { NodeOperationError, type IHookFunctions } from 'n8n-workflow';

import { isResponseCode } from '../service/authorizationAnswer';
import { CREDENTIAL_TYPE, acceptedWebhookKeys, readCredential } from '../service/credential';
import { AUTHORIZATION } from './events';
import { readRules } from './authorization/rules';
import { DEADLINE_MS, DEFAULT_DEADLINE_MS, readSettings } from './settings';

/**
 * Checks, when the workflow is published or listens for a test event, what would otherwise only show when a delivery
 * is refused or declined. There is nothing to register: the webhook URL is entered at the service (§4.14).
 * @throws NodeOperationError that says what to change
 */
export async function activate(context: IHookFunctions): Promise<boolean> {
	const credential = readCredential(await context.getCredentials(CREDENTIAL_TYPE));
	if (acceptedWebhookKeys(credential).every((key) => key.trim() === '')) {
		// n8n shows only the message when publishing fails, so it has to say everything.
		throw new NodeOperationError(
			context.getNode(),
			'The credential has no Webhook Key, so every delivery would be refused. Enter the webhook key that is set at the service in the Card Treasury API credential.',
		);
	}
	const problem = problems(context)[0];
	if (problem !== undefined) throw new NodeOperationError(context.getNode(), problem);
	return true;
}

/** What is wrong with the events and with the fields that decide authorizations, in words for the user. */
function problems(context: IHookFunctions): string[] {
	const settings = readSettings(context);
	// Everything would be acknowledged, and lost.
	if (settings.events.length === 0) return ['No event is chosen. Choose at least one in Events'];
	if (!settings.events.includes(AUTHORIZATION)) return [];
	if (settings.authorizationDecision === 'rules') {
		const found = readRules(settings.rules).problems;
		if (!isResponseCode(settings.defaultResponseCode))
			found.push(`Default Response Code ${RESPONSE_CODE}`);
		return found;
	}
	const found: string[] = [];
	const deadline = context.getNodeParameter('deadlineMs', DEFAULT_DEADLINE_MS);
	if (deadline !== settings.deadlineMs) {
		found.push(
			`Deadline must be between ${DEADLINE_MS.least} and ${DEADLINE_MS.most} milliseconds`,
		);
	}
	const fallback = String(context.getNodeParameter('fallbackResponseCode', '') ?? '').trim();
	if (fallback !== '' && !isResponseCode(fallback))
		found.push(`Fallback Response Code ${RESPONSE_CODE}, or be empty`);
	return found;
}

const RESPONSE_CODE = 'must be 1 to 10 letters and digits, e.g. 00 or 05';
