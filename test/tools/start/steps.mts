import { eventually } from '../../harness/n8n/scenario.mts';
import { writeTable } from '../../harness/workflows/dataTables.mts';
import { walletRow } from '../../harness/workflows/everyWorkflow.mts';
import { runFrom } from '../../harness/workflows/imported.mts';
import type { WorkflowHarness } from '../../harness/workflows/workflowHarness.mts';
import type { Step } from '../../simulator/console/company.mts';
import { IDS } from '../../simulator/index.mts';
import { pressAs } from './pressAs.mts';
import type { Traces } from './traces.mts';
import { APPROVERS, today, type Flows } from './workflows.mts';

/** Balance of the wallet that is swept, and what is above its floor. */
const BALANCE = '1000.10';
const SWEPT = '999.8';

/** First steps of the page, each of which can be done again. */
export function stepsOf(
	harness: WorkflowHarness,
	flows: Flows,
	traces: Traces,
	timeZone: string,
	buy: (amount: string) => void,
): Step[] {
	const { simulator, slack, smtp } = harness;
	const { n8n } = harness.scenario;
	const card = () => simulator.state.card(IDS.activeCard);
	/** Open question about the card, also after the user has changed its channel or wording. */
	const question = () =>
		slack.messages.findLast(
			({ text, buttons, updated }) =>
				(updated?.buttons ?? buttons).length > 0 && text.includes(card().last4),
		);
	let wasBlocked = false;
	let sweeps = 0;
	/** Payments with the amount of the step's sweep. Other flows may have paid, too. */
	const paid = () =>
		simulator.ledger.filter(
			({ operation, amountText }) => operation === 'wallet.transfer' && amountText === SWEPT,
		).length;
	const done = (is: boolean) => (is ? 'done' : 'open');
	const of = ({ id }: { id: string }) => ({ execution: () => traces.executionOf(id) });
	/** Attempt of the last block. The router also has executions for other events. */
	const blocking = () =>
		simulator.deliveries
			.findLast(({ event }) => event.event_type === 'card_blocked_by_velocity')
			?.attempts.at(-1);
	return [
		{
			name: 'block',
			title: 'A velocity rule blocks a card',
			text: 'Ana’s card •••• 4001 pays four times within a minute. The service blocks it and sends an event.',
			button: 'Block the card',
			shows: 'money',
			execution: () => traces.of(blocking()?.traceId ?? '')?.execution,
			state: () => done(wasBlocked),
			async run() {
				Object.assign(card(), { blocked: false, approvedAt: [] });
				wasBlocked = true;
				const { maxAuthorizations } = card().velocityRule;
				for (let n = 0; n <= maxAuthorizations; n++) simulator.events.authorize(IDS.activeCard);
				await eventually(async () => question() !== undefined, 20_000).catch(() => undefined);
			},
		},
		{
			name: 'ask',
			title: 'You are asked',
			text: 'The workflow asks in Slack: see the inbox. Only its approvers may answer: ana and ben, unless you change them.',
			button: 'Unblock as ben',
			shows: 'inbox',
			...of(flows.card),
			state: () => (question() && card().blocked ? 'waiting' : done(wasBlocked && !card().blocked)),
			async run() {
				const asked = question();
				if (!asked) throw new RangeError('There is no open question. Block the card first.');
				// n8n puts the button that approves last.
				await pressAs(harness, asked, asked.buttons.at(-1)!.label, APPROVERS[1]!);
			},
		},
		{
			name: 'unblocked',
			title: 'Unblocked',
			text: 'The workflow unblocks the card and says so in the same channel.',
			button: 'Look at the card',
			shows: 'money',
			opens: true,
			...of(flows.card),
			state: () => done(wasBlocked && !card().blocked),
			run: async () => undefined,
		},
		{
			name: 'sweep',
			title: 'A treasury sweep',
			text: 'Sends what a wallet holds above its floor. Run it twice: the second run pays nothing again.',
			button: 'Run the sweep',
			shows: 'money',
			...of(flows.sweep),
			state: () => done(sweeps > 0),
			result() {
				if (sweeps === 0) return undefined;
				const earlier =
					paid() > 0
						? ''
						: '. It was paid today, before: once per day, or after npm start -- --fresh';
				return `Run ${sweeps} ×, money moved ${paid()} ×${earlier}`;
			},
			async run() {
				const row = { ...walletRow(IDS.wallet, BALANCE), balance_day: today(timeZone) };
				await writeTable(n8n, 'Treasury wallets', [row]);
				await runFrom(n8n, flows.sweep, 'Every day at 18:00');
				sweeps += 1;
			},
		},
		{
			name: 'kyc',
			title: 'A KYC reminder',
			text: 'Clients get an email about what is missing, with a link to a form. Send a passport there.',
			button: 'Send the reminders',
			shows: 'inbox',
			...of(flows.reminders),
			state: () => done(smtp.mails.length > 0),
			run: async () => void (await runFrom(n8n, flows.reminders, 'Every Monday at 9:00')),
		},
		{
			name: 'purchase',
			title: 'A purchase that is asked',
			text: 'Rules decide small purchases and gambling. A laptop for 480 USD is decided by the workflow.',
			button: 'Buy a laptop for 480 USD',
			shows: 'events',
			...of(flows.purchases),
			state: () =>
				done(simulator.deliveries.some(({ event }) => event.event_type === 'authorization')),
			run: async () => buy('480.00'),
		},
	];
}
