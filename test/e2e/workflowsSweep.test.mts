import { randomUUID } from 'node:crypto';

import { RECIPIENT } from '../harness/fixtures.mts';
import { retryExecution } from '../harness/n8n/executions.mts';
import { eventually, executions } from '../harness/n8n/scenario.mts';
import { emptyTable, readTable, setRow, writeTable } from '../harness/workflows/dataTables.mts';
import { PAYMENTS, walletRow } from '../harness/workflows/everyWorkflow.mts';
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
import { IDS, MAGIC_RECIPIENTS } from '../simulator/index.mts';

const SECOND = { id: 'U0000000002', name: 'ben' };
/** n8n writes the rows of a table one by one. */
const MANY_ROWS_MS = 240_000;

type OnDemand = Awaited<ReturnType<typeof harness.openOnDemand>>;

useWorkflows();

const wallet = (wallet_id: string, balance: string, differences: object = {}) => ({
	...walletRow(wallet_id, balance),
	...differences,
});

/** Sets a workflow up as its note says. A new node ID gives it an empty memory. */
function live(file: WorkflowFile): WorkflowFile {
	const allowedRecipients = [RECIPIENT, ...Object.values(MAGIC_RECIPIENTS)].join(', ');
	const filled = withParameters(file, 'Transfer', { maximumAmount: '90000' });
	const options = withOptions(filled, 'Transfer', { allowedRecipients, dryRun: false });
	return withSettings(options, 'Transfer', { id: randomUUID() });
}

const sent = () => harness.simulator.ledger.map(({ amountText }) => amountText);
const told = () => harness.told('#treasury');
const log = async () => await readTable(harness.scenario.n8n, PAYMENTS);
/** Rows of payments, without the ones that name the next sweep. */
const paid = async () => (await log()).filter(({ outcome }) => outcome !== 'not_run');
/** Outcome in words, reference, amount and wallet, as the summary says them. */
const line = (outcome: string, walletId: string) => new RegExp(`^${outcome}: .*${walletId}`, 'm');

beforeEach(async () => await writeTable(harness.scenario.n8n, PAYMENTS, []));

