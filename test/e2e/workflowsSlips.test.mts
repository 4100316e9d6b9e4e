import { randomUUID } from 'node:crypto';
import pLimit from 'p-limit';

import { RECIPIENT } from '../harness/fixtures.mts';
import { eventually, executions } from '../harness/n8n/scenario.mts';
import { setRow, writeTable, type Row } from '../harness/workflows/dataTables.mts';
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
/** Between the amount that a question shows and the one that the row has when it is answered. */
const CHANGED_BY = 500;

useWorkflows();

interface Asking {
	file: string;
	/** First of the amounts, which also name tables. */
	from: { no: number; yes: number };
	table: string;
	yes: string;
	no: string;
	/** Changes the amount of the row, which stays below the limits. */
	changed: (amount: number) => [column: string, value: string, data: Row];
	row: (amount: number) => ReturnType<typeof walletRow> | ReturnType<typeof invoiceRow>;
	/** Nodes that check or send, with their limits. */
	payers: string[];
}

const ASKING: Asking[] = [
	{
		file: 'treasury-sweep-with-approval.json',
		from: { no: 4000, yes: 6000 },
		table: 'Wallets to sweep with approval',
		yes: 'Send',
		no: 'Do not send',
		changed: (amount) => ['wallet_id', IDS.wallet, { balance: `${amount}.30` }],
		row: (amount) => walletRow(IDS.wallet, `${amount}.30`),
		payers: ['Transfer'],
	},
	{
		file: 'pay-invoices.json',
		from: { no: 2000, yes: 3000 },
		table: PAYMENTS,
		yes: 'Pay them',
		no: 'Do not pay',
		changed: (amount) => ['reference', `INV-${amount - CHANGED_BY}`, { amount }],
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

/**
 * Runs the workflow with a slip, and answers every question: no, or yes after the row has been changed.
 * @returns the amount that may not be sent, which names the run
 */
async function runWith(
	slip: string,
	amount: number,
	asking: Asking,
	answer: 'no' | 'yes',
): Promise<string> {
	const { file, table, row, payers } = asking;
	const { n8n } = harness.scenario;
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
	const forbidden = answer === 'no' ? amount : amount + CHANGED_BY;
	if (answer === 'yes') await setRow(n8n, own, ...asking.changed(forbidden));
	for (let questions = 0; questions < MOST_QUESTIONS; questions++) {
		const open = harness
			.questions()
			.find(({ channel, updated }) => channel.startsWith(`#${amount}`) && updated === undefined);
		if (!open) break;
		await harness.press(workflow, open, asking[answer], APPROVER);
		await eventually(async () => {
			const rows = await executions(n8n, workflow);
			return (
				open.updated !== undefined &&
				rows.every(({ status }) => ['success', 'error', 'waiting'].includes(status))
			);
		});
	}
	return String(forbidden);
}

/** Tries every slip, several at once. @returns those after which the amount was sent that may not be */
async function slipsThatSend(asking: Asking, answer: 'no' | 'yes'): Promise<string[]> {
	await writeTable(harness.scenario.n8n, PAYMENTS, []);
	const slips = slipsOf(live(readWorkflow(asking.file), asking.payers)).map(({ title }) => title);
	const limit = pLimit(AT_ONCE);
	const amounts = await Promise.all(
		slips.map(
			async (slip, at) =>
				await limit(async () => await runWith(slip, asking.from[answer] + at, asking, answer)),
		),
	);
	const sent = harness.simulator.ledger.map(({ amountText }) => amountText);
	return slips.filter((_, at) => sent.includes(amounts[at]!));
}

describe.each(ASKING)('$file, whatever rule is changed or node is gone', (asking) => {
	it(
		'sends nothing without an approval',
		async () => {
			expect(await slipsThatSend(asking, 'no')).toEqual([]);
		},
		ALL_MS,
	);

	it(
		'does not send the amount of a row that was changed between the question and a yes',
		async () => {
			expect(await slipsThatSend(asking, 'yes')).toEqual([]);
		},
		ALL_MS,
	);
});
