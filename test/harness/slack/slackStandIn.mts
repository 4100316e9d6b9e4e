import { createServer } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import lodash from 'lodash';

import { listen } from '../../simulator/listen.mts';

export interface SlackMessage {
	/** `#channel` or `@user` of the workflow, or the user's ID of a private notice. */
	channel: string;
	/** Unescaped text, which Slack shows. */
	text: string;
	buttons: SlackButton[];
}

export interface SlackButton {
	label: string;
	/** URL that a click opens; empty for a button whose click Slack reports to n8n. */
	url: string;
	/** Data that Slack reports for a click; undefined for a link. */
	action?: { id: string; value: string };
}

/** `data` of a Slack credential for the stand-in. */
export const SLACK_CREDENTIAL = {
	accessToken: 'xoxb-test-only',
	signatureSecret: 'test-only-signing-secret',
	allowedHttpRequestDomains: 'all',
};

/**
 * Stand-in for slack.com: accepts the requests of n8n's own Slack node and delivers nothing.
 * @param onMessage called for each message
 */
export async function startSlackStandIn(
	onMessage: (message: SlackMessage) => void = () => undefined,
) {
	const server = createServer((incoming, response) => {
		const method = incoming.url?.split('?')[0]?.replace('/api/', '') ?? '';
		const answer = (body: string) =>
			response
				.writeHead(200, { 'Content-Type': 'application/json' })
				.end(JSON.stringify(answerTo(method, body)));
		// The body of an n8n that was killed never ends.
		text(incoming).then(answer, () => undefined);
	});

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
			return { ok: true, members: [{ id: 'U0000000001', name: 'approver', deleted: false }] };
		if (method === 'users.info') return { ok: true, user: {} };
		if (method === 'chat.update') return { ok: true };
		if (method === 'chat.postEphemeral') {
			const { user, text } = JSON.parse(body) as { user: string; text: string };
			standIn.messages.push({ channel: user, text, buttons: [] });
			return { ok: true };
		}
		if (method !== 'chat.postMessage') return { ok: false, error: 'unknown_method' };
		const posted = JSON.parse(body) as PostedMessage;
		const message = readMessage(posted);
		const refusal = standIn.refuse(message) ?? refusedBySlack(posted) ?? tooSoon(message.channel);
		if (refusal !== undefined) return { ok: false, error: refusal };
		standIn.messages.push(message);
		onMessage(message);
		return {
			ok: true,
			channel: message.channel,
			ts: `${standIn.messages.length}.000000`,
			message: { text: message.text },
		};
	}

	const { url, close } = await listen(server);
	const redirect = pathToFileURL(join(import.meta.dirname, 'redirect.mjs')).href;
	const standIn = {
		messages: new Array<SlackMessage>(),
		/** Environment for n8n that redirects its requests for slack.com to this server. */
		env: { NODE_OPTIONS: `--import=${redirect}`, SLACK_STAND_IN_URL: url },
		/** Returns the Slack error for a message, e.g. `channel_not_found`; undefined accepts it. */
		refuse: takesAll,
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

const takesAll = (_: SlackMessage): string | undefined => undefined;

/** Longest text of a section that Slack accepts. */
const LONGEST_SECTION = 3_000;

const refusedBySlack = ({ blocks = [] }: PostedMessage) =>
	blocks.some(({ text }) => (text?.text.length ?? 0) > LONGEST_SECTION)
		? 'invalid_blocks'
		: undefined;

/** Post of the Slack node: a text, or the blocks of a question with its buttons. */
interface PostedMessage {
	channel: string;
	text?: string;
	blocks?: Array<{
		type: string;
		text?: { text: string };
		elements?: Array<{
			type: string;
			url?: string;
			action_id?: string;
			value?: string;
			text: { text: string };
		}>;
	}>;
}

function readMessage({ channel, text = '', blocks = [] }: PostedMessage): SlackMessage {
	const sections = blocks
		.filter(({ type }) => type === 'section')
		.map((block) => block.text?.text ?? '');
	const buttons = blocks
		.flatMap(({ elements = [] }) => elements)
		.filter(({ type }) => type === 'button');
	return {
		channel,
		text: lodash.unescape([text, ...sections].join('\n').trim()),
		buttons: buttons.map(({ text: label, url = '', action_id: id, value }) => ({
			label: label.text,
			url,
			...(id !== undefined && value !== undefined && { action: { id, value } }),
		})),
	};
}