describe('Treasury sweep', () => {
	const FILE = 'treasury-sweep.json';
	const open = async (fillIn = live) => await harness.openOnDemand(FILE, fillIn);
	const wallets = async (...rows: Array<ReturnType<typeof wallet>>) =>
		await writeTable(harness.scenario.n8n, 'Treasury wallets', rows);

	it('is imported as a dry run, which refuses every recipient and shows what would be sent to an allowed one', async () => {
		await wallets(wallet(IDS.wallet, '1000.10'));
		const imported = await open((file) => file);
		expect(await imported.run()).toBe('success');
		expect(told()[0]).toMatch(line('Not sent', IDS.wallet));
		const allowed = await open((file) =>
			withOptions(file, 'Transfer', { allowedRecipients: RECIPIENT }),
		);
		expect(await allowed.run()).toBe('success');
		await eventually(async () => told().length === 2);
		expect(told()[1]).toMatch(/^Dry run: .*999\.8 /m);
		expect(sent()).toEqual([]);
	});

	it('sends what is above the floor once; a second run reports it as already sent', async () => {
		const workflow = await open();
		await wallets(wallet(IDS.wallet, '1000.10'), wallet(IDS.secondWallet, '0.20'));
		expect(await workflow.run()).toBe('success');
		expect(told()[0]).toContain('Wallets: 2, of these with a failure: 0');
		expect(told()[0]).toMatch(/^Sent: .*999\.8 /m);
		expect(told()[0]).toMatch(line('Nothing to send', IDS.secondWallet));
		// A new balance does not allow a second sweep on the same day.
		await wallets(wallet(IDS.wallet, '2000'), wallet(IDS.secondWallet, '0.20'));
		expect(await workflow.run()).toBe('success');
		expect(told()[1]).toMatch(line('Already sent', IDS.wallet));
		expect(sent()).toEqual(['999.8']);
		const rows = await paid();
		expect(rows).toMatchObject([
			{ wallet_id: IDS.wallet, outcome: 'done', amount: 999.8, confirmation: null },
			{ wallet_id: IDS.secondWallet, outcome: 'nothing_to_send' },
			{ wallet_id: IDS.wallet, outcome: 'already_sent', amount: null },
		]);
		expect(rows[2]!.reference).toBe(rows[0]!.reference);
	});

	it.each([
		['a balance of another day', { balance_day: '2026-01-01' }, 'Not sent', 'not_sent', 0],
		['an amount above the maximum', { balance: '90000.31' }, 'Not sent', 'not_sent', 0],
		['a recipient who is not allowed', { to: `0x${'1'.repeat(40)}` }, 'Not sent', 'not_sent', 0],
		['PENDING', { to: MAGIC_RECIPIENTS.WARNING }, 'Pending', 'pending', 1],
		['FAILED', { to: MAGIC_RECIPIENTS.FAILED }, 'Failed', 'failed', 1],
	])(
		'reports %s in the one message, next to the other wallet',
		async (_, differences, words, outcome, count) => {
			const workflow = await open();
			await wallets(wallet(IDS.secondWallet, '75.30', differences), wallet(IDS.wallet, '10.30'));
			expect(await workflow.run()).toBe('success');
			expect(told()).toHaveLength(1);
			expect(told()[0]).toMatch(line(words, IDS.secondWallet));
			expect(told()[0]).toMatch(/^Sent: .*10 /m);
			expect(sent()).toHaveLength(1 + count);
			const outcomes = (await paid()).map((row) => row.outcome);
			expect(outcomes.sort()).toEqual([outcome, 'done'].sort());
		},
	);

	it('reports 1,000 wallets in one short message, failures first', async () => {
		const workflow = await open();
		const many = Array.from({ length: 998 }, (_, at) => wallet(`wal-${at}`, '0.10'));
		await wallets(
			...many,
			wallet(IDS.wallet, '10.30', { balance_day: '2026-01-01' }),
			wallet('<!channel>', '10.30', { to: '<https://example.com|Bank>' }),
		);
		await workflow.start();
		await harness.messages('#treasury', 1, MANY_ROWS_MS);
		await harness.ended(workflow, 1);
		expect(told()).toHaveLength(1);
		expect(told()[0]).toContain('Wallets: 1000, of these with a failure: 2');
		expect(told()[0]!.split('\n').slice(2, 4)).toEqual([
			expect.stringMatching(/^Not sent: /),
			expect.stringMatching(/^Not sent: /),
		]);
		expect(told()[0]).not.toMatch(/[<>]/);
		expect(told()[0]!.length).toBeLessThan(3_000);
		expect(sent()).toEqual([]);
	});

	it('pays once when three runs start together, and writes only the reference of that payment', async () => {
		const workflow = await open();
		await wallets(wallet(IDS.wallet, '1000.10'));
		for (let run = 0; run < 3; run++) await workflow.start();
		await harness.ended(workflow, 3);
		expect(sent()).toEqual(['999.8']);
		const references = new Set((await paid()).map(({ reference }) => reference));
		expect(references.size).toBe(1);
	});

	it('writes one row that reports tomorrow if no sweep has run, and renews it in the next run', async () => {
		const workflow = await open();
		await wallets(wallet(IDS.wallet, '10.30'));
		expect(await workflow.run()).toBe('success');
		const next = (await log()).find(({ outcome }) => outcome === 'not_run')!;
		expect(String(next.day).slice(0, 10)).toBe(new Date().toISOString().slice(0, 10));
		expect(next.summary).toMatch(/^No sweep has run since this one\. Sent: .*10 /);
		// Another run renews it.
		expect(await workflow.run()).toBe('success');
		expect((await log()).filter(({ outcome }) => outcome === 'not_run')).toHaveLength(1);
	});

	it.each(faultsOf(FILE))(
		'$name fails $fault ($kind): no sweep is lost or repeated, and the message comes once',
		async ({ name, fault, node, kind, text }) => {
			const workflow = await open();
			await wallets(wallet(IDS.wallet, '1000.10'));
			breakNode(harness, node, fault);
			expect(await workflow.run()).toBe(kind === 'stops' ? 'error' : 'success');
			await untilTold(harness, workflow, told, kind === 'stops' && { file: FILE, node: name });
			expect(told()).toEqual([expect.stringContaining(kind === 'told' ? text : 'Sent: ')]);
			expect(sent()).toEqual(kind === 'told' ? [] : ['999.8']);
			expect(await paid()).toHaveLength(1);
			expect(alarms(harness)).toHaveLength(kind === 'stops' ? 1 : 0);
		},
	);
});

