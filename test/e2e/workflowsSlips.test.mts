import { randomUUID } from 'node:crypto';
import pLimit from 'p-limit';

import { RECIPIENT } from '../harness/fixtures.mts';
import { eventually, executions } from '../harness/n8n/scenario.mts';
import { writeTable } from '../harness/workflows/dataTables.mts';
import { invoiceRow, PAYMENTS, walletRow } from '../harness/workflows/everyWorkflow.mts';
import { slipsOf } from '../harness/workflows/slips.mts';
import { harness, useWorkflows } from '../harness/workflows/useWorkflows.mts';
import {
	readWorkflow,
	withOptions,
	withParameters,
	withSettings,
	type WorkflowFile,
} from '../harness/workflows/workflowFiles.mts';
import { APPROVER } from '../harness/workflows/workflowHarness.mts';
import { IDS } from '../simulator/index.mts';

const AT_ONCE = 5;
/** Questions that one slip may lead to. */
const MOST_QUESTIONS = 3;
const ALL_MS = 420_000;

useWorkflows();

interface Asking {
	file: string;
	/** First of its amounts, which also name tables. */
	from: number;
	table: string;
	no: string;
	row: (amount: number) => ReturnType<typeof walletRow> | ReturnType<typeof invoiceRow>;
	/** Nodes that check or send, with their limits. */
	payers: string[];
}

const ASKING: Asking[] = [
	{
		file: 'treasury-sweep-with-approval.json',
		from: 4000,
		table: 'Wallets to sweep with approval',
		no: 'Do not send',
		row: (amount) => walletRow(IDS.wallet, `${amount}.30`),
		payers: ['Transfer'],
	},
	{
		file: 'pay-invoices.json',
		from: 2000,
		table: PAYMENTS,
		no: 'Do not pay',
		row: (amount) => invoiceRow(`INV-${amount}`, amount),
		payers: ['Check', 'Transfer'],
	},
];

/** Sets the workflow up as its note says. A new node ID gives it an empty memory. */
function live(file: WorkflowFile, payers: string[]): WorkflowFile {
	const limited = payers.reduce(
		(changed, node) =>
			withOptions(withParameters(changed, node, { maximumAmount: '90000' }), node, {
				allowedRecipients: RECIPIENT,
			}),
		file,
	);
	const sending = withOptions(limited, 'Transfer', { dryRun: false });
	const asked = withParameters(sending, 'Ask', { approvers: [APPROVER.id] });
	return withSettings(asked, 'Transfer', { id: randomUUID() });
}

/** Runs the workflow with a slip, and answers no to every question. @returns the amount, which names the slip */
async function runWith(slip: string, at: number, asking: Asking): Promise<string> {
	const { file, from, table, no, row, payers } = asking;
	const { n8n } = harness.scenario;
	const amount = from + at;
	// Tables and channels of its own, because several slips are tried at once.
	const own = `Slip ${amount}`;
	await writeTable(n8n, own, [row(amount)], table);
	const workflow = await harness.openOnDemand(file, (read) => {
		const changed = slipsOf(live(read, payers)).find(({ title }) => title === slip)!;
		const text = JSON.stringify(changed.file)
			.replaceAll(`"${table}"`, `"${own}"`)
			.replaceAll('"#treasury', `"#${amount}`);
		return JSON.parse(text) as WorkflowFile;
	});
	await workflow.runToQuestion();
	for (let questions = 0; questions < MOST_QUESTIONS; questions++) {
		const open = harness
			.questions()
			.find(({ channel, updated }) => channel.startsWith(`#${amount}`) && updated === undefined);
		if (!open) break;
		await harness.press(workflow, open, no, APPROVER);
		await eventually(async () => {
			const rows = await executions(n8n, workflow);
			return (
				open.updated !== undefined &&
				rows.every(({ status }) => ['success', 'error', 'waiting'].includes(status))
			);
		});
	}
	return String(amount);
}

it.each(ASKING)(
	'$file sends nothing without an approval, whatever rule is changed or node is gone',
	async (asking) => {
		await writeTable(harness.scenario.n8n, PAYMENTS, []);
		const slips = slipsOf(live(readWorkflow(asking.file), asking.payers)).map(({ title }) => title);
		const limit = pLimit(AT_ONCE);
		const amounts = await Promise.all(
			slips.map(async (slip, at) => await limit(async () => await runWith(slip, at, asking))),
		);
		const sent = harness.simulator.ledger.map(({ amountText }) => amountText);
		expect(slips.filter((_, at) => sent.includes(amounts[at]!))).toEqual([]);
	},
	ALL_MS,
);
