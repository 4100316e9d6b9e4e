import { OWNER } from '../../harness/n8n/n8n.mts';
import { PEOPLE } from '../../harness/slack/slackStandIn.mts';
import type { WorkflowHarness } from '../../harness/workflows/workflowHarness.mts';
import type { Company } from '../../simulator/console/company.mts';
import { DEFAULT_WEBHOOK_KEY } from '../../simulator/index.mts';
import { pressAs } from './pressAs.mts';
import { PublishedTriggers } from './publishedTriggers.mts';
import { stepsOf } from './steps.mts';
import { Traces } from './traces.mts';
import type { Flows } from './workflows.mts';

/** What each workflow does when it is tried here. */
const ABOUT: Record<keyof Flows, [name: string, about: string]> = {
	router: ['Event router', 'Gets every event of the company, and hands it on.'],
	card: ['Card blocked by velocity', 'Step 1 starts it.'],
	sweep: ['Treasury sweep', 'Step 4 runs it, and so does Execute workflow.'],
	approval: [
		'Treasury sweep with approval',
		'Execute workflow from its schedule: the question appears in the inbox.',
	],
	invoices: [
		'Pay invoices from a table',
		'Execute workflow from its schedule: the question appears in the inbox.',
	],
	confirmations: ['Treasury confirmations', 'Confirms each payment by its event.'],
	reminders: ['KYC reminders', 'Step 5 runs it.'],
	upload: ['KYC upload', 'The form behind the link in the email.'],
	status: ['KYC status changed', 'Under Events, send company_activity.client_status.'],
	purchases: ['Purchases', 'Decides card authorizations. Step 6 uses it.'],
	alarms: [
		'Event router: alarms',
		'Mails operations when a run of another workflow fails. Of the router, it has only that part.',
	],
};

/** The company of the demo, which the page shows beside the service. */
export function companyOf(harness: WorkflowHarness, flows: Flows, timeZone: string): Company {
	const { simulator, slack, smtp } = harness;
	const { n8n } = harness.scenario;
	const traces = new Traces(n8n);
	const webhookKey = DEFAULT_WEBHOOK_KEY;
	const own = Object.values(flows).map(({ id }) => id);
	const triggers = new PublishedTriggers(n8n, own, webhookKey);
	const purchases = { name: 'Purchases', url: flows.purchases.url, webhookKey };
	const buy = (amount: string) => {
		const merchant_data = { name: 'Laptop Store', mcc_code: '5732', country: 'DEU' };
		const amounts = { bill_amount: amount, transaction_amount: amount };
		const currencies = { bill_currency_code: 'USD', transaction_currency_code: 'USD' };
		const data = { ...amounts, ...currencies, merchant_data };
		void simulator.events.emit('cards.authorization', { data }, purchases);
	};
	return {
		n8n: { url: n8n.url, email: OWNER.email, password: OWNER.password },
		workflows: Object.entries(flows).map(([id, flow]) => {
			const [name, about] = ABOUT[id as keyof Flows];
			return { name, about, url: `${n8n.url}/workflow/${flow.id}` };
		}),
		people: PEOPLE,
		messages: slack.messages,
		mails: smtp.mails,
		get targets() {
			return [
				{ name: 'Event router (the company’s URL)', url: flows.router.url, webhookKey },
				{ ...purchases, events: ['cards.authorization'] },
				...triggers.targets,
			];
		},
		steps: stepsOf(harness, flows, traces, timeZone, buy),
		async press(ts, label, person) {
			const message = slack.messages.find((candidate) => candidate.ts === ts);
			if (!message?.buttons.some((button) => button.label === label))
				throw new RangeError(`No message has this button: ${label}`);
			await pressAs(harness, message, label, person);
		},
		trace: (id) => traces.of(id),
	};
}
