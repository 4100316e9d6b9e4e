import { randomUUID } from 'node:crypto';
import { NodeOperationError, sleep, type IDataObject, type IHookFunctions } from 'n8n-workflow';

import {
	acceptedWebhookKeys,
	CREDENTIAL_TYPE,
	PRINTABLE_KEY,
	readCredential,
} from '../shared/credential';
import { isObject } from '../shared/isObject';
import { readDeciding, type Read } from '../shared/rules/read';
import { sentences } from '../shared/text';
import { AUTHORIZATION, ENTRIES, OTHER, outputOf, sampleOf, type Envelope } from './events';
import { mayAsk, whyNoAnswer, whyNoExecution } from './n8n';
import { readEvents } from './settings';

/** n8n 2.41 listens on the test URL only after the hook has returned. */
const LISTENS_AFTER_MS = 300;

/**
 * Checks the settings when a person publishes the workflow or tests it. Registers nothing, because the user enters the
 * webhook URL at the service (§4.14).
 */
export async function publish(n8n: IHookFunctions): Promise<boolean> {
	const isTest = n8n.getMode() === 'manual';
	const checked = await check(n8n, isTest).catch((thrown: unknown) => (thrown as Error).message);
	if (typeof checked !== 'string') {
		if (checked.sample) void send(n8n, checked.sample, checked.key);
		return true;
	}
	// n8n removes a webhook whose hook fails when it starts or changes its leader: the URL would answer 404.
	if (!isTest && ['init', 'leadershipChange'].includes(n8n.getActivationMode())) {
		n8n.logger.error(`${n8n.getNode().name} has a problem, and stays published: ${checked}`);
		return true;
	}
	// n8n does not retry an activation whose message has the word "Authorization" (2.41).
	const problem = checked.replaceAll('Authorization', 'authorization');
	// n8n removes the old webhook before it activates the new one.
	const down = isTest ? '' : 'Until this workflow is published, its webhook URL answers 404.';
	throw new NodeOperationError(n8n.getNode(), sentences(problem, down));
}

/** Returns the first problem, or the sample for a test run and the key to send it with. */
async function check(
	n8n: IHookFunctions,
	isTest: boolean,
): Promise<string | { sample?: Envelope; key: string }> {
	const read: Read = (name, fallback) => n8n.getNodeParameter(name, fallback);
	const events = readEvents(read);
	const keys = acceptedWebhookKeys(
		readCredential(await n8n.getCredentials<IDataObject>(CREDENTIAL_TYPE)),
	);
	const sample = isTest ? readSample(read, events) : undefined;
	const problem = [
		whyNoExecution(n8n),
		keys.length === 0 &&
			'The credential has no Webhook Key, so every delivery would be rejected. Enter the one that is set at the service.',
		keys.some((key) => !new RegExp(PRINTABLE_KEY).test(key)) &&
			'A webhook key in the credential has a character that no header can carry. Copy it again.',
		events.length === 0 && 'Events is empty. Choose at least one.',
		!events.every((name) => name === OTHER || ENTRIES.some((entry) => entry.name === name)) &&
			'Events has an entry that this node does not know. Remove it.',
		...(events.includes(AUTHORIZATION) ? readDeciding(read).problems : []),
		typeof sample === 'string' && sample,
		!isTest && mayAsk(n8n.getNode()) && whyNoAnswer(n8n),
	].find((each) => typeof each === 'string');
	return problem ?? { sample: sample as Envelope | undefined, key: keys[0] ?? '' };
}

/** Sample of *Test With*. Undefined to wait for a real event. A text if there is a problem. */
function readSample(read: Read, events: string[]): Envelope | string | undefined {
	const testEvent = read('testEvent', 'first');
	if (testEvent === 'real') return undefined;
	const first = events.find((name) => name !== OTHER) ?? 'cards.authorized';
	const entry = testEvent === 'first' ? first : String(testEvent);
	const sample = sampleOf(entry, `sample-${randomUUID()}`, new Date());
	const changes = readChanges(read);
	if (changes === undefined)
		return 'Sample Changes is not a JSON object. Enter for example {"status": "failed"}.';
	if (sample === undefined || outputOf(events, sample) === undefined)
		return 'Test With is not one of the chosen events. Change it.';
	return merged(sample, changes) as Envelope;
}

function readChanges(read: Read): Record<string, unknown> | undefined {
	const { sampleChanges: entered = {} } = read('options', {}) as IDataObject;
	try {
		const changes: unknown = typeof entered === 'string' ? JSON.parse(entered || '{}') : entered;
		return isObject(changes) ? changes : undefined;
	} catch {
		return undefined;
	}
}

/** Merges objects field by field. Any other change replaces the value. */
function merged(value: unknown, changes: unknown): unknown {
	if (!isObject(changes) || !isObject(value)) return changes;
	const changed = Object.entries(changes).map(([name, change]) => [
		name,
		merged(value[name], change),
	]);
	return { ...value, ...Object.fromEntries(changed) };
}

/** Sends a sample to the test URL, so that *Execute step* need not wait for a real event. Never throws. */
async function send(n8n: IHookFunctions, sample: Envelope, webhookKey: string): Promise<void> {
	try {
		await sleep(LISTENS_AFTER_MS);
		await n8n.helpers.httpRequest({
			method: 'POST',
			url: n8n.getNodeWebhookUrl('default') ?? '',
			headers: {
				'X-Webhook-Key': webhookKey,
				'X-Request-Timestamp': String(Date.now()),
				'X-Trace-Id': `sample-${randomUUID()}`,
			},
			body: sample as IDataObject,
			disableFollowRedirect: true,
			timeout: 30_000,
		});
	} catch (thrown) {
		n8n.logger.warn(
			`${n8n.getNode().name}: the sample did not reach the test URL: ${String(thrown)}. Still waiting for a real event.`,
		);
	}
}
