import { eventually, isOpen } from '../../harness/n8n/executions.mts';
import { runFrom } from '../../harness/n8n/workflows.mts';
import { setRow } from '../../harness/workflows/dataTables.mts';
import { ANA, clientRow, CLIENTS, waitsFor } from '../../harness/workflows/rows.mts';
import type { WorkflowHarness } from '../../harness/workflows/workflowHarness.mts';
import type { Step } from '../../simulator/console/company.mts';
import { IDS, type EventEnvelope } from '../../simulator/index.mts';
import { pressAs } from './pressAs.mts';
import type { Traces } from './traces.mts';
import { APPROVERS, type Flows } from './workflows.mts';

const SEE = 'see the execution';
/** Person in whose name the step answers. */
const APPROVER = APPROVERS.at(-1)!;

type State = ReturnType<Step['state']>;

/** First steps of the page, each of which can be done again. Their state follows from what was sent and done. */
export function stepsOf(
	harness: WorkflowHarness,
	flows: Flows,
	traces: Traces,
	buy: () => void,
): Step[] {
	const { simulator, slack, smtp } = harness;
	const { n8n } = harness.scenario;
	const card = () => simulator.state.card(IDS.activeCard);
	const latest = (is: (event: EventEnvelope) => boolean) =>
		simulator.deliveries.findLast(({ event }) => is(event));
	const block = () =>
		latest(({ data }) => data.card_id === IDS.activeCard && data.blocked_at !== undefined);
	const isOfCard = new RegExp(`${card().last4}|${IDS.activeCard}`);
	/** Question about the latest block, also after the user has changed its channel or wording. */
	const question = () => {
		const { blocked_at: since = '~' } = block()?.event.data ?? {};
		return slack.messages.findLast(
			({ text, buttons, at }) => buttons.length > 0 && isOfCard.test(text) && at >= String(since),
		);
	};
	/** The button that approves is the last one. */
	const isApproved = () => question()?.answer?.label === question()?.buttons.at(-1)?.label;
	const answered = () => {
		const answer = question()?.answer;
		return answer && `${isApproved() ? 'unblock' : 'left blocked'}, by ${answer.by}`;
	};
	const keyOf = (n: number) => simulator.requests[n - 1]?.headers['idempotency-key'] ?? '';
	/** Transfers of sweeps, as n8n tells their references. Other flows may have paid, too. */
	const paid = () =>
		simulator.ledger.filter(({ request }) =>
			traces.of(keyOf(request))?.reference?.startsWith('sweep '),
		).length;
	const reminders = () => smtp.mails.filter(({ text }) => text.includes('/form/')).length;
	let remindersBefore = 0;
	const runs = { sweep: 0, reminders: 0 };

	const stateOfDelivery = (record: ReturnType<typeof latest>): State => {
		if (!record?.delivery) return record ? 'running' : 'open';
		return record.delivery.delivered ? 'done' : 'failed';
	};
	/** State of a step that runs a workflow: failed if its latest run has ended without the effect. */
	const stateOfRun = ({ id }: { id: string }, wasRun: boolean, isDone: boolean): State => {
		if (!wasRun) return isDone ? 'done' : 'open';
		const execution = traces.latestOf(id);
		if (!execution || isOpen(execution)) return 'running';
		return execution.status === 'success' && isDone ? 'done' : 'failed';
	};
	const of = ({ id }: { id: string }) => ({ execution: () => traces.latestOf(id)?.execution });
	return [
		{
			name: 'block',
			title: 'A velocity rule blocks a card',
			text: 'Ana’s card •••• 4001 pays four times within a minute. The service blocks it and sends an event.',
			...{ button: 'Block the card', shows: 'money' },
			execution: () => traces.of(block()?.attempts.at(-1)?.traceId ?? '')?.execution,
			state: () => stateOfDelivery(block()),
			async run() {
				Object.assign(card(), { blocked: false, frozen: false, approvedAt: [] });
				const { maxAuthorizations } = card().velocityRule;
				for (let n = 0; n <= maxAuthorizations; n++) simulator.events.authorize(IDS.activeCard);
				await eventually(async () => question() !== undefined, 20_000).catch(() => undefined);
			},
		},
		{
			name: 'ask',
			title: 'You are asked',
			text: 'The workflow asks in Slack: see the inbox. Only its approvers may answer: ana and ben, unless you change them.',
			...{ button: `Unblock as ${APPROVER.name}`, shows: 'inbox', ...of(flows.card) },
			state() {
				if (question()) return question()!.updated ? 'done' : 'waiting';
				return stateOfRun(flows.card, block() !== undefined, false);
			},
			result() {
				if (this.state() === 'failed') return `Nobody was asked: ${SEE}`;
				return question()?.updated && `Answered: ${answered() ?? 'not in time'}`;
			},
			async run() {
				const asked = question();
				if (!asked || asked.updated)
					throw new RangeError('There is no open question. Block the card first.');
				await pressAs(harness, asked, asked.buttons.at(-1)!.label, APPROVER);
			},
		},
		{
			name: 'unblocked',
			title: 'Unblocked, or left blocked',
			text: 'The workflow does what was answered, and says so in the same channel.',
			...{ button: 'Look at the card', shows: 'money', opens: true, ...of(flows.card) },
			state() {
				if (!question()?.updated) return 'open';
				return stateOfRun(flows.card, true, !isApproved() || !card().blocked);
			},
			result() {
				if (this.state() === 'failed') return `Still blocked: ${SEE}`;
				if (this.state() !== 'done') return undefined;
				return isApproved() ? 'Unblocked' : `Card ${answered() ?? 'left blocked'}`;
			},
			run: async () => undefined,
		},
		{
			name: 'sweep',
			title: 'A treasury sweep',
			text: 'Reads what a wallet holds from the blockchain, and lets Pay send what is above its floor. Run it twice: the second run finds nothing above it.',
			...{ button: 'Run the sweep', shows: 'money', ...of(flows.sweep) },
			state: () => stateOfRun(flows.sweep, runs.sweep > 0, paid() > 0),
			result() {
				if (this.state() === 'open') return undefined;
				const times = runs.sweep === 0 ? 'Money' : `Run ${runs.sweep} ×, money`;
				return `${times} moved ${paid()} ×${this.state() === 'failed' ? `: ${SEE}` : ''}`;
			},
			async run() {
				await runFrom(n8n, flows.sweep, 'Every day at 18:00');
				runs.sweep += 1;
			},
		},
		{
			name: 'kyc',
			title: 'A KYC reminder',
			text: 'Clients get an email about what is missing, with a link to a form. Send a passport there.',
			...{ button: 'Send the reminders', shows: 'inbox', ...of(flows.followUp) },
			state: () => stateOfRun(flows.followUp, runs.reminders > 0, reminders() > remindersBefore),
			result() {
				if (this.state() === 'failed') return `No reminder was sent: ${SEE}`;
				const sent = reminders() - remindersBefore;
				return this.state() === 'done' ? `${sent} email${sent === 1 ? '' : 's'} sent` : undefined;
			},
			async run() {
				remindersBefore = reminders();
				runs.reminders += 1;
				// As if the client had waited, and nobody had been mailed.
				waitsFor(simulator, 2);
				await setRow(n8n, CLIENTS, 'client_id', ANA.client_id, clientRow({}));
				await runFrom(n8n, flows.followUp, 'Every day at 9:00');
			},
		},
		{
			name: 'purchase',
			title: 'A purchase that is asked',
			text: 'A rule declines gambling. Up to 250 USD, the workflow asks the table Card decisions: a row with Laptop Store and decline blocks the shop.',
			...{ button: 'Buy a laptop for 180 USD', shows: 'events', ...of(flows.purchases) },
			state: () => stateOfDelivery(latest(({ event_type }) => event_type === 'authorization')),
			run: async () => buy(),
		},
	];
}
