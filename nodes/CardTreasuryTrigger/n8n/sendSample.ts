import { randomUUID } from 'node:crypto';
import { sleep, type IHookFunctions } from 'n8n-workflow';

import { sampleOf } from '../events/samples';

/** n8n 2.41 listens on the test URL only after the hook `create` has returned. */
const LISTENS_AFTER_MS = 300;

const TIMEOUT_MS = 30_000;

/** Posts a sample to the test URL, so that *Execute step* need not wait for a real event. Never throws. */
export async function sendSample(
	n8n: IHookFunctions,
	url: string,
	event: string,
	webhookKey: string,
): Promise<void> {
	const unsent = (why: string) =>
		n8n.logger.warn(
			`${n8n.getNode().name}: the sample of ${event} did not reach the test URL: ${why}. Still waiting for a real event.`,
		);
	try {
		await sleep(LISTENS_AFTER_MS);
		const operationId = `sample-${randomUUID()}`;
		const now = new Date();
		const { statusCode } = await n8n.helpers.httpRequest({
			method: 'POST',
			url,
			headers: {
				'X-Webhook-Key': webhookKey,
				'X-Request-Timestamp': String(now.getTime()),
				'X-Trace-Id': operationId,
			},
			body: sampleOf(event, operationId, now),
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
