import { startSlackStandIn } from './slackStandIn.mts';

type StandIn = Awaited<ReturnType<typeof startSlackStandIn>>;

let slack: StandIn;
beforeEach(async () => void (slack = await startSlackStandIn()));
afterEach(async () => await slack.close());

const call = async (method: string, body: object) => {
	const url = `${slack.env.SLACK_STAND_IN_URL}/api/${method}`;
	const answer = await fetch(url, { method: 'POST', body: JSON.stringify(body) });
	return (await answer.json()) as { error?: string };
};
const section = (length: number) => ({ type: 'section', text: { text: 'x'.repeat(length) } });

describe('Slack stand-in', () => {
	it.each([
		['msg_too_long', { text: 'x'.repeat(40_001) }],
		['invalid_blocks', { blocks: [section(3_001)] }],
		['invalid_blocks', { blocks: Array.from({ length: 51 }, () => section(1)) }],
		[undefined, { text: 'x'.repeat(40_000), blocks: [section(3_000)] }],
	])('answers %s at the limits of Slack', async (error, message) => {
		expect((await call('chat.postMessage', { channel: '#kyc', ...message })).error).toBe(error);
	});

	it('takes one message a second per channel', async () => {
		const post = async (channel: string) =>
			(await call('chat.postMessage', { channel, text: 'x' })).error;
		const errors = [await post('#kyc'), await post('#kyc'), await post('#treasury')];
		expect(errors).toEqual([undefined, 'ratelimited', undefined]);
	});
});
