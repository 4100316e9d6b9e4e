import { eventually, executions, type TriggerWorkflow } from '../harness/n8n/scenario.mts';
import { readTable, writeTable, type Row } from '../harness/workflows/dataTables.mts';
import { waits } from '../harness/workflows/decision.mts';
import { paymentRow, PAYMENTS } from '../harness/workflows/everyWorkflow.mts';
import { alarm, alarms, breakNode, faultsOf, mendAndRetry } from '../harness/workflows/faults.mts';
import { harness, useWorkflows } from '../harness/workflows/useWorkflows.mts';
import { IDS, sampleEvent } from '../simulator/index.mts';

const FILE = 'treasury-confirmations.json';
const NAME = 'Treasury confirmations';
const HASH = '0xaaaa';
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

let payments = 0;
/** Open payment; each has a reference of its own. */
const open = (differences: object = {}) =>
	paymentRow({ reference: `INV-${payments++}`, to: TO.toLowerCase(), ...differences });
const rows = async (...of: object[]) =>
	await writeTable(harness.scenario.n8n, PAYMENTS, of as Row[]);
const table = async () => await readTable(harness.scenario.n8n, PAYMENTS);
const confirmations = async () => (await table()).map(({ confirmation }) => confirmation);
const told = () => harness.told('#treasury');

/** Passes an event on and waits until the workflow has ended. */
async function take(...of: Parameters<typeof event>): Promise<void> {
	const before = (await executions(harness.scenario.n8n, workflow)).length;
	await harness.send(router, event(...of));
	await harness.ended(workflow, before + 1);
}

const NO_PAYMENT = '*A transfer that fits no row of Treasury payments, or several*';
const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
const today = new Date().toISOString().slice(0, 10);

