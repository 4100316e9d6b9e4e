import { eventually, executions, type TriggerWorkflow } from '../harness/n8n/scenario.mts';
import { emptyTable, readTable, writeTable } from '../harness/workflows/dataTables.mts';
import { waits } from '../harness/workflows/decision.mts';
import { sweepRow } from '../harness/workflows/everyWorkflow.mts';
import { alarm, alarms, breakNode, faultsOf, mendAndRetry } from '../harness/workflows/faults.mts';
import { harness, useWorkflows } from '../harness/workflows/useWorkflows.mts';
import { readWorkflow, withParameters } from '../harness/workflows/workflowFiles.mts';
import { IDS, sampleEvent } from '../simulator/index.mts';

const FILE = 'treasury-confirmations.json';
const NAME = 'Treasury confirmations';
const HASH = '0xaaaa';
/** n8n looks once a minute for what has waited long enough. */
const LONGEST_WAIT_MS = 150_000;
const TO = '0xAAAA111111111111111111111111111111111111';

useWorkflows();

let workflow: Awaited<ReturnType<typeof harness.openOnDemand>>;
let router: TriggerWorkflow;

beforeAll(async () => {
	workflow = await harness.openOnDemand(FILE);
	router = await harness.openRouter({ [NAME]: workflow });
});

let sent = 0;
const event = (data: object = {}, status = 'success') =>
	sampleEvent('treasury.transfer', {
		operation_id: `transfer-${sent++}`,
		status,
		data: {
			wallet_id: IDS.wallet,
			transaction_hash: HASH,
			to_wallet_address: TO,
			amount: '1.500000',
			...data,
		},
	});

const open = (differences: Record<string, string> = {}) =>
	sweepRow({ to: TO.toLowerCase(), ...differences });
const rows = async (...of: object[]) =>
	await writeTable(harness.scenario.n8n, 'Treasury sweeps', of as Array<Record<string, string>>);
const confirmations = async () =>
	(await readTable(harness.scenario.n8n, 'Treasury sweeps')).map(
		({ confirmation }) => confirmation,
	);
const told = () => harness.told('#treasury');

/** Passes an event on and waits until the workflow has ended. */
async function take(...of: Parameters<typeof event>): Promise<void> {
	const before = (await executions(harness.scenario.n8n, workflow)).length;
	await harness.send(router, event(...of));
	await harness.ended(workflow, before + 1);
}

const NO_SWEEP = '*A transfer that is not one of your sweeps, or could be several*';
const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);

describe('Treasury confirmations', () => {
	it('confirms by hash if there is one, and no sweep twice', async () => {
		await rows(open({ transaction_hash: HASH }), open(), open({ transaction_hash: '0xbbbb' }));
		await take();
		await take();
		expect(await confirmations()).toEqual(['success', 'awaited', 'awaited']);
		expect(told()).toEqual([]);
	});

	it('confirms the only open sweep of wallet, recipient and amount if there is no known hash', async () => {
		await rows(
			open(),
			open({ amount: '2' }),
			open({ wallet_id: IDS.secondWallet }),
			open({ confirmation: '', outcome: 'refused' }),
		);
		await take();
		expect(await confirmations()).toEqual(['success', 'awaited', 'awaited', '']);
		expect((await readTable(harness.scenario.n8n, 'Treasury sweeps'))[0]).toMatchObject({
			transaction_hash: HASH,
		});
		await take();
		expect(told()).toEqual([]);
	});

	it('reports a transfer that matches several sweeps or none, and confirms nothing', async () => {
		await rows(open(), open());
		await take();
		await take({ transaction_hash: null, amount: '77' });
		expect(await confirmations()).toEqual(['awaited', 'awaited']);
		await eventually(async () => told().length === 2);
		expect(told()).toEqual([expect.stringContaining(NO_SWEEP), expect.stringContaining('77')]);
	});

	it('confirms a sweep that is logged after its event has come', async () => {
		const wait = readWorkflow(FILE).nodes.find(({ name }) => name === 'Until it is logged')!;
		expect(wait.parameters.unit).toBe('minutes');
		// n8n stores an execution that waits for more than 65 s.
		const patient = await harness.open(FILE, (file) =>
			withParameters(file, 'Until it is logged', { amount: 70 }),
		);
		const toPatient = await harness.openRouter({ [NAME]: patient });
		await emptyTable(harness.scenario.n8n, 'Treasury sweeps');
		await harness.send(toPatient, event());
		await waits(harness.scenario.n8n, patient);
		await rows(open({ transaction_hash: HASH }));
		await eventually(async () => (await confirmations())[0] === 'success', LONGEST_WAIT_MS);
		await harness.ended(patient, 1);
		expect(told()).toEqual([]);
	});

	it('lists unconfirmed and failed sweeps in one message every morning, and sends none otherwise', async () => {
		await rows(
			open({ day: yesterday, transaction_hash: HASH }),
			open({ day: yesterday, amount: '3' }),
			open({ amount: '4' }),
		);
		await take({}, 'failed');
		expect(await workflow.run()).toBe('success');
		expect(told()).toHaveLength(1);
		expect(told()[0]).toContain(`• ${yesterday}, ${IDS.wallet}: 1.5, swept, failed`);
		expect(told()[0]).toContain(`• ${yesterday}, ${IDS.wallet}: 3, swept, awaited`);
		expect(told()[0]).not.toContain(': 4,');
		await rows(
			open({ day: yesterday, confirmation: 'success' }),
			open({ day: yesterday, confirmation: '' }),
		);
		expect(await workflow.run()).toBe('success');
		expect(told()).toHaveLength(1);
	});

	/** Situation that needs each node: the sweep in the table, whether the morning run starts, and the message. */
	const NEEDED: Record<string, { row: object; morning?: true; tells?: string }> = {
		'Confirm by hash': { row: { transaction_hash: HASH } },
		'Same without hash': { row: {} },
		'Confirm this one': { row: {} },
		'Tell: no such sweep': { row: { amount: '9' }, tells: NO_SWEEP },
		'Not confirmed': { row: { day: yesterday }, morning: true, tells: 'not confirmed' },
		'Tell: not confirmed': { row: { day: yesterday }, morning: true, tells: 'not confirmed' },
	};

	it.each(faultsOf(FILE))(
		'$name fails $fault ($kind): the transfer is confirmed or reported once',
		async ({ name, fault, node, kind }) => {
			const { row, morning, tells } = NEEDED[name]!;
			await rows(open(row as Record<string, string>));
			breakNode(harness, node, fault);
			if (morning) await workflow.run();
			else await take();
			if (kind === 'stops') {
				await alarm(harness, FILE, name);
				expect(told()).toEqual([]);
				await mendAndRetry(harness, workflow);
			}
			if (tells) await eventually(async () => told().length > 0);
			else await eventually(async () => (await confirmations())[0] === 'success');
			await harness.ended(workflow, 1);
			expect(told()).toEqual(tells ? [expect.stringContaining(tells)] : []);
			expect(alarms(harness)).toHaveLength(kind === 'stops' ? 1 : 0);
		},
	);
});
