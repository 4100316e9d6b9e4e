import { eventually } from '../../harness/n8n/executions.mts';
import type { SlackMessage, SlackUser } from '../../harness/slack/slackStandIn.mts';
import type { WorkflowHarness } from '../../harness/workflows/workflowHarness.mts';

/** n8n answers the click first, and changes the message or tells the person a moment later. */
const REACTION_MS = 3_000;

/**
 * Presses a button of a message as a person, and remembers the answer.
 * @throws RangeError with the notice that n8n sends to a person who is not an approver
 */
export async function pressAs(
	{ slack, pressNow }: Pick<WorkflowHarness, 'slack' | 'pressNow'>,
	message: SlackMessage,
	label: string,
	person: SlackUser,
): Promise<void> {
	const before = slack.messages.length;
	await pressNow(message, label, person);
	const isNotice = ({ channel, isPrivate }: SlackMessage) => isPrivate && channel === person.id;
	const notice = () => slack.messages.slice(before).find(isNotice);
	const isOver = async () => message.updated !== undefined || notice() !== undefined;
	await eventually(isOver, REACTION_MS).catch(() => undefined);
	const refusal = notice();
	if (refusal) throw new RangeError(`Slack, only to ${person.name}: ${refusal.text}`);
	if (message.updated) message.answer = { label, by: person.name };
}
