import { eventually, type TriggerWorkflow } from '../harness/n8n/scenario.mts';
import { readTable, setRow, writeTable } from '../harness/workflows/dataTables.mts';
import { runFrom } from '../harness/workflows/imported.mts';
import {
	allow,
	EVENING,
	key,
	LOG,
	row,
	today,
	TREASURY,
	WALLETS,
} from '../harness/workflows/sweeps.mts';
import { harness, useWorkflows } from '../harness/workflows/useWorkflows.mts';
import { withParameters } from '../harness/workflows/workflowFiles.mts';
import { APPROVER, STRANGER } from '../harness/workflows/workflowHarness.mts';
import { IDS } from '../simulator/index.mts';

/** USDC on Ethereum, as the simulator lists it. */
const USDC = '0x70ce000000000000000000000000000000000001';
const ASK = '#treasury-approvals';

let workflow: TriggerWorkflow;

useWorkflows();

beforeAll(async () => {
	workflow = await open();
});

const open = async (parameters: object = {}) =>
	await harness.open('treasury-sweep.json', (file) =>
		withParameters(allow(file, { dryRun: false }), 'Ask a person', {
			approvers: [APPROVER.id],
			...parameters,
		}),
	);

const start = async (of = workflow) => await runFrom(harness.scenario.n8n, of, EVENING);
const sweep = async () => (await harness.during(workflow, async () => void (await start()))).told;

const entries = async () =>
	Object.fromEntries(
		(await readTable(harness.scenario.n8n, LOG)).map((entry) => [String(entry.key), entry]),
	);

const sent = () =>
	harness.simulator.ledger.map(({ idempotencyKey, amountText }) => [idempotencyKey, amountText]);

const untilSomethingIsTold = async (beginning: string) =>
	(
		await eventually(async () =>
			harness.slack.messages.find(
				({ channel, text }) => channel === '#treasury' && text.startsWith(beginning),
			),
		)
	).text;

it('asks before it sends more than ask_above, and sends what was shown, whatever the table says by then', async () => {
	await writeTable(harness.scenario.n8n, WALLETS, [
		row(IDS.wallet, USDC, '1000.10', '0.30', { ask_above: '500' }),
		row(IDS.secondWallet, USDC, '500.50', '0.50', { ask_above: '500' }),
	]);
	await start();
	const [question] = await harness.messages(ASK, 1);
	expect(question!.text.split('\n')).toEqual([
		'*Send this sweep?*',
		`• 999.8 USDC (ETHEREUM) from wallet wal-0001 to ${TREASURY} (balance 1000.10, key ${key(IDS.wallet, USDC)})`,
		'Whoever has entered or changed a row of the table must not approve it.',
	]);
	expect(sent()).toEqual([[key(IDS.secondWallet, USDC), '500']]);
	expect(await untilSomethingIsTold('*Sweep of')).toBe(
		`*Sweep of ${today}:* 2 rows looked at: 1 waiting for approval, 1 swept.`,
	);

	await setRow(harness.scenario.n8n, WALLETS, 'wallet_id', IDS.wallet, { balance: '9999' });
	await setRow(harness.scenario.n8n, LOG, 'key', key(IDS.wallet, USDC), { amount: '9998.7' });
	await harness.press(workflow, question!, 'Send', STRANGER);
	await harness.messages(STRANGER.id, 1);
	expect(sent()).toHaveLength(1);
	await harness.click(workflow, question!, 'Send');
	expect(await untilSomethingIsTold('Swept 999.8')).toContain(
		`USDC (ETHEREUM) from wallet wal-0001 to ${TREASURY}, decided by ${APPROVER.name}, ${APPROVER.id}.`,
	);
	expect(sent().slice(1)).toEqual([[key(IDS.wallet, USDC), '999.8']]);
	expect(await entries()).toMatchObject({
		[key(IDS.wallet, USDC)]: { status: 'SUCCESS', amount: '999.8' },
	});
});

it('reports a balance that was changed after the sweep of the day', async () => {
	await writeTable(harness.scenario.n8n, WALLETS, [
		row(IDS.secondWallet, USDC, '1,250.50', '0.50', { ask_above: '500' }),
	]);
	expect(await sweep()).toEqual([
		expect.stringMatching(
			/^#treasury \*Not swept again today:\* wallet wal-0002: its balance in the table is now "1,250.50", but today's sweep \(500 USDC \(ETHEREUM\), SUCCESS\) was worked out from 500.50\./,
		),
		`#treasury *Sweep of ${today}:* 1 row looked at: 1 already swept today.`,
	]);
	expect(sent()).toEqual([]);
});

it('sends nothing that was not approved, or that nobody answered, and does not ask again that day', async () => {
	const [refused, late] = [`0x${'ab'.repeat(20)}`, `0x${'cd'.repeat(20)}`];
	await writeTable(harness.scenario.n8n, WALLETS, [
		row(IDS.wallet, refused, '20', '0', { ask_above: '0' }),
	]);
	await start();
	const [question] = await harness.messages(ASK, 1);
	await harness.click(workflow, question!, 'Do not send');
	expect(await untilSomethingIsTold('*Not approved:*')).toContain(
		`20 of token ${refused} from wallet wal-0001 to ${TREASURY}, decided by ${APPROVER.name}, ${APPROVER.id}. Nothing was sent.`,
	);
	expect(await sweep()).toEqual([
		`#treasury *Sweep of ${today}:* 1 row looked at: 1 not approved.`,
	]);

	const limitWaitTime = {
		values: { limitType: 'afterTimeInterval', resumeAmount: 0.02, resumeUnit: 'minutes' },
	};
	const hasty = await open({ options: { limitWaitTime } });
	await writeTable(harness.scenario.n8n, WALLETS, [
		row(IDS.wallet, late, '20', '0', { ask_above: '0' }),
	]);
	const ran = await harness.during(hasty, async () => void (await start(hasty)));
	expect(ran.told).toContainEqual(expect.stringContaining('nobody answered in time. Nothing was'));
	expect(sent()).toEqual([]);
	expect(await entries()).toMatchObject({
		[key(IDS.wallet, refused)]: { status: 'not approved' },
		[key(IDS.wallet, late)]: { status: 'not approved' },
	});
});

it('lists every morning what no event has confirmed after a day', async () => {
	const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
	const morning = async () =>
		await harness.during(
			workflow,
			async () => void (await runFrom(harness.scenario.n8n, workflow, 'Every morning at 8:00')),
		);
	expect(await morning()).toEqual({ status: 'success', told: [] });
	for (const wallet of [IDS.wallet, IDS.secondWallet])
		await setRow(harness.scenario.n8n, LOG, 'key', key(wallet, USDC), { day: yesterday });
	await setRow(harness.scenario.n8n, LOG, 'key', key(IDS.secondWallet, USDC), {
		status: 'confirmed',
	});
	const { told } = await morning();
	expect(told).toHaveLength(1);
	expect(told[0]!.split('\n')).toEqual([
		'#treasury *Not confirmed yet:*',
		expect.stringMatching(
			new RegExp(`^• ${yesterday}, SUCCESS: 999.8 USDC \\(ETHEREUM\\) from wallet wal-0001 to 0x`),
		),
		expect.stringContaining('Find out how each ended'),
	]);
});
