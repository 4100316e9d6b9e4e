import { createHmac } from 'node:crypto';

import { SLACK_CREDENTIAL, type SlackButton, type SlackUser } from './slackStandIn.mts';

/** Reports the click to n8n as Slack does: a form signed with the app's signing secret. */
export async function pressButton(
	n8nUrl: string,
	action: NonNullable<SlackButton['action']>,
	{ user, channel, ts }: { user: SlackUser; channel: string; ts: string },
): Promise<void> {
	const payload = {
		type: 'block_actions',
		user,
		channel: { id: channel },
		message: { ts, blocks: [] },
		actions: [{ action_id: action.id, value: action.value }],
	};
	const body = new URLSearchParams({ payload: JSON.stringify(payload) }).toString();
	const timestamp = String(Math.floor(Date.now() / 1000));
	const signature = createHmac('sha256', SLACK_CREDENTIAL.signatureSecret)
		.update(`v0:${timestamp}:${body}`)
		.digest('hex');
	const answer = await fetch(`${n8nUrl}/webhook-waiting-slack`, {
		method: 'POST',
		headers: {
			'content-type': 'application/x-www-form-urlencoded',
			'x-slack-request-timestamp': timestamp,
			'x-slack-signature': `v0=${signature}`,
		},
		body,
	});
	await answer.text();
}
