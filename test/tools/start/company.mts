import lodash from 'lodash';

import { OWNER } from '../../harness/n8n/n8n.mts';
import { PEOPLE } from '../../harness/slack/slackStandIn.mts';
import { readTable } from '../../harness/workflows/dataTables.mts';
import { PAID } from '../../harness/workflows/rows.mts';
import { readWorkflow, WORKFLOW_FILES } from '../../harness/workflows/workflowFiles.mts';
import type { WorkflowHarness } from '../../harness/workflows/workflowHarness.mts';
import type { Company } from '../../simulator/console/company.mts';
import { DEFAULT_WEBHOOK_KEY } from '../../simulator/index.mts';
import { pressAs } from './pressAs.mts';
import { inBackground, publishedTriggers } from './publishedTriggers.mts';
import { stepsOf } from './steps.mts';
import type { Traces } from './traces.mts';
import type { Flows } from './workflows.mts';

const ASKS = 'Execute workflow from its schedule: the question appears in the inbox.';

/** How each file of `docs/workflows` is tried here. */
const ABOUT: Record<string, string> = {
	'decide-purchases': 'Step 6 starts it.',
	'event-router': 'Gets every event of the company, and hands it on.',
	'card-blocked-by-velocity': 'Step 1 starts it.',
	'treasury-sweep': 'Step 4 runs it, and so does Execute workflow.',
	pay: 'Called by the sweep, for invoices and by agents: asks in the inbox (for a sweep, above 1000 a day), then pays.',
	'tell-payments': 'Called behind Pay: tells in the inbox.',
	'pay-invoices': ASKS,
	'treasury-confirmations': 'Confirms each payment by its event.',
	'payments-of-the-month': 'Execute workflow: what became of each payment comes by mail.',
	'kyc-follow-up': 'Step 5 runs it.',
	watch: 'Execute workflow tells what has changed with the event router.',
	'kyc-upload': 'The form behind the link in the email.',
	'kyc-status-changed': 'Under Events, send company_activity.client_status.',
	'pay-for-an-agent':
		'Called by another workflow, such as an agent of yours: asks in the inbox, then pays.',
};

/** Purpose of each file of `docs/workflows`, by the workflow's name. */
const SHIPPED = Object.fromEntries(
	WORKFLOW_FILES.map((file) => [readWorkflow(file).name, ABOUT[file.replace('.json', '')] ?? '']),
);
const OWN = { 'Event router: alarms': 'Mails when a run of another workflow fails.' };

export async function companyOf(
	harness: WorkflowHarness,
	flows: Flows,
	traces: Traces,
): Promise<Company> {
	const { simulator, slack, smtp } = harness;
	const { n8n } = harness.scenario;
	const webhookKey = DEFAULT_WEBHOOK_KEY;
	const own = Object.values(flows).map(({ id }) => id);
	const triggers = publishedTriggers(n8n, own, webhookKey);
	const { name } = readWorkflow('decide-purchases.json');
	const purchases = { name, url: flows.purchases.url, webhookKey };
	const listed: Array<{ id: string; name: string }> = await n8n.rest('GET', '/rest/workflows');
	let ledger: readonly object[] = [];
	const lookUp = inBackground(async () => void (ledger = await readTable(n8n, PAID)), 1_000);
	const data = {
		...{ bill_amount: '180.00', transaction_amount: '180.00' },
		...{ bill_currency_code: 'USD', transaction_currency_code: 'USD' },
		merchant_data: { name: 'Laptop Store', mcc_code: '5732', country: 'DEU' },
	};
	const buy = () => void simulator.events.emit('cards.authorization', { data }, purchases);
	return {
		n8n: { url: n8n.url, email: OWNER.email, password: OWNER.password },
		workflows: Object.entries({ ...SHIPPED, ...OWN }).map(([name, about]) => {
			const { id } = lodash.find(listed, { name }) ?? {};
			return { name, about, ...(id && { url: `${n8n.url}/workflow/${id}` }) };
		}),
		people: PEOPLE,
		messages: slack.messages,
		ledger() {
			lookUp();
			return ledger;
		},
		mails: smtp.mails,
		get targets() {
			return [
				{ name: 'Event router (the company’s URL)', url: flows.router.url, webhookKey },
				{ ...purchases, events: ['cards.authorization'] },
				...triggers(),
			];
		},
		steps: stepsOf(harness, flows, traces, buy),
		async press(ts, label, person) {
			const message = slack.messages.find((candidate) => candidate.ts === ts);
			if (!message?.buttons.some((button) => button.label === label))
				throw new RangeError(`No message has this button: ${label}`);
			await pressAs(harness, message, label, person);
		},
		trace: (id) => traces.of(id),
	};
}
