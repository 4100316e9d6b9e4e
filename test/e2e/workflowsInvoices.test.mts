import { randomUUID } from 'node:crypto';
import lodash from 'lodash';

import { RECIPIENT } from '../harness/fixtures.mts';
import { retryExecution } from '../harness/n8n/executions.mts';
import { eventually, executions } from '../harness/n8n/scenario.mts';
import { PEOPLE } from '../harness/slack/slackStandIn.mts';
import {
	emptyTable,
	readTable,
	setRow,
	writeTable,
	type Row,
} from '../harness/workflows/dataTables.mts';
import { invoiceRow, PAYMENTS } from '../harness/workflows/everyWorkflow.mts';
import {
	alarms,
	breakNode,
	faultsOf,
	mend,
	mendAndRetry,
	untilTold,
} from '../harness/workflows/faults.mts';
import { harness, useWorkflows } from '../harness/workflows/useWorkflows.mts';
import {
	withOptions,
	withParameters,
	withSettings,
	type WorkflowFile,
} from '../harness/workflows/workflowFiles.mts';
import { APPROVER } from '../harness/workflows/workflowHarness.mts';
import { MAGIC_RECIPIENTS } from '../simulator/index.mts';

const FILE = 'pay-invoices.json';
const PAY = 'Pay them';
const LEAVE = 'Do not pay';
const SECOND = PEOPLE[1]!;

type OnDemand = Awaited<ReturnType<typeof harness.openOnDemand>>;

useWorkflows();

/** Sets the workflow up as its note says. A new node ID gives it an empty memory. */
function live(file: WorkflowFile): WorkflowFile {
	const allowedRecipients = [RECIPIENT, ...Object.values(MAGIC_RECIPIENTS)].join(', ');
	const checked = withOptions(file, 'Check', { allowedRecipients });
	const sending = withOptions(checked, 'Transfer', { allowedRecipients, dryRun: false });
	const asked = withParameters(sending, 'Ask', { approvers: [APPROVER.id] });
	return withSettings(asked, 'Transfer', { id: randomUUID() });
}

/** Adds a second question to another approver, as the page about money safety says. */
function askedTwice(file: WorkflowFile): WorkflowFile {
	const ask = file.nodes.find(({ name }) => name === 'Ask')!;
	const parameters = { ...ask.parameters, approvers: [SECOND.id] };
	const copy = { ...ask, id: randomUUID(), webhookId: randomUUID(), name: 'Ask1', parameters };
	const { Ask: behind, ...others } = file.connections;
	const to = (node: string) => ({ main: [[{ node, type: 'main', index: 0 }]] });
	const empty = {
		...ask,
		id: randomUUID(),
		name: 'Edit Fields',
		type: 'n8n-nodes-base.set',
		typeVersion: 3.4,
		parameters: { mode: 'manual', includeOtherFields: false, options: {} },
	};
	const connections = {
		...others,
		Ask: to(empty.name),
		[empty.name]: to(copy.name),
		[copy.name]: behind!,
	};
	const { approved } = file.nodes.find(({ name }) => name === 'Transfer')!.parameters
		.options as Record<string, string>;
	const gate = 'Not approved?';
	const { conditions: all } = file.nodes.find(({ name }) => name === gate)!.parameters as {
		conditions: { conditions: Array<{ leftValue: string }> };
	};
	const [first] = all.conditions;
	const second = { ...first, leftValue: first!.leftValue.replace('Ask', 'Ask1') };
	const asking = withOptions(
		{ ...file, nodes: [...file.nodes, empty, copy], connections },
		'Transfer',
		{ approved: `${approved} {{ $('Ask1').item.json.data.approved }}` },
	);
	return withParameters(asking, gate, {
		conditions: { ...all, conditions: [...all.conditions, second] },
	});
}

const open = async (fillIn = live) => await harness.openOnDemand(FILE, fillIn);
const invoices = async (...rows: object[]) =>
	await writeTable(harness.scenario.n8n, PAYMENTS, rows as Row[]);
const table = async () => await readTable(harness.scenario.n8n, PAYMENTS);
const sent = () => harness.simulator.ledger.map(({ amountText }) => amountText);
const told = () => harness.told('#treasury');

