import type { IDataObject, IHookFunctions } from 'n8n-workflow';

import { processClock } from '../../shared/clock';
import { InvalidFieldError, orInvalid } from '../../shared/fields/invalidField';
import { readBaseUrl } from '../../shared/fields/text';
import { isObject } from '../../shared/isObject';
import { harmless } from '../../shared/plainLine';
import { NOT_ALLOWED } from '../delivery/admit';
import { eventName } from '../events';
import type { Sample } from '../settings';

/**
 * Delay in milliseconds before the sample is sent. n8n 2.41 listens on the test URL only after the hook `create` has
 * returned.
 */
const LISTENS_AFTER_MS = 300;

const TIMEOUT_MS = 30_000;

/**
 * Returns the reason why a sample must not be sent to the URL. A sample carries the webhook key. Undefined if the URL
 * is safe.
 */
export function unsafeUrl(url: string): string | undefined {
	return !(orInvalid(() => readBaseUrl(url)) instanceof InvalidFieldError)
		? undefined
		: 'The sample carries the webhook key, so it is sent only to a test URL that starts with https://, or is on this machine. Set WEBHOOK_URL of this n8n to its https address, or set Test With to Wait for a Real Event.';
}

/** Sends a sample to the test URL, so that *Execute step* need not wait for a real event. Never throws. */
export async function sendSample(
	n8n: IHookFunctions,
	url: string,
	{ id, envelope }: Sample,
	webhookKey: string,
): Promise<void> {
	const unsent = (why: string) =>
		n8n.logger.warn(
			`${n8n.getNode().name}: the sample of ${eventName(envelope)} did not reach the test URL: ${why}. Still waiting for a real event.`,
		);
	try {
		await processClock.wait(LISTENS_AFTER_MS);
		const { statusCode, body, headers } = await n8n.helpers.httpRequest({
			method: 'POST',
			url,
			headers: {
				'X-Webhook-Key': webhookKey,
				'X-Request-Timestamp': String(Date.now()),
				'X-Trace-Id': id,
			},
			body: envelope as IDataObject,
			json: true,
			timeout: TIMEOUT_MS,
			disableFollowRedirect: true,
			ignoreHttpStatusErrors: true,
			returnFullResponse: true,
		});
		const isOurs = isObject(body) && 'response_code' in body;
		if (statusCode !== 200 || !isOurs) unsent(whyRefused(statusCode, body, headers?.location));
	} catch (thrown) {
		unsent(String(thrown));
	}
}

/** Says what answered. A proxy or firewall answers in its own form, and this trigger in that of the service (§7). */
function whyRefused(status: number, body: unknown, location: unknown): string {
	const answered = `it was answered with HTTP ${status}`;
	const { code, message } = NOT_ALLOWED.body;
	if (isObject(body) && body.code === code && body.message === message)
		return `${answered}, because this n8n's own address is not in IP Allowlist`;
	if (typeof location === 'string')
		return `${answered}, which leads to ${harmless(location)}. Set WEBHOOK_URL of this n8n to an address that leads here`;
	const text = harmless(typeof body === 'string' ? body : JSON.stringify(body ?? ''));
	return text === '' ? answered : `${answered}: ${text}`;
}
