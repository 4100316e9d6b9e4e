import { randomUUID } from 'node:crypto';
import { sleep, type IDataObject, type IHookFunctions } from 'n8n-workflow';

import { checkBaseUrl } from '../../service/credential';
import { isObject } from '../../service/isObject';
import { EVENTS_BY_NAME, OTHER, eventName, route, sampleOf, type EventDefinition } from '../events';
import type { ReadParameter } from '../settings';

/** What a test run in the editor begins with. */
export interface Sample {
	event: EventDefinition;
	/** Merged into its data. */
	changes: Record<string, unknown>;
}

/** What goes to the output of other events, when only that is chosen. */
const ANY_EVENT = 'cards.authorized';

/** Reads *Test With* and *Sample Changes*: a sample, what is wrong, or nothing when a real event is awaited. */
export function readSample(
	read: ReadParameter,
	events: readonly string[],
): Sample | string | undefined {
	const given = read('testEvent', 'first');
	if (given === 'real') return undefined;
	const first = events.find((name) => name !== OTHER) ?? ANY_EVENT;
	const name = given === 'first' ? first : String(given);
	const event = EVENTS_BY_NAME.get(name);
	const label = (of: string) => EVENTS_BY_NAME.get(of)?.label ?? of;
	if (event === undefined || route(events, name) === undefined)
		return `Test With is ${label(name)}, but Events has only ${events.map(label).join(', ')}. Change Test With.`;
	const options = read('options', {});
	const changes = parsed(isObject(options) ? (options.sampleChanges ?? {}) : {});
	return isObject(changes)
		? { event, changes }
		: 'Sample Changes is not a JSON object. Enter the fields of data to change, for example {"bill_amount": "20.00"}.';
}

function parsed(value: unknown): unknown {
	if (typeof value !== 'string') return value;
	try {
		return value.trim() === '' ? {} : JSON.parse(value);
	} catch {
		return undefined;
	}
}

/** Why a sample must not be sent there: it carries the webhook key. */
export function unsafeUrl(url: string): string | undefined {
	return checkBaseUrl(url).ok
		? undefined
		: 'The sample carries the webhook key, so it is sent only to a test URL that starts with https://, or is on this machine. Set WEBHOOK_URL of this n8n to its https address, or set Test With to Wait for a Real Event.';
}

/** n8n 2.41 listens on the test URL only after the hook `create` has returned. */
const LISTENS_AFTER_MS = 300;

const TIMEOUT_MS = 30_000;

/** Posts a sample to the test URL, so that *Execute step* need not wait for a real event. Never throws. */
export async function sendSample(
	n8n: IHookFunctions,
	url: string,
	{ event, changes }: Sample,
	webhookKey: string,
): Promise<void> {
	const unsent = (why: string) =>
		n8n.logger.warn(
			`${n8n.getNode().name}: the sample of ${eventName(event)} did not reach the test URL: ${why}. Still waiting for a real event.`,
		);
	try {
		await sleep(LISTENS_AFTER_MS);
		const operationId = `sample-${randomUUID()}`;
		const now = new Date();
		const sample = sampleOf(event, operationId, now);
		const { statusCode } = await n8n.helpers.httpRequest({
			method: 'POST',
			url,
			headers: {
				'X-Webhook-Key': webhookKey,
				'X-Request-Timestamp': String(now.getTime()),
				'X-Trace-Id': operationId,
			},
			body: { ...sample, data: merged(sample.data, changes) as IDataObject },
			json: true,
			timeout: TIMEOUT_MS,
			disableFollowRedirect: true,
			ignoreHttpStatusErrors: true,
			returnFullResponse: true,
		});
		if (statusCode === 403) unsent("this n8n's own address is not in IP Allowlist");
		else if (statusCode !== 200) unsent(`it was answered with HTTP ${statusCode}`);
	} catch (thrown) {
		unsent(String(thrown));
	}
}

/** Objects are merged field by field; anything else replaces what was there. */
function merged(value: unknown, changes: unknown): unknown {
	if (!isObject(changes) || !isObject(value)) return changes;
	const fields = Object.entries(changes).map(([name, change]) => [
		name,
		merged(value[name], change),
	]);
	return { ...value, ...(Object.fromEntries(fields) as object) };
}
