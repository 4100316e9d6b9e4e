import { NodeOperationError, type IHookFunctions } from 'n8n-workflow';

import {
	acceptedWebhookKeys,
	CREDENTIAL_TYPE,
	readCredential,
	type CardTreasuryCredential,
} from '../../shared/credential';
import { unsupportedHost } from '../../shared/host';
import { unprintableIn } from '../../shared/printableKey';
import { AUTHORIZATION } from '../events';
import {
	readDecisionSettings,
	readDeliverySettings,
	readSample,
	type ReadParameter,
	type Sample,
} from '../settings';
import { whyNoExecution } from './fitness';
import { whyNoAnswer } from './respondNode';
import { mayAsk } from './responseMode';
import { sendSample, unsafeUrl } from './sample';

const NO_KEY =
	'The credential has no Webhook Key, so every delivery would be rejected. Enter the webhook key that is set at the service in the Card Treasury API credential.';

/** Warning for a failed publish: n8n 2.41 removes the old webhook before it activates the trigger. */
const DOWN = 'Until this workflow is published, its webhook URL answers 404.';

/**
 * Checks the settings when a person publishes the workflow or runs it as a test. Otherwise the first delivery would show
 * the mistake. Registers nothing, because the user enters the webhook URL at the service (§4.14).
 * @throws NodeOperationError that tells what to change
 */
export async function publish(n8n: IHookFunctions): Promise<boolean> {
	const isTest = n8n.getMode() === 'manual';
	const checked = await check(n8n, isTest).catch(
		(thrown: unknown): Checked => ({
			problem: thrown instanceof Error ? thrown.message : String(thrown),
		}),
	);
	if (checked.problem === undefined) {
		const { sample, testUrl, webhookKey } = checked;
		if (sample !== undefined) void sendSample(n8n, testUrl, sample, webhookKey);
		return true;
	}
	// n8n does not retry an activation whose message has the word "Authorization" (2.41).
	const problem = checked.problem.replaceAll('Authorization', 'authorization');
	if (isTest) throw new NodeOperationError(n8n.getNode(), problem);
	// n8n shows only the message of a failed publish, so the message must contain everything.
	const sentence = problem.replace(/\.?$/, '.');
	if (isByPerson(n8n)) throw new NodeOperationError(n8n.getNode(), `${sentence} ${DOWN}`);
	n8n.logger.error(
		`${n8n.getNode().name} has a problem, and stays published: each delivery is checked. ${sentence}`,
	);
	return true;
}

/**
 * False when n8n starts or changes its leader. n8n then removes a webhook whose hook fails (2.20 to 2.41), so that the
 * URL would answer 404 for every event until somebody publishes the workflow.
 */
function isByPerson(n8n: IHookFunctions): boolean {
	const by = n8n.getActivationMode();
	return by !== 'init' && by !== 'leadershipChange';
}

type Checked =
	| { problem: string }
	| {
			problem?: undefined;
			/** Sample to send. Undefined for no test run, or to wait for a real event. */
			sample: Sample | undefined;
			testUrl: string;
			webhookKey: string;
	  };

/** Checks the settings. Returns the first problem, or the data for a test run. */
async function check(n8n: IHookFunctions, isTest: boolean): Promise<Checked> {
	const credential = readCredential(await n8n.getCredentials(CREDENTIAL_TYPE));
	const [webhookKey = ''] = acceptedWebhookKeys(credential);
	const read: ReadParameter = (name, fallback) => n8n.getNodeParameter(name, fallback);
	const settings = readDeliverySettings(read);
	const decides = settings.events.includes(AUTHORIZATION);
	const decisions = decides ? readDecisionSettings(read, settings).problems : [];
	const { sample, problems } = isTest ? readSample(read, settings.events) : NO_SAMPLE;
	const testUrl = n8n.getNodeWebhookUrl('default') ?? '';
	const [problem] = [
		// The version comes first, because an older n8n lacks these settings.
		unsupportedHost() ?? whyNoExecution(n8n),
		webhookKey === '' ? NO_KEY : undefined,
		...unprintable(credential),
		...settings.problems,
		...decisions,
		...problems,
		!isTest && mayAsk(n8n.getNode()) ? whyNoAnswer(n8n) : undefined,
		sample && unsafeUrl(testUrl),
	].filter((each) => each !== undefined);
	return problem === undefined ? { sample, testUrl, webhookKey } : { problem };
}

const NO_SAMPLE = { sample: undefined, problems: [] };

/**
 * Returns the problems of keys that are not printable ASCII. A header cannot carry other characters, so no delivery
 * would match.
 */
function unprintable({ webhookKey, previousWebhookKey }: CardTreasuryCredential): string[] {
	const keys = { 'Webhook Key': webhookKey, 'Previous Webhook Key': previousWebhookKey };
	return Object.entries(keys).flatMap(([label, key]) => {
		const position = unprintableIn(key.trim());
		return position === undefined
			? []
			: [
					`Character ${position} of the ${label} in the credential is not printable ASCII, so no delivery would match it. Copy the key again from the service.`,
				];
	});
}