describe('Treasury sweep with approval', () => {
	const FILE = 'treasury-sweep-with-approval.json';
	const TABLE = 'Wallets to sweep with approval';

	const approving = (file: WorkflowFile) =>
		withParameters(live(file), 'Ask', { approvers: [APPROVER.id, SECOND.id] });
	const open = async (fillIn = (file: WorkflowFile) => file) =>
		await harness.openOnDemand(FILE, (file) => fillIn(approving(file)));
	const wallets = async (...rows: Array<ReturnType<typeof wallet>>) =>
		await writeTable(harness.scenario.n8n, TABLE, rows);

	/** Presses a button of a question and waits until the workflow has gone on. */
	async function answer(workflow: OnDemand, count: number, label: string, user = APPROVER) {
		const question = await eventually(async () => harness.questions()[count - 1]);
		const before = told().length;
		await harness.press(workflow, question, label, user);
		await eventually(async () => told().length > before);
		return question;
	}

	/** Line of a sweep that nobody answered for. */
	const UNANSWERED =
		/^Not sent: no answer \(or Transfer off\)\. Sweep of 5000 of the native coin from wal-0001 \(balance 5000\.30, floor 0\.30\)\. *$/m;

	it('asks about each large amount in turn, sends exactly what was approved, and logs who decided', async () => {
		const workflow = await open();
		await wallets(wallet(IDS.wallet, '5000.30'), wallet(IDS.secondWallet, '2000.30'));
		const run = workflow.run();
		const first = await answer(workflow, 1, 'Send');
		expect(first.text).toMatch(/^\*Send this sweep\?\*\nSweep of 5000 of the native coin from /);
		expect(first.text).toContain(`To: ${RECIPIENT}`);
		const second = await answer(workflow, 2, 'Do not send', SECOND);
		expect(second.text).toContain('2000');
		expect(await run).toBe('success');
		expect(told()[0]).toMatch(/^Sent: .*5000 /m);
		expect(told()[0]).toContain(`Decided by: ${APPROVER.name} (empty: `);
		expect(told()[1]).toMatch(/^Not sent: declined\. Sweep of 2000 /m);
		expect(told()[1]).toContain(`Decided by: ${SECOND.name} (empty: `);
		expect(told()).toHaveLength(2);
		expect(sent()).toEqual(['5000']);
		expect(await log()).toMatchObject([
			{ wallet_id: IDS.wallet, outcome: 'done', amount: 5000, decided_by: APPROVER.name },
			{ wallet_id: IDS.secondWallet, outcome: null, decided_by: SECOND.name },
		]);
	});

	it.each([
		['deleted', async () => await emptyTable(harness.scenario.n8n, TABLE)],
		[
			'changed',
			async () =>
				await setRow(harness.scenario.n8n, TABLE, 'wallet_id', IDS.wallet, {
					to: MAGIC_RECIPIENTS.PENDING,
				}),
		],
	])('sends nothing after the click when the row was %s, and says so', async (_, change) => {
		const workflow = await open();
		await wallets(wallet(IDS.wallet, '5000.30'));
		const run = workflow.run();
		await eventually(async () => harness.questions().length > 0);
		await change();
		await answer(workflow, 1, 'Send');
		expect(await run).toBe('success');
		expect(told()[0]).toMatch(/^Not sent: .*Account ID has no value: the item is empty/m);
		expect(sent()).toEqual([]);
	});

	it('asks nothing about more than Maximum Amount of Transfer, and names the wallet', async () => {
		const workflow = await open();
		await wallets(wallet(IDS.wallet, '95000.30'));
		expect(await workflow.run()).toBe('success');
		expect(harness.questions()).toEqual([]);
		expect(told()[0]).toMatch(
			new RegExp(
				`^Not sent: sweep of the native coin from ${IDS.wallet}\\. Balance is 95000\\.3.* 90000\\.`,
				'm',
			),
		);
		expect(sent()).toEqual([]);
	});

	it.each(['1,000', '={{ $json.limit }}', undefined])(
		'asks and sends nothing when Approval Above is %j, and names the field',
		async (approvalAbove) => {
			const workflow = await open((file) => withOptions(file, 'Transfer', { approvalAbove }));
			await wallets(wallet(IDS.wallet, '5000.30'), wallet(IDS.secondWallet, '10.30'));
			expect(await workflow.run()).toBe('success');
			expect(harness.questions()).toEqual([]);
			expect(told()).toHaveLength(1);
			for (const walletId of [IDS.wallet, IDS.secondWallet])
				expect(told()[0]).toMatch(
					new RegExp(
						`^Not sent: sweep of the native coin from ${walletId}\\. Approval Above `,
						'm',
					),
				);
			expect(sent()).toEqual([]);
		},
	);

	it('sends small amounts before it asks, and nothing twice after n8n is killed while a question is open', async () => {
		const workflow = await open();
		await wallets(wallet(IDS.wallet, '5000.30'), wallet(IDS.secondWallet, '10.30'));
		await workflow.runToQuestion();
		expect(harness.questions()).toHaveLength(1);
		expect(sent()).toEqual(['10']);
		await harness.scenario.kill();
		await answer(workflow, 1, 'Send');
		await harness.ended(workflow, 1);
		expect(sent()).toEqual(['10', '5000']);
	});

	it('goes on with the other wallets when a run that stopped is retried', async () => {
		const workflow = await open();
		await wallets(wallet(IDS.wallet, '10.30'), wallet(IDS.secondWallet, '5000.30'));
		const { node } = faultsOf(FILE).find(({ name }) => name === 'Log')!;
		breakNode(harness, node, 'always');
		expect(await workflow.run()).toBe('error');
		expect(sent()).toEqual(['10']);
		await mendAndRetry(harness, workflow);
		await eventually(async () => told().length > 0);
		await answer(workflow, 1, 'Send');
		expect(sent()).toEqual(['10', '5000']);
		expect((await log()).map(({ outcome }) => outcome)).toEqual(['done', 'done']);
		await harness.ended(workflow, 2);
	});

	it('does not send the amount of another day when a run continues after midnight', async () => {
		const { n8n } = harness.scenario;
		const workflow = await open();
		await wallets(wallet(IDS.wallet, '10.30'));
		breakNode(harness, faultsOf(FILE).find(({ name }) => name === 'Row now')!.node, 'always');
		expect(await workflow.run()).toBe('error');
		mend(harness);
		const [failed] = await executions(n8n, workflow);
		// It is another day there than in UTC.
		const timezone = new Date().getUTCHours() < 12 ? 'Etc/GMT+12' : 'Pacific/Kiritimati';
		await n8n.rest('PATCH', `/rest/workflows/${workflow.id}`, { settings: { timezone } });
		await retryExecution(n8n, failed!.id, 'currently saved');
		await eventually(async () => told().length > 0);
		expect(told()[0]).toMatch(/^Not sent: /m);
		expect(sent()).toEqual([]);
	});

	it.each([
		['Pending', MAGIC_RECIPIENTS.WARNING, 'pending'],
		['Failed', MAGIC_RECIPIENTS.FAILED, 'failed'],
	])('reports and logs the outcome %s', async (words, to, outcome) => {
		const workflow = await open();
		await wallets(wallet(IDS.wallet, '10.30', { to }));
		expect(await workflow.run()).toBe('success');
		expect(told()[0]).toMatch(line(words, IDS.wallet));
		expect(await log()).toMatchObject([{ outcome, confirmation: null }]);
	});

	it('sends at most once for a wallet that is in the table twice', async () => {
		const workflow = await open();
		await wallets(
			wallet(IDS.wallet, '10.30'),
			wallet(IDS.wallet, '10.30', { to: MAGIC_RECIPIENTS.PENDING }),
			wallet(IDS.secondWallet, '5000.30'),
			wallet(IDS.secondWallet, '5000.30'),
		);
		const run = workflow.run();
		await answer(workflow, 1, 'Send');
		await answer(workflow, 2, 'Send');
		expect(await run).toBe('success');
		expect(sent()).toEqual(['5000']);
	});

	it('sends small amounts without a question, and logs no approver for them', async () => {
		const workflow = await open();
		await wallets(
			wallet(IDS.secondWallet, '10.30'),
			wallet('wal-0004', '10.30', { balance_day: '2026-01-01' }),
			wallet('wal-0005', '0.10'),
		);
		expect(await workflow.run()).toBe('success');
		expect(sent()).toEqual(['10']);
		expect(told()).toHaveLength(3);
		expect(told().join('\n')).toMatch(/^Not sent: .*2026-01-01/m);
		expect(harness.questions()).toEqual([]);
		expect(await log()).toMatchObject([{ outcome: 'done', decided_by: null }]);
	});

	it('asks no further question after one that nobody answered, so that a late click sends nothing', async () => {
		const workflow = await open();
		await wallets(wallet(IDS.wallet, '5000.30'), wallet(IDS.secondWallet, '2000.30'));
		await workflow.start();
		await harness.runOut(workflow);
		await harness.ended(workflow, 1);
		const [question, ...others] = harness.questions();
		expect(others).toEqual([]);
		expect(told()[0]).toMatch(UNANSWERED);
		// Its buttons are still there.
		await harness.pressNow(question!, 'Send', APPROVER);
		expect(harness.questions()).toEqual([question]);
		expect(sent()).toEqual([]);
	});

	it('sends nothing when nobody answers in time, says so, and asks again at the next run', async () => {
		const workflow = await open();
		await wallets(wallet(IDS.wallet, '5000.30'));
		await workflow.start();
		await harness.runOut(workflow);
		await eventually(async () => told().length > 0);
		expect(told()[0]).toMatch(UNANSWERED);
		expect(sent()).toEqual([]);
		// An answer ends this run before the next test.
		const next = workflow.run();
		await answer(workflow, 2, 'Do not send');
		expect(await next).toBe('success');
		expect(sent()).toEqual([]);
	});

	it.each(faultsOf(FILE))(
		'$name fails $fault ($kind): nothing is sent twice, and the message comes once',
		async ({ name, fault, node, kind, text }) => {
			const asks = name === 'Ask';
			const workflow = await open();
			await wallets(wallet(IDS.wallet, asks ? '5000.30' : '10.30'));
			breakNode(harness, node, fault);
			const run = workflow.run();
			if (asks && kind === 'unnoticed') await answer(workflow, 1, 'Send');
			expect(await run).toBe(kind === 'stops' ? 'error' : 'success');
			await untilTold(harness, workflow, told, kind === 'stops' && { file: FILE, node: name });
			expect(told()).toEqual([expect.stringContaining(kind === 'told' ? text : 'Sent: ')]);
			const amount = asks ? '5000' : '10';
			expect(sent()).toEqual(kind === 'told' ? [] : [amount]);
			expect(alarms(harness)).toHaveLength(kind === 'stops' ? 1 : 0);
			if (!asks || kind !== 'told') return;
			mend(harness);
			const next = workflow.run();
			await answer(workflow, 1, 'Send');
			expect(await next).toBe('success');
			expect(sent()).toEqual([amount]);
		},
	);
});