describe('Treasury confirmations', () => {
	it('confirms every sent row of a payment by its hash, in any letter case', async () => {
		await rows(
			open({ reference: 'A', transaction_hash: HASH.toUpperCase(), summary: 'Sent: A' }),
			open({ reference: 'A', outcome: 'unknown' }),
			open(),
			open({ transaction_hash: '0xbbbb' }),
			open({ reference: 'A', outcome: null, summary: 'Not approved' }),
			open({ reference: 'A', outcome: 'dry_run' }),
			open({ reference: 'A', outcome: 'already_sent' }),
		);
		await take({}, 'pending');
		expect(await confirmations()).toEqual(['pending', 'pending', null, null, null, null, null]);
		await take();
		expect(await confirmations()).toEqual(['success', 'success', null, null, null, null, null]);
		expect((await table())[0]!.summary).toBe('Sent: A');
		expect((await table())[4]!.summary).toBe('Not approved');
		expect(told()).toEqual([]);
	});

	it('keeps a final status', async () => {
		await rows(open({ transaction_hash: HASH }));
		for (const status of ['success', 'pending', 'failed']) await take({}, status);
		expect(await confirmations()).toEqual(['success']);
		expect(told()).toEqual([]);
	});

	it('confirms the only open payment with the same wallet, recipient, token and amount if no row has the hash', async () => {
		await rows(
			open({ outcome: 'unknown', token_address: 'Native' }),
			open({ amount: 2 }),
			open({ wallet_id: IDS.secondWallet }),
			open({ outcome: 'not_sent' }),
		);
		await take({ token: null });
		expect(await confirmations()).toEqual(['success', null, null, null]);
		expect((await table())[0]).toMatchObject({ transaction_hash: HASH });
		expect(told()).toEqual([]);
	});

	it.each([
		['could be either of two payments', [open(), open()], {}],
		['has another amount', [open()], { amount: '77' }],
		['is in another token', [open()], { token: { address: TO } }],
		['is in an unknown token while the payment is in the native coin', [open()], { token: 'USDC' }],
		[
			'is in the native coin while the payment is in a token',
			[open({ token_address: TO })],
			{ token: null },
		],
		['has no hash and another amount', [open({ amount: 9 })], { transaction_hash: null }],
	])('confirms nothing by a transfer that %s, and reports it', async (_, given, data) => {
		await rows(...given);
		await take({ token: null, ...data });
		expect(await confirmations()).toEqual(given.map(() => null));
		await eventually(async () => told().length > 0);
		expect(told()).toEqual([expect.stringContaining(NO_PAYMENT)]);
	});

	it('confirms a payment whose row is written after its event has arrived', async () => {
		const patient = await harness.openPatient(FILE);
		const toPatient = await harness.openRouter({ [NAME]: patient });
		await rows();
		await harness.send(toPatient, event());
		await waits(harness.scenario.n8n, patient);
		await rows(open({ transaction_hash: HASH }));
		await harness.runOut(patient);
		await eventually(async () => (await confirmations())[0] === 'success');
		await harness.ended(patient, 1);
		expect(told()).toEqual([]);
	});

	it('lists every morning, in one short message, payments not confirmed or failed and sweeps that did not run', async () => {
		const many = Array.from({ length: 1_000 }, () =>
			open({ outcome: 'failed', summary: `Failed: ${'x'.repeat(192)}` }),
		);
		await rows(
			...many,
			open({ day: yesterday, transaction_hash: HASH, summary: 'Sent: one' }),
			open({ day: yesterday, outcome: 'unknown', summary: 'May have been sent: two' }),
			open({ day: '2026-01-02T18:00:00.000Z', outcome: 'not_run', summary: 'No sweep: three' }),
			...['not_sent', 'rejected', 'dry_run', 'already_sent', 'nothing_to_send'].map((outcome) =>
				open({ day: yesterday, outcome, summary: 'Not listed' }),
			),
			open({ day: yesterday, confirmation: 'success', summary: 'Not listed' }),
			open({ day: yesterday, confirmation: 'settled', summary: 'Not listed' }),
			open({ day: yesterday, outcome: null, summary: 'Not listed' }),
			open({ day: today, summary: 'Not listed' }),
			open({ day: `${yesterday}T23:59:00.000Z`, outcome: 'not_run', summary: 'Not listed' }),
		);
		await take({}, 'failed');
		expect(await workflow.run()).toBe('success');
		expect(told()).toHaveLength(1);
		expect(told()[0]).toContain('*Payments that are not confirmed: 1003*');
		expect(told()[0]).toMatch(/^ ?May have been sent: two$/m);
		expect(told()[0]).toContain('No sweep: three');
		expect(told()[0]).toMatch(/^failed Sent: one$/m);
		expect(told()[0]).not.toContain('Not listed');
		expect(told()[0]!.length).toBeLessThan(3_000);
		await rows(open({ day: yesterday, confirmation: 'success' }));
		expect(await workflow.run()).toBe('success');
		expect(told()).toHaveLength(1);
	});

	/** Situation that needs each node: the payment in the table, whether the morning run starts, and the message. */
	const NEEDED: Record<string, { row: object; morning?: true; tells?: string }> = {
		'Table of payments': { row: {} },
		'By its hash': { row: { transaction_hash: HASH } },
		'Same without hash': { row: {} },
		Confirm: { row: {} },
		'Tell: no such payment': { row: { amount: 9 }, tells: NO_PAYMENT },
		'Not confirmed': { row: { day: yesterday }, morning: true, tells: 'not confirmed' },
		'Tell: not confirmed': { row: { day: yesterday }, morning: true, tells: 'not confirmed' },
	};

	it.each(faultsOf(FILE))(
		'$name fails $fault ($kind): the transfer is confirmed or reported once',
		async ({ name, fault, node, kind }) => {
			const { row, morning, tells } = NEEDED[name]!;
			await rows(open(row));
			breakNode(harness, node, fault);
			if (morning) await workflow.run();
			else await take({ token: null });
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