/** Presses a button of a question and waits until the workflow has told the result. */
async function answer(workflow: OnDemand, count: number, label: string) {
	const question = await eventually(async () => harness.questions()[count - 1]);
	const before = told().length;
	await harness.press(workflow, question, label, APPROVER);
	await eventually(async () => told().length > before);
	return question;
}

describe('Pay invoices from a table', () => {
	it('asks once with the sum and the list, pays exactly that, and writes the outcomes into the table', async () => {
		const workflow = await open();
		await invoices(
			invoiceRow('INV-1', 0.1),
			invoiceRow('INV-2', 0.2),
			invoiceRow('INV-3', 30, { to: '0x123' }),
			invoiceRow('INV-4', 40, { due_day: '2999-01-01' }),
			invoiceRow('INV-5', 20, { token_address: `0x70ce${'1'.padStart(36, '0')}` }),
		);
		const run = workflow.run();
		const question = await answer(workflow, 1, PAY);
		expect(await run).toBe('success');
		expect(question.text).toContain(
			'Can be paid: 3, together 0.3 of the native coin in wal-0001 and 20 USDC (0x70ce…0001) (',
		);
		for (const [words, reference] of [
			['Dry run', 'INV-1'],
			['Dry run', 'INV-2'],
			['Not sent', 'INV-3'],
		])
			expect(question.text).toMatch(new RegExp(`^${words}: .*${reference}`, 'm'));
		expect(sent().sort()).toEqual(['0.1', '0.2', '20']);
		expect(told()).toHaveLength(1);
		expect(told()[0]).toMatch(/^Sent: INV-1/m);
		expect(told()[0]).toContain(
			`Answer: Pay them (empty: nobody answered in time)\nBy: ${APPROVER.name} (`,
		);
		expect((await table()).map(({ outcome }) => outcome)).toEqual([
			'done',
			'done',
			'not_sent',
			null,
			'done',
		]);
		expect((await table())[0]).toMatchObject({
			decided_by: APPROVER.name,
			transaction_hash: expect.stringMatching(/^0x/),
		});
		// Only the refused one is still due, until its row is corrected.
		await setRow(harness.scenario.n8n, PAYMENTS, 'reference', 'INV-3', { due_day: null });
		expect(await workflow.run()).toBe('success');
		expect(harness.questions()).toHaveLength(1);
	});

	it.each(['Ask', 'Asked rows', 'Not approved?'])(
		'sends nothing while "%s" is deactivated',
		async (name) => {
			const workflow = await open((file) => withSettings(live(file), name, { disabled: true }));
			await invoices(invoiceRow('INV-1', 10));
			await workflow.runToQuestion();
			const [question] = harness.questions();
			if (question) await answer(workflow, 1, PAY);
			expect(sent()).toEqual([]);
		},
	);

	it.each([
		['both approve', PAY, PAY, ['10']],
		['the first approves only', PAY, LEAVE, []],
		['the second approves only', LEAVE, PAY, []],
		// n8n then hands on what came in.
		['the second does not answer', PAY, undefined, []],
		['the first does not answer', undefined, PAY, []],
	])(
		'asked as "Two people approve" says, pays only if both approve: %s',
		async (_, first, second, paid) => {
			const workflow = await open((file) => askedTwice(live(file)));
			await invoices(invoiceRow('INV-1', 10));
			const run = workflow.run();
			for (const [at, label, user] of [
				[0, first, APPROVER],
				[1, second, SECOND],
			] as const) {
				const question = await eventually(async () => harness.questions()[at]);
				expect(question.text).toContain('Can be paid: 1, together 10 ');
				if (label === undefined) await harness.runOut(workflow);
				else await harness.press(workflow, question, label, user);
			}
			expect(await run).toBe('success');
			expect(sent()).toEqual(paid);
			await eventually(async () => told().length === 1);
			// The next run asks again about an invoice that was declined.
			const [{ outcome }] = (await table()) as [Row];
			expect(outcome).toBe(paid.length > 0 ? 'done' : 'dry_run');
		},
	);

	it('is imported as a dry run that refuses every recipient', async () => {
		const workflow = await open((file) =>
			withParameters(file, 'Ask', { approvers: [APPROVER.id] }),
		);
		await invoices(invoiceRow('INV-1', 10));
		const run = workflow.run();
		const question = await answer(workflow, 1, PAY);
		expect(await run).toBe('success');
		expect(question.text).toContain('Can be paid: 0, together nothing (');
		expect(sent()).toEqual([]);
	});

	it.each([
		['not approved', LEAVE, /^Dry run: INV-1/m, async () => undefined],
		[
			'changed since the question',
			PAY,
			/^Not sent: INV-1.* As in Dry Run refuses it: it has changed /m,
			async () =>
				await setRow(harness.scenario.n8n, PAYMENTS, 'reference', 'INV-1', {
					to: MAGIC_RECIPIENTS.PENDING,
				}),
		],
		[
			'deleted',
			PAY,
			/^\*Invoices: 0\*/,
			async () => await emptyTable(harness.scenario.n8n, PAYMENTS),
		],
	])(
		'does not pay an invoice that is %s, says so, and asks again once it may',
		async (kind, label, line, change) => {
			const workflow = await open();
			await invoices(invoiceRow('INV-1', 10));
			const run = workflow.run();
			await eventually(async () => harness.questions().length > 0);
			await change();
			await answer(workflow, 1, label);
			expect(await run).toBe('success');
			expect(sent()).toEqual([]);
			expect(told()).toHaveLength(1);
			expect(told()[0]).toMatch(line);
			if (kind === 'deleted') return;
			const next = workflow.run();
			await answer(workflow, 2, PAY);
			expect(await next).toBe('success');
			expect(sent()).toEqual(['10']);
		},
	);

	it.each([
		['amount', { amount: 4500 }],
		['wallet', { wallet_id: 'wal-0002' }],
		['token', { token_address: `0x70ce${'1'.padStart(36, '0')}` }],
		['reference', { reference: 'INV-1-b' }],
		['run', { asked_at: '2026-01-01T00:00:00.000Z' }],
		['outcome', { outcome: 'done' }],
		['due day', { due_day: null }],
		['due day, which is later now,', { due_day: '2999-01-01' }],
		['confirmation', { confirmation: 'settled' }],
	])('pays nothing when the %s of an asked row is changed', async (_, values) => {
		const workflow = await open();
		await invoices(invoiceRow('INV-1', 10));
		const run = workflow.run();
		await eventually(async () => harness.questions().length > 0);
		await setRow(harness.scenario.n8n, PAYMENTS, 'reference', 'INV-1', values);
		await answer(workflow, 1, PAY);
		expect(await run).toBe('success');
		expect(sent()).toEqual([]);
	});

	it('pays only what its own question showed if "Asked rows" takes the rows of any run', async () => {
		const conditions = [{ keyName: 'outcome', condition: 'eq', keyValue: 'dry_run' }];
		const workflow = await open((file) =>
			withParameters(live(file), 'Asked rows', { filters: { conditions } }),
		);
		await invoices(invoiceRow('INV-1', 10));
		await workflow.runToQuestion();
		await invoices(invoiceRow('INV-1', 10), invoiceRow('INV-2', 33));
		await workflow.runToQuestion();
		await answer(workflow, 1, PAY);
		expect(sent()).toEqual([]);
		await answer(workflow, 2, PAY);
		expect(sent().sort()).toEqual(['10', '33']);
	});

	it('pays no invoice of an earlier question that is made to look like one of this question', async () => {
		const workflow = await open();
		await invoices(invoiceRow('INV-1', 10));
		const declined = workflow.run();
		await answer(workflow, 1, LEAVE);
		expect(await declined).toBe('success');
		const { n8n } = harness.scenario;
		await setRow(n8n, PAYMENTS, 'reference', 'INV-1', { due_day: '2999-01-01' });
		const [postponed] = (await table()) as [Row];
		await invoices(
			lodash.omit(postponed, ['id', 'createdAt', 'updatedAt']),
			invoiceRow('INV-2', 33),
		);
		const run = workflow.run();
		await eventually(async () => harness.questions().length === 2);
		const asked = (await table()).find(({ reference }) => reference === 'INV-2') as Row;
		await setRow(n8n, PAYMENTS, 'reference', 'INV-1', lodash.pick(asked, 'asked_at'));
		await answer(workflow, 2, PAY);
		expect(await run).toBe('success');
		expect(sent()).toEqual(['33']);
	});

	it('leaves a paid invoice as it is when a run that stopped before its question is retried', async () => {
		const workflow = await open();
		await invoices(invoiceRow('INV-1', 10));
		const { node } = faultsOf(FILE).find(({ name }) => name === 'Remember what is asked')!;
		breakNode(harness, node, 'always');
		expect(await workflow.run()).toBe('error');
		mend(harness);
		const next = workflow.run();
		await answer(workflow, 1, PAY);
		expect(await next).toBe('success');
		const paid = await table();
		expect(paid).toMatchObject([{ outcome: 'done' }]);
		const [stopped] = await executions(harness.scenario.n8n, workflow);
		await retryExecution(harness.scenario.n8n, stopped!.id, 'currently saved');
		await harness.ended(workflow, 3);
		expect(await table()).toEqual(paid);
		expect(harness.questions()).toHaveLength(1);
	});

	it('pays once when two runs have asked about one invoice and n8n is then killed', async () => {
		const workflow = await open();
		await invoices(invoiceRow('INV-1', 10));
		await workflow.runToQuestion();
		await workflow.runToQuestion();
		expect(harness.questions()).toHaveLength(2);
		await harness.scenario.kill();
		await answer(workflow, 1, PAY);
		expect(sent()).toEqual([]);
		expect(told()[0]).toContain('*Invoices: 0*');
		await answer(workflow, 2, PAY);
		expect(sent()).toEqual(['10']);
		await harness.ended(workflow, 2);
	});

	it('leaves what it has written as it is when a run is retried that n8n was killed in', async () => {
		const { n8n } = harness.scenario;
		const workflow = await open();
		await invoices(
			invoiceRow('INV-1', 10),
			invoiceRow('INV-2', 20, { to: MAGIC_RECIPIENTS.PENDING }),
		);
		await workflow.start();
		const question = await eventually(async () => harness.questions()[0]);
		let tries = 0;
		harness.slack.refuse = ({ channel }) =>
			channel === '#treasury' && ++tries > 0 ? 'channel_not_found' : undefined;
		await harness.press(workflow, question, PAY, APPROVER);
		// All is written before it is told.
		await eventually(async () => tries > 0);
		await harness.scenario.kill();
		mend(harness);
		const written = await table();
		expect(written.map(({ outcome }) => outcome)).toEqual(['done', 'pending']);
		// A changed name must not make a paid invoice one that can be asked about.
		await setRow(n8n, PAYMENTS, 'reference', 'INV-1', { reference: 'INV-1 (ACME)' });
		const [crashed] = await executions(n8n, workflow);
		await retryExecution(n8n, crashed!.id, 'currently saved');
		// n8n asks again, unless it has stored the answer.
		await eventually(async () => told().length > 0 || harness.questions().length > 1);
		const [, again] = harness.questions();
		if (again) await harness.press(workflow, again, PAY, APPROVER);
		await eventually(async () => told().length > 0);
		expect(told()[0]).toContain('*Invoices: 0*');
		expect((await table()).map(({ outcome, transaction_hash: hash }) => [outcome, hash])).toEqual(
			written.map(({ outcome, transaction_hash: hash }) => [outcome, hash]),
		);
		expect(sent().sort()).toEqual(['10', '20']);
	});

	it('names an invoice that is in the table twice, and pays neither row', async () => {
		const workflow = await open();
		await invoices(invoiceRow('INV-1', 10), invoiceRow('INV-1', 10));
		const run = workflow.run();
		const question = await answer(workflow, 1, PAY);
		expect(await run).toBe('success');
		expect(question.text).toMatch(/INV-1.*twice/);
		expect(question.text).toContain('Can be paid: 0, together nothing (');
		expect(sent()).toEqual([]);
	});

	it('asks about ten of 15 invoices in one short question, and about the other five before it asks about declined ones again', async () => {
		const workflow = await open();
		const many = Array.from({ length: 15 }, (_, at) =>
			invoiceRow(`INV-${at} ${'x'.repeat(240)}`, at + 1),
		);
		await invoices(...many);
		const run = workflow.run();
		const question = await answer(workflow, 1, LEAVE);
		expect(await run).toBe('success');
		expect(question.text).toContain(
			'Can be paid: 10, together 55 of the native coin in wal-0001 (',
		);
		expect(question.text.length).toBeLessThan(3_000);
		const next = workflow.run();
		await answer(workflow, 2, PAY);
		expect(await next).toBe('success');
		expect(sent()).toHaveLength(10);
		expect(sent()).toEqual(expect.arrayContaining(['11', '12', '13', '14', '15']));
	});

	it('tells of a paid invoice that another run has asked about with another amount meanwhile', async () => {
		const workflow = await open();
		await invoices(invoiceRow('INV-1', 10));
		await workflow.start();
		const question = await eventually(async () => harness.questions()[0]);
		harness.simulator.faults.add({
			kind: 'slow-after',
			match: { path: '/transfer$' },
			delayMs: 25_000,
		});
		await harness.press(workflow, question, PAY, APPROVER);
		await eventually(async () => sent().length > 0);
		await setRow(harness.scenario.n8n, PAYMENTS, 'reference', 'INV-1', { amount: 20 });
		await workflow.start();
		await eventually(async () => harness.questions().length === 2);
		expect(told()).toEqual([]);
		await eventually(async () => told().length === 1);
		expect(told()[0]).toMatch(/^Sent: INV-1, 10 /m);
		await answer(workflow, 2, PAY);
		expect(told()[1]).toMatch(/^Not sent: INV-1.* names another payment, which was accepted/m);
		expect(sent()).toEqual(['10']);
		await harness.ended(workflow, 2);
	});

	it('pays nothing when nobody answers in time, and says so', async () => {
		const workflow = await open();
		await invoices(invoiceRow('INV-1', 10));
		await workflow.start();
		await harness.runOut(workflow);
		await eventually(async () => told().length > 0);
		expect(told()[0]).toContain('Answer:  (empty: nobody answered in time)\nBy:  (');
		expect(sent()).toEqual([]);
		await harness.ended(workflow, 1);
	});

	it.each(faultsOf(FILE))(
		'$name fails $fault ($kind): nothing is paid twice or unasked, and the result is told once',
		async ({ name, fault, node, kind, text }) => {
			const workflow = await open();
			await invoices(invoiceRow('INV-1', 10));
			const asksFirst = ['Asked rows', 'Transfer', 'Write back', 'Tell treasury'].includes(name);
			// Check sends nothing by itself that could be refused.
			if (name === 'Check')
				await setRow(harness.scenario.n8n, PAYMENTS, 'reference', 'INV-1', { to: '0x1' });
			breakNode(harness, node, fault);
			const run = workflow.run();
			const press = async () => {
				const question = await eventually(async () => harness.questions()[0]);
				await harness.press(workflow, question, PAY, APPROVER);
			};
			if (asksFirst || kind !== 'stops') await press();
			expect(await run).toBe(kind === 'stops' ? 'error' : 'success');
			if (kind === 'stops' && !asksFirst) {
				await eventually(async () => alarms(harness).length > 0);
				expect(sent()).toEqual([]);
				await mendAndRetry(harness, workflow);
				await press();
				await eventually(async () => told().length > 0);
			} else
				await untilTold(harness, workflow, told, kind === 'stops' && { file: FILE, node: name });
			expect(told()).toHaveLength(1);
			if (kind !== 'told') expect(told()[0]).toContain('Sent: INV-1');
			else expect([told()[0], harness.questions()[0]!.text].join()).toContain(text);
			expect(sent()).toEqual(kind === 'told' ? [] : ['10']);
			expect(alarms(harness)).toHaveLength(kind === 'stops' ? 1 : 0);
		},
	);
});
