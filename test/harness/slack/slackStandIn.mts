import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import lodash from 'lodash';

import { listen } from '../../simulator/listen.mts';

export interface SlackMessage {
	/** Timestamp that names the message, as in Slack. */
	ts: string;
	/** Timestamp of the message that this one answers in a thread. */
	thread?: string;
	at: string;
	/** `#channel` or `@user` of the workflow, or the user's ID of a private notice. */
	channel: string;
	text: string;
	/** True if only the user named as the channel sees it. */
	isPrivate?: true;
	updated?: { text: string; buttons: SlackButton[] };
	buttons: SlackButton[];
	/** Button that a person pressed on the console. */
	answer?: { label: string; by: string };
}

interface SlackButton {
	label: string;
	/** URL that a click opens; empty for a button whose click Slack reports to n8n. */
	url: string;
	/** Data that Slack reports for a click; undefined for a link. */
	action?: { id: string; value: string };
}

export interface SlackUser {
	id: string;
	name: string;
}

export const PEOPLE: readonly SlackUser[] = [
	{ id: 'U0000000001', name: 'ana' },
	{ id: 'U0000000002', name: 'ben' },
	{ id: 'U0000000003', name: 'chloe' },
	{ id: 'U0000000009', name: 'mallory' },
];

export const SLACK_CREDENTIAL = {
	accessToken: 'xoxb-test-only',
	signatureSecret: 'test-only-signing-secret',
	allowedHttpRequestDomains: 'all',
};

/** Stand-in for slack.com: accepts the requests of n8n's own Slack node and delivers nothing. */
export async function startSlackStandIn() {
	const server = createServer((incoming, response) => {
		const method = incoming.url?.split('?')[0]?.replace('/api/', '') ?? '';
		const answer = (body: string) =>
			response
				.writeHead(200, { 'Content-Type': 'application/json' })
				.end(JSON.stringify(answerTo(method, body)));
		// The body of an n8n that was killed never ends.
		text(incoming).then(answer, () => undefined);
	});

	// Unlike any of an earlier stand-in, whose messages a demo keeps.
	let count = Math.floor(Date.now() / 1_000);
	const takenAt = new Map<string, number>();

	/** Slack accepts about one message a second per channel. */
	function tooSoon(channel: string): string | undefined {
		if (Date.now() - (takenAt.get(channel) ?? 0) < 1_000) return 'ratelimited';
		takenAt.set(channel, Date.now());
		return undefined;
	}

	/** @param method of Slack's Web API, e.g. `chat.postMessage` */
	function answerTo(method: string, body: string): object {
		if (method === 'auth.test' || method === 'users.profile.get')
			return { ok: true, user: 'stand-in' };
		if (method === 'conversations.list') {
			return { ok: true, channels: CHANNELS.map((name) => ({ id: `#${name}`, name })) };
		}
		if (method === 'users.list')
			return { ok: true, members: PEOPLE.map((user) => ({ ...user, deleted: false })) };
		if (method === 'users.info') return { ok: true, user: {} };
		if (method === 'chat.update') return update(JSON.parse(body) as PostedMessage);
		if (method === 'chat.postEphemeral') {
			const { user, text } = JSON.parse(body) as { user: string; text: string };
			keep({ channel: user, text, buttons: [], isPrivate: true });
			return { ok: true };
		}
		if (method !== 'chat.postMessage') return { ok: false, error: 'unknown_method' };
		const posted = JSON.parse(body) as PostedMessage;
		const message = readMessage(posted);
		const refusal = standIn.refuse(message) ?? refusedBySlack(posted) ?? tooSoon(message.channel);
		if (refusal !== undefined) return { ok: false, error: refusal };
		const { channel, ts, text: shown } = keep(message);
		return { ok: true, channel, ts, message: { text: shown, ts } };
	}

	function keep(message: Omit<SlackMessage, 'ts' | 'at'>): SlackMessage {
		const kept = { ...message, ts: `${++count}.000000`, at: new Date().toISOString() };
		standIn.messages.push(kept);
		return kept;
	}

	function update(posted: PostedMessage): object {
		const message = standIn.messages.find(({ ts }) => ts === posted.ts);
		if (!message) return { ok: false, error: 'message_not_found' };
		const { text, buttons } = readMessage(posted);
		message.updated = { text, buttons };
		return { ok: true, channel: posted.channel, ts: message.ts };
	}

	const { url, close } = await listen(server);
	const redirect = pathToFileURL(join(import.meta.dirname, 'redirect.mjs')).href;
	const standIn = {
		messages: new Array<SlackMessage>(),
		/** Environment for n8n that redirects its requests for slack.com to this server. */
		env: { NODE_OPTIONS: `--import=${redirect}`, SLACK_STAND_IN_URL: url },
		/** Returns the Slack error for a message, e.g. `channel_not_found`; undefined accepts it. */
		refuse: (_message: Omit<SlackMessage, 'ts' | 'at'>): string | undefined => undefined,
		close,
	};
	return standIn;
}

const CHANNELS = [
	'card-blocks',
	'card-risk',
	'kyc',
	'treasury',
	'treasury-approvals',
	'operations',
];

/** Slack's limits on a message: characters of its text, of a section and of a button, and blocks. */
const LIMITS = { text: 40_000, section: 3_000, button: 75, blocks: 50 };

function refusedBySlack({ text = '', blocks = [] }: PostedMessage): string | undefined {
	if (text.length > LIMITS.text) return 'msg_too_long';
	const labels = blocks.flatMap(({ elements = [] }) =>
		elements.map((element: any) => element.text),
	);
	const tooLong =
		blocks.some((block) => (block.text?.text.length ?? 0) > LIMITS.section) ||
		labels.some((label) => (label?.text?.length ?? 0) > LIMITS.button);
	return tooLong || blocks.length > LIMITS.blocks ? 'invalid_blocks' : undefined;
}

/** Post of the Slack node: a text, or the blocks of a question with its buttons. */
interface PostedMessage {
	channel: string;
	ts?: string;
	thread_ts?: string;
	text?: string;
	/** Slack's Block Kit. An element of a context block is a text itself. */
	blocks?: any[];
}

function readMessage({
	channel,
	text = '',
	blocks = [],
	thread_ts: thread,
}: PostedMessage): Omit<SlackMessage, 'ts' | 'at'> {
	const sections = blocks
		.filter(({ type }) => type === 'section')
		.map((block) => block.text?.text ?? '');
	const buttons = blocks
		.flatMap(({ elements = [] }) => elements)
		.filter(({ type }) => type === 'button');
	return {
		channel,
		...(thread !== undefined && { thread }),
		text: lodash.unescape([text, ...sections].join('\n').trim()),
		buttons: buttons.map(({ text: label, url = '', action_id: id, value }) => ({
			label: String(label.text),
			url,
			...(id !== undefined && value !== undefined && { action: { id, value } }),
		})),
	};
}

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
