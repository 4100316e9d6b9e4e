import { randomUUID } from 'node:crypto';

import { RECIPIENT } from '../harness/fixtures.mts';
import { retryExecution } from '../harness/n8n/executions.mts';
import { eventually, executions } from '../harness/n8n/scenario.mts';
import { emptyTable, readTable, writeTable } from '../harness/workflows/dataTables.mts';
import { walletRow } from '../harness/workflows/everyWorkflow.mts';
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

const LOG = 'Treasury sweeps';
const SECOND = { id: 'U0000000002', name: 'ben' };
/** n8n looks once a minute for what has waited long enough. */
const LONGEST_WAIT_MS = 100_000;

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
const log = async () => await readTable(harness.scenario.n8n, LOG);

beforeEach(async () => await emptyTable(harness.scenario.n8n, LOG));

describe('Treasury sweep', () => {
	const FILE = 'treasury-sweep.json';
	const open = async (fillIn = live) => await harness.openOnDemand(FILE, fillIn);
	const wallets = async (...rows: Array<ReturnType<typeof wallet>>) =>
		await writeTable(harness.scenario.n8n, 'Treasury wallets', rows);

	it('is imported as a dry run that refuses every recipient, then shows what would be sent', async () => {
		await wallets(wallet(IDS.wallet, '1000.10'));
		const imported = await open((file) => file);
		expect(await imported.run()).toBe('success');
		expect(told()[0]).toContain(`• ${IDS.wallet}: not sent`);
		const allowed = await open((file) =>
			withOptions(file, 'Transfer', { allowedRecipients: RECIPIENT }),
		);
		expect(await allowed.run()).toBe('success');
		await eventually(async () => told().length === 2);
		expect(told()[1]).toContain(`• ${IDS.wallet}: dry run 999.8`);
		expect(sent()).toEqual([]);
	});

	it('sends what is above the floor once; a second run says "already swept today"', async () => {
		const workflow = await open();
		await wallets(wallet(IDS.wallet, '1000.10'), wallet(IDS.secondWallet, '0.20'));
		expect(await workflow.run()).toBe('success');
		expect(told()[0]).toContain(`• ${IDS.wallet}: swept 999.8`);
		expect(told()[0]).toContain(`• ${IDS.secondWallet}: nothing due`);
		// A new balance does not allow a second sweep on the same day.
		await wallets(wallet(IDS.wallet, '2000'), wallet(IDS.secondWallet, '0.20'));
		expect(await workflow.run()).toBe('success');
		expect(told()[1]).toContain(`• ${IDS.wallet}: already swept today`);
		expect(sent()).toEqual(['999.8']);
		expect(await log()).toMatchObject([
			{ wallet_id: IDS.wallet, outcome: 'swept', amount: '999.8', confirmation: 'awaited' },
			{ wallet_id: IDS.secondWallet, outcome: 'nothing due', confirmation: '' },
			{ wallet_id: IDS.wallet, outcome: 'already swept today', confirmation: '' },
		]);
	});

	it.each([
		['a balance of another day', { balance_day: '2026-01-01' }, 'not sent', '', 0],
		['an amount above the maximum', { balance: '90000.31' }, 'not sent', '', 0],
		['a recipient who is not allowed', { to: `0x${'1'.repeat(40)}` }, 'not sent', '', 0],
		['PENDING', { to: MAGIC_RECIPIENTS.WARNING }, 'PENDING', 'awaited', 1],
		['FAILED', { to: MAGIC_RECIPIENTS.FAILED }, 'FAILED', '', 1],
	])(
		'tells of %s in the one message, beside the others',
		async (_, differences, outcome, confirmation, count) => {
			const workflow = await open();
			await wallets(wallet(IDS.secondWallet, '75.30', differences), wallet(IDS.wallet, '10.30'));
			expect(await workflow.run()).toBe('success');
			expect(told()).toHaveLength(1);
			expect(told()[0]).toContain(`• ${IDS.secondWallet}: ${outcome}`);
			expect(told()[0]).toContain(`• ${IDS.wallet}: swept 10`);
			expect(sent()).toHaveLength(1 + count);
			expect((await log())[0]).toMatchObject({ outcome, confirmation });
		},
	);

	it('keeps the row of a sweep whose outcome is unknown when it is not sent again', async () => {
		const workflow = await open();
		await wallets(wallet(IDS.wallet, '1000.10'));
		harness.simulator.faults.add({ kind: 'reset-after', match: { path: '/transfer' }, times: 99 });
		expect(await workflow.run()).toBe('success');
		harness.simulator.faults.clear();
		const [first] = await log();
		expect(first).toMatchObject({ outcome: 'unknown', amount: '999.8', confirmation: 'awaited' });
		expect(await workflow.run()).toBe('success');
		expect(told()[1]).toContain(`• ${IDS.wallet}: unknown, not sent again`);
		expect(await log()).toMatchObject([
			{ outcome: 'unknown', amount: '999.8', trace_id: first!.trace_id, confirmation: 'awaited' },
			{ outcome: 'unknown, not sent again', confirmation: 'ask the provider' },
		]);
		expect(sent()).toEqual(['999.8']);
	});

	it('logs and tells the day of the schedule, not of the step', async () => {
		const began = { jsonOutput: '{ "timestamp": "2026-01-31T18:00:00.000+00:00" }' };
		const workflow = await open((file) => withParameters(live(file), 'Every day at 18:00', began));
		await wallets(wallet(IDS.wallet, '1000.10', { to: '' }));
		expect(await workflow.run()).toBe('success');
		expect(told()[0]).toContain('*Sweep of 2026-01-31*');
		expect(await log()).toMatchObject([{ day: '2026-01-31', outcome: 'not sent', to: '' }]);
	});

	it.each(faultsOf(FILE))(
		'$name fails $fault ($kind): no sweep is lost or repeated, and the message comes once',
		async ({ name, fault, node, kind, text }) => {
			const workflow = await open();
			await wallets(wallet(IDS.wallet, '1000.10'));
			breakNode(harness, node, fault);
			expect(await workflow.run()).toBe(kind === 'stops' ? 'error' : 'success');
			await untilTold(harness, workflow, told, kind === 'stops' && { file: FILE, node: name });
			const outcome = kind === 'told' ? text : 'swept 999.8';
			expect(told()).toEqual([expect.stringContaining(`• ${IDS.wallet}: ${outcome}`)]);
			expect(sent()).toEqual(kind === 'told' ? [] : ['999.8']);
			expect(await log()).toHaveLength(1);
			expect(alarms(harness)).toHaveLength(kind === 'stops' ? 1 : 0);
		},
	);
});

