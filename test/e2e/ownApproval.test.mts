import { randomUUID } from 'node:crypto';

import { RECIPIENT } from '../harness/fixtures.mts';
import { eventually } from '../harness/n8n/scenario.mts';
import { setRow, writeTable } from '../harness/workflows/dataTables.mts';
import { invoiceRow, PAYMENTS } from '../harness/workflows/everyWorkflow.mts';
import { harness, useWorkflows } from '../harness/workflows/useWorkflows.mts';
import type { WorkflowFile, WorkflowNode } from '../harness/workflows/workflowFiles.mts';
import { APPROVER } from '../harness/workflows/workflowHarness.mts';

const PAY = 'Pay them';
const LEAVE = 'Do not pay';

/** Filter of the rows that may be paid. */
const OPEN = {
	matchType: 'anyCondition',
	filters: {
		conditions: [
			{ keyName: 'outcome', condition: 'isEmpty' },
			...['dry_run', 'not_sent', 'rejected'].map((keyValue) => ({
				keyName: 'outcome',
				condition: 'eq',
				keyValue,
			})),
		],
	},
};

useWorkflows();

/**
 * Builds the flow of "Ask a person in a flow of your own" on the page about money safety, from nodes of the shipped
 * workflow: rows, dry run, Summarize, question, rows again, Transfer, and the outcome in the row.
 * @param isLive turns *Dry Run* off before the question
 */
function ownFlow(file: WorkflowFile, isLive = false): WorkflowFile {
	const nodeOf = (name: string, parameters: object = {}, settings: object = {}): WorkflowNode => {
		const node = file.nodes.find((each) => each.name === name)!;
		return {
			...node,
			...settings,
			id: randomUUID(),
			parameters: { ...node.parameters, ...parameters },
		};
	};
	const transfer = (name: string, options: object) =>
		nodeOf(name, { options: { allowedRecipients: RECIPIENT, ...options } });
	const concatenated = ['summary', 'idempotency_key'].map((field) => ({
		aggregation: 'concatenate',
		field,
		separateBy: '\n',
	}));
	const nodes = [
		nodeOf('Webhook'),
		nodeOf('Every morning at 9:00'),
		nodeOf('Due', OPEN),
		transfer('Check', { approved: '={{ $json.data.approved }}', dryRun: !isLive }),
		nodeOf('Question', { fieldsToSummarize: { values: concatenated } }),
		nodeOf('Ask', {
			approvers: [APPROVER.id],
			message: '={{ $json.concatenated_summary }}',
		}),
		nodeOf('Due', OPEN, { name: 'Due1', executeOnce: true }),
		transfer('Transfer', {
			approved: "={{ $('Ask').first().json.data.approved }}",
			asInDryRun: "={{ $('Question').first().json.concatenated_idempotency_key }}",
		}),
		nodeOf('Write back', {
			filters: {
				conditions: [
					{
						keyName: 'reference',
						condition: 'eq',
						keyValue: "={{ $('Due1').item.json.reference }}",
					},
				],
			},
		}),
		nodeOf('All in one'),
		nodeOf('Tell treasury', { text: '={{ $json.concatenated_summary }}' }),
	];
	const to = (...names: string[]) => ({
		main: [names.map((node) => ({ node, type: 'main', index: 0 }))],
	});
	const connections = {
		...Object.fromEntries(nodes.slice(1).map(({ name }, at) => [nodes[at]!.name, to(name)])),
		Transfer: to('Write back', 'All in one'),
		'Write back': to(),
	};
	return { ...file, nodes, connections };
}

const sent = () => harness.simulator.ledger.map(({ amountText }) => amountText);
const told = () => harness.told('#treasury');

/** Opens the flow with two invoices that can be paid, and one that cannot. */
async function open(isLive = false) {
	const workflow = await harness.openOnDemand('pay-invoices.json', (file) => ownFlow(file, isLive));
	await writeTable(harness.scenario.n8n, PAYMENTS, [
		invoiceRow('INV-1', 11),
		invoiceRow('INV-2', 22),
		// Refused in the dry run, so that it has no key.
		invoiceRow('INV-3', 33, { to: '0x1' }),
	]);
	return workflow;
}

const setAmount = async (amount: number) =>
	await setRow(harness.scenario.n8n, PAYMENTS, 'reference', 'INV-1', { amount });

describe('Ask a person in a flow of your own', () => {
	it.each([
		['a yes', PAY, undefined, ['11', '22']],
		['a yes after a row was changed', PAY, 99, ['22']],
		['a no', LEAVE, undefined, []],
		['no answer', undefined, undefined, []],
	])('after %s, exactly what was approved is sent', async (_, label, amount, paid) => {
		const workflow = await open();
		await workflow.start();
		const question = await eventually(async () => harness.questions()[0]);
		if (amount !== undefined) await setAmount(amount);
		if (label === undefined) await harness.runOut(workflow);
		else await harness.press(workflow, question, label, APPROVER);
		await eventually(async () => told().length === 1);
		expect(sent().sort()).toEqual(paid);
		expect(told()[0]!.split('\n')).toHaveLength(3);
	});

	it('nothing is sent without a click, even if Dry Run is off before the question', async () => {
		const workflow = await open(true);
		await workflow.start();
		const question = await eventually(async () => harness.questions()[0]);
		expect(question.text).toContain('Approved has no answer');
		expect(sent()).toEqual([]);
		await harness.press(workflow, question, PAY, APPROVER);
		await eventually(async () => told().length === 1);
		expect(sent()).toEqual([]);
	});

	it('the answer to an older question does not pay what only a later one has shown', async () => {
		const workflow = await open();
		await workflow.start();
		const older = await eventually(async () => harness.questions()[0]);
		await setAmount(99);
		await workflow.start();
		const later = await eventually(async () => harness.questions()[1]);
		await harness.press(workflow, older, PAY, APPROVER);
		await eventually(async () => told().length === 1);
		expect(sent()).toEqual(['22']);
		expect(told()[0]).toMatch(/^Not sent: INV-1, 99 .*As in Dry Run refuses it/m);
		await harness.press(workflow, later, PAY, APPROVER);
		await eventually(async () => told().length === 2);
		expect(sent().sort()).toEqual(['22', '99']);
		// INV-2 is not taken again.
		expect(told()[1]).not.toContain('INV-2');
	});
});
