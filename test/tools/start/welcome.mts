import { OWNER } from '../../harness/n8n/n8n.mts';
import type { EveryWorkflow } from '../../harness/workflows/everyWorkflow.mts';
import { IDS } from '../../simulator/index.mts';
import { DEMOS } from './demo.mts';

/** Text with the next step and the other possibilities, once everything runs. */
export function welcome(n8nUrl: string, simulatorUrl: string, flows: EveryWorkflow): string[] {
	const editor = ({ id }: { id: string }) => `${n8nUrl}/workflow/${id}`;
	const emit = `npm run simulator -- emit cards.card_blocked_by_velocity --to ${flows.router.url} --set data.card_id=${IDS.blockedCard}`;
	return [
		'',
		`n8n:               ${n8nUrl}/home/workflows (${OWNER.email} / ${OWNER.password})`,
		`Simulated service: ${simulatorUrl} (no real money moves)`,
		'',
		'Next: let a velocity rule block a card. In a second terminal, in this folder:',
		'',
		`  ${emit}`,
		'',
		'A question appears here, as it would in Slack. Open the link of "Unblock the card" in a browser: the card is unblocked, and that is told here too.',
		'',
		'Set up and published, with what they send to Slack and by email shown here:',
		`  Card blocked by velocity  ${editor(flows.card)}`,
		`  Event router              ${editor(flows.router)}`,
		`  KYC reminders             ${editor(flows.reminders)} (Execute workflow: the email has the link of KYC upload)`,
		`  KYC upload                ${editor(flows.upload)}`,
		`  KYC status changed        ${editor(flows.status)}`,
		`  Treasury sweep            ${editor(flows.sweep)} (Execute workflow: moves money of the simulator)`,
		`  … with approval           ${editor(flows.approval)} (Execute workflow: the question appears here)`,
		`  Treasury confirmations    ${editor(flows.confirmations)}`,
		`The other ${DEMOS.length} workflows in the list show one operation each, such as "Card: Get". Each ran once at the start.`,
		'',
		'Press Ctrl-C to stop.',
	];
}
