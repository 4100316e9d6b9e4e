import type { SlackMessage } from '../../harness/slack/slackStandIn.mts';
import type { WorkflowHarness } from '../../harness/workflows/workflowHarness.mts';
import { pressAs } from './pressAs.mts';

const BEN = { id: 'U2', name: 'ben' };
const ANA = { id: 'U1', name: 'ana' };
const messageTo = (channel: string, fields: Partial<SlackMessage> = {}): SlackMessage => ({
	...{ ts: '1', at: '', channel, text: 'You may not.', buttons: [] },
	...fields,
});

/** Slack in which a click has this effect a moment later. */
function slackWith(effect: (messages: SlackMessage[], pressed: SlackMessage) => void) {
	const messages = [messageTo(BEN.id, { isPrivate: true }), messageTo('#card-blocks')];
	const pressNow = async () => void setTimeout(() => effect(messages, messages[1]!), 20);
	const harness = { slack: { messages }, pressNow } as unknown as WorkflowHarness;
	return { press: pressAs(harness, messages[1]!, 'Unblock', BEN) };
}

it('a person who is refused is told so where the button was pressed', async () => {
	const { press } = slackWith((messages) => messages.push(messageTo(BEN.id, { isPrivate: true })));
	await expect(press).rejects.toThrow('Slack, only to ben: You may not.');
});

it.each<[string, Parameters<typeof slackWith>[0]]>([
	['a decision', (_, pressed) => (pressed.updated = { text: '', buttons: [] })],
	[
		'a decision, with a notice to another person',
		(messages, pressed) => {
			messages.push(messageTo(ANA.id, { isPrivate: true }));
			pressed.updated = { text: '', buttons: [] };
		},
	],
])('%s is no refusal', async (_, effect) => {
	await expect(slackWith(effect).press).resolves.toBeUndefined();
});
