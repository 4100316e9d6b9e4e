import { OWNER } from '../../harness/n8n/n8n.mts';
import { IDS } from '../../simulator/index.mts';
import { DEMOS } from './demo.mts';
import type { BroughtUp } from './workflows.mts';

/** What to open and what to try, once everything runs. */
export function welcome(n8nUrl: string, simulatorUrl: string, flows: BroughtUp): string[] {
	const editor = ({ id }: { id: string }) => `${n8nUrl}/workflow/${id}`;
	const emit = `npm run simulator -- emit cards.card_blocked_by_velocity --to ${flows.router.url} --set data.card_id=${IDS.blockedCard}`;
	return [
		'',
		`Open n8n in a browser: ${n8nUrl}/home/workflows`,
		`Sign in with:          ${OWNER.email} / ${OWNER.password}`,
		`Simulated service:     ${simulatorUrl} (no real money moves)`,
		'',
		'These workflows are set up and published; what they send to Slack and by email appears here:',
		`  Card blocked by velocity  ${editor(flows.velocity)}`,
		`  Scheduled treasury sweep  ${editor(flows.sweep)}`,
		`  KYC follow-up             ${editor(flows.kyc)}`,
		`  Event router              ${editor(flows.router)}`,
		'In the list of workflows their names begin with "Demo:", and so do those of their data tables: what you import yourself starts empty.',
		`The other ${DEMOS.length} workflows there are one for each operation, such as "Demo: card get". Each ran once at the start: open one to see how the operation is set up.`,
		'',
		'Card blocked by velocity: in a second terminal, in this folder, let a velocity rule block a card:',
		'',
		`  ${emit}`,
		'',
		'  Then open one of the links in the message to decide. Use a normal browser: link previews do not count as a click.',
		'  Run the command again to see the note about a second block within a day.',
		'',
		'Scheduled treasury sweep: click the arrow next to Execute workflow, choose "from Every day at 18:00", then click Execute workflow.',
		'  It moves money of the simulator. The treasury.transfer event that confirms it arrives at the event router.',
		'',
		'KYC follow-up: click the arrow next to Execute workflow, choose "from Every weekday at 9:00", then click Execute workflow.',
		'  The email to the client appears here. Open one of its links to send the document as the client does.',
		'',
		'Press Ctrl-C to stop.',
	];
}