describe('Treasury sweep with approval', () => {
	const FILE = 'treasury-sweep-with-approval.json';
	let errorWorkflow: string;

	beforeAll(async () => {
		errorWorkflow = (await harness.open('treasury-confirmations.json')).id;
	});

	const open = async (fillIn = (file: WorkflowFile) => file) =>
		await harness.openOnDemand(FILE, (file) => {
			const asked = withParameters(live(file), 'Ask', { approvers: [APPROVER.id, SECOND.id] });
			return fillIn({ ...asked, settings: { ...asked.settings, errorWorkflow } });
		});
	const wallets = async (...rows: Array<ReturnType<typeof wallet>>) =>
		await writeTable(harness.scenario.n8n, 'Wallets to sweep with approval', rows);

	/** Presses a button of a question and waits until the workflow has gone on. */
	async function answer(workflow: OnDemand, count: number, label: string, user = APPROVER) {
		const question = await eventually(async () => harness.questions()[count - 1]);
		const before = harness.slack.messages.length;
		const [last] = (await executions(harness.scenario.n8n, workflow)).slice(-1);
		await harness.press(workflow, question, label, user);
		await eventually(async () => {
			const rows = await executions(harness.scenario.n8n, workflow);
			const status = rows.find(({ id }) => id === last!.id)!.status;
			return status === 'success' || harness.slack.messages.length > before;
		});
		return question;
	}

	it('asks one by one above the amount, sends exactly what was asked, and logs who decided each', async () => {
		const workflow = await open();
		await wallets(wallet(IDS.wallet, '5000.30'), wallet(IDS.secondWallet, '2000.30'));
		const run = workflow.run();
		const first = await answer(workflow, 1, 'Send');
		expect(first.text).toContain('Amount: 5000\n');
		expect(first.text).toContain(`To: ${RECIPIENT}`);
		// The table is changed while the question is open.
		await wallets(wallet(IDS.wallet, '9999'), wallet(IDS.secondWallet, '9999'));
		const second = await answer(workflow, 2, 'Do not send', SECOND);
		expect(second.text).toContain('Amount: 2000\n');
		await eventually(async () => told().length > 0);
		expect(await run).toBe('success');
		expect(told()).toHaveLength(1);
		expect(told()[0]).toContain(`• ${IDS.wallet}: swept 5000 ${APPROVER.name}`);
		expect(told()[0]).toContain(`• ${IDS.secondWallet}: declined 2000 ${SECOND.name}`);
		expect(sent()).toEqual(['5000']);
		expect(await log()).toMatchObject([
			{ wallet_id: IDS.wallet, outcome: 'swept', decided_by: APPROVER.name },
			{ wallet_id: IDS.secondWallet, outcome: 'declined', decided_by: SECOND.name },
		]);
	});

	it('goes on with the other wallets when a run that stopped is retried', async () => {
		const workflow = await open();
		await wallets(wallet(IDS.wallet, '10.30'), wallet(IDS.secondWallet, '5000.30'));
		const { node } = faultsOf(FILE).find(({ name }) => name === 'Log')!;
		breakNode(harness, node, 'always');
		expect(await workflow.run()).toBe('error');
		expect(sent()).toEqual(['10']);
		await mendAndRetry(harness, workflow);
		await answer(workflow, 1, 'Send');
		await eventually(async () => told().length > 0);
		expect(sent()).toEqual(['10', '5000']);
		expect((await log()).map(({ outcome }) => outcome)).toEqual(['swept', 'swept']);
		await harness.ended(workflow, 2);
	});

	it('does not send the amount of another day when a run is retried later', async () => {
		const { n8n } = harness.scenario;
		const workflow = await open();
		await wallets(wallet(IDS.wallet, '10.30'), wallet(IDS.secondWallet, '20.30'));
		breakNode(harness, faultsOf(FILE).find(({ name }) => name === 'Log')!.node, 'always');
		expect(await workflow.run()).toBe('error');
		mend(harness);
		const [failed] = await executions(n8n, workflow);
		// It is another day there than in UTC.
		const timezone = new Date().getUTCHours() < 12 ? 'Etc/GMT+12' : 'Pacific/Kiritimati';
		await n8n.rest('PATCH', `/rest/workflows/${workflow.id}`, { settings: { timezone } });
		await retryExecution(n8n, failed!.id, 'currently saved');
		await eventually(async () => told().length > 0);
		expect(told()[0]).toContain(`• ${IDS.secondWallet}: not sent`);
		expect(sent()).toEqual(['10']);
	});

	it.each([
		['PENDING', MAGIC_RECIPIENTS.WARNING, 'awaited'],
		['FAILED', MAGIC_RECIPIENTS.FAILED, ''],
	])('tells of %s as the service says it', async (outcome, to, confirmation) => {
		const workflow = await open();
		await wallets(wallet(IDS.wallet, '10.30', { to }));
		expect(await workflow.run()).toBe('success');
		expect(told()[0]).toContain(`• ${IDS.wallet}: ${outcome} 10 `);
		expect(await log()).toMatchObject([{ outcome, confirmation }]);
	});

	it('logs an unknown outcome once as awaited, and then as not sent again', async () => {
		const workflow = await open();
		await wallets(wallet(IDS.wallet, '10.30'));
		harness.simulator.faults.add({ kind: 'reset-after', match: { path: '/transfer' }, times: 99 });
		expect(await workflow.run()).toBe('success');
		harness.simulator.faults.clear();
		expect(await workflow.run()).toBe('success');
		expect(await log()).toMatchObject([
			{ outcome: 'unknown', amount: '10', confirmation: 'awaited' },
			{ outcome: 'unknown, not sent again', confirmation: 'ask the provider' },
		]);
		expect(sent()).toEqual(['10']);
	});

	it('sends nothing for two rows with the same wallet and token', async () => {
		const workflow = await open();
		await wallets(
			wallet(IDS.wallet, '10.30'),
			wallet(IDS.wallet, '10.30', { to: MAGIC_RECIPIENTS.PENDING }),
		);
		expect(await workflow.run()).toBe('success');
		expect(told()[0]).toContain('same wallet and token');
		expect(sent()).toEqual([]);
	});

	it('sends small amounts without a question, and names nobody for them or for a refusal', async () => {
		const workflow = await open();
		await wallets(
			wallet(IDS.wallet, '5000.30'),
			wallet(IDS.secondWallet, '10.30'),
			wallet('wal-0004', '10.30', { balance_day: '2026-01-01' }),
		);
		const run = workflow.run();
		await answer(workflow, 1, 'Do not send');
		await eventually(async () => told().length > 0);
		expect(await run).toBe('success');
		expect(sent()).toEqual(['10']);
		expect((await log()).map(({ outcome, decided_by }) => [outcome, decided_by])).toEqual([
			['declined', APPROVER.name],
			['swept', ''],
			['not sent', ''],
		]);
	});

	it('sends nothing when nobody answers in time, says so, and asks again at the next run', async () => {
		const limitWaitTime = {
			values: { limitType: 'afterTimeInterval', resumeAmount: 0.02, resumeUnit: 'minutes' },
		};
		const workflow = await open((file) =>
			withParameters(file, 'Ask', { options: { limitWaitTime } }),
		);
		await wallets(wallet(IDS.wallet, '5000.30'));
		await workflow.start();
		await eventually(async () => told().length > 0, LONGEST_WAIT_MS);
		expect(told()[0]).toContain(`• ${IDS.wallet}: no answer in time 5000`);
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
			const amount = asks ? '5000' : '10';
			const outcome = kind === 'told' ? text : `swept ${amount}`;
			expect(told()).toEqual([expect.stringContaining(`• ${IDS.wallet}: ${outcome}`)]);
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
