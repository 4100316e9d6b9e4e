import { createCredential, keys } from '../harness/n8n/credentials.mts';
import { eventually, executions } from '../harness/n8n/executions.mts';
import { moveToMember } from '../harness/n8n/member.mts';
import { createWorkflow, publish } from '../harness/n8n/workflows.mts';
import { caseOf } from '../harness/workflows/cases.mts';
import { readTable, writeTable, type Row } from '../harness/workflows/dataTables.mts';
import { alarm, alarms, mendAndRetry } from '../harness/workflows/faults.mts';
import { paymentRow, PAYMENTS } from '../harness/workflows/rows.mts';
import { anew, done, openCase, told, untilEnded } from '../harness/workflows/runCase.mts';
import { harness, useWorkflows } from '../harness/workflows/useWorkflows.mts';
import {
	importWorkflow,
	readWorkflow,
	withWorkflows,
} from '../harness/workflows/workflowFiles.mts';
import { onlyAlarms } from '../harness/workflows/workflowHarness.mts';
import { IDS, sampleEvent } from '../simulator/index.mts';

useWorkflows();

const UNTAKEN = 'Events that nobody takes';

describe('Event router', () => {
	const FILE = 'event-router.json';

	/** Opens the router with *KYC status changed* behind it. */
	async function open() {
		const status = await harness.open('kyc-status-changed.json');
		const router = await harness.openRouter({ 'KYC status changed': status });
		await writeTable(harness.scenario.n8n, UNTAKEN, []);
		await writeTable(harness.scenario.n8n, 'KYC statuses told', []);
		return { status, router };
	}
	const rejected = () => anew(sampleEvent('company_activity.client_status'));

	it('reports each type that nobody takes once when many events of two types arrive together', async () => {
		const { router } = await open();
		const names = ['cards.refund', 'cards.reversal'] as const;
		const burst = Array.from({ length: 10 }, () => names.map((name) => anew(sampleEvent(name))));
		await Promise.all(burst.flat().map(async (event) => await harness.send(router, event)));
		await untilEnded(harness, router, 20);
		const mail = (type: string) => `Events of the type ${type} are taken by no workflow`;
		expect(done(harness).sort()).toEqual([mail('refund'), mail('reversal')]);
	});

	it('has the webhook URL of its file after it is imported and saved', async () => {
		const { n8n } = harness.scenario;
		const file = readWorkflow(FILE);
		const trigger = file.nodes.find(({ name }) => name === 'Company webhook')!;
		const imported = await importWorkflow(n8n, withWorkflows(file, {}));
		expect(imported.url).toBe(`${n8n.url}/webhook/${trigger.webhookId}/webhook`);
	});

	it('reports an event that could not be passed on; a retry passes it on', async () => {
		const { n8n } = harness.scenario;
		const { status, router } = await open();
		await n8n.rest('POST', `/rest/workflows/${status.id}/deactivate`, {});
		await harness.send(router, rejected());
		const mail = await alarm(harness, FILE, 'KYC status changed');
		const [failed] = (await executions(n8n, router)).filter((row) => row.status === 'error');
		expect(mail.text).toContain(`/executions/${failed!.id}`);
		await publish(n8n, status);
		await mendAndRetry(harness, router);
		await untilEnded(harness, status, 1);
		expect(told(harness)).toHaveLength(1);
	});

	it('reports, as the error workflow of another workflow, an event lost because the credential is not shared', async () => {
		const { n8n } = harness.scenario;
		const credential = await createCredential(n8n, keys());
		const workflow = await createWorkflow(n8n, credential, { events: ['cards.cleared'] });
		// The workflow moves before its first run, because n8n caches the owner.
		await moveToMember(n8n, workflow.id);
		const errors = await harness.open(FILE, onlyAlarms);
		const { versionId } = await n8n.rest('PATCH', `/rest/workflows/${workflow.id}`, {
			settings: { errorWorkflow: errors.id },
		});
		await publish(n8n, { id: workflow.id, versionId: String(versionId) });
		await harness.send(workflow, sampleEvent('cards.cleared'));
		const mail = await eventually(async () => harness.smtp.mails[0]);
		expect(mail.text).toContain('does not have access to the credential');
		expect(mail.text).toContain('n8n has erased the event: share the credential');
	});
});

describe('bursts in a channel that takes one message a second', () => {
	it.each([
		['card', sampleEvent('cards.card_blocked_by_velocity'), 'card_id', '#card-blocks'],
		['status', sampleEvent('company_activity.client_status'), 'id', '#kyc'],
	] as const)(
		'%s: each of 20 events is told, without an alarm',
		async (key, event, id, channel) => {
			const { file } = caseOf(key);
			const patient = await harness.openPatient(file);
			const router = await harness.openRouter({ [readWorkflow(file).name]: patient });
			await writeTable(harness.scenario.n8n, 'KYC statuses told', []);
			const named = (at: number) => ({ ...event, data: { ...event.data, [id]: `number-${at}-` } });
			for (let at = 0; at < 20; at++) await harness.send(router, anew(named(at)));
			const messages = await harness.messages(channel, 20, 150_000);
			const names = new Set(messages.map(({ text }) => /number-\d+-/.exec(text)?.[0]));
			expect(names.size).toBe(20);
			expect(alarms(harness)).toEqual([]);
		},
	);
});

describe('KYC status changed', () => {
	it.each([
		['days', '2026-02-02T10:00:00.000Z', '2026-02-01T10:00:00.000Z', '2026-02-03T10:00:00.000Z'],
		['spellings', '2026-02-02T10:00:00Z', '2026-02-02T09:59:59.999Z', '2026-02-02T10:00:00.412Z'],
		['zones', '2026-02-02T10:00:00+01:00', '2026-02-02T08:59:00Z', '2026-02-02T09:01:00Z'],
	])('tells what is newer and not what is older, whatever the %s', async (_, ...times) => {
		const { run } = await openCase(harness, caseOf('status'));
		await writeTable(harness.scenario.n8n, 'KYC statuses told', []);
		for (const [at, updated_at] of times.entries()) {
			const data = { id: IDS.client, status: `status-${at}`, updated_at };
			await run(sampleEvent('company_activity.client_status', { data }));
		}
		expect(told(harness)).toEqual([
			expect.stringContaining('is status-0'),
			expect.stringContaining('is status-2'),
		]);
	});
});

describe('Treasury confirmations', () => {
	const HASH = '0xaaaa';
	const TO = '0xAAAA111111111111111111111111111111111111';
	const rows = async (...of: object[]) =>
		await writeTable(harness.scenario.n8n, PAYMENTS, of as Row[]);
	const confirmations = async () =>
		(await readTable(harness.scenario.n8n, PAYMENTS)).map(({ confirmation }) => confirmation);
	const payment = (reference: string, differences: object = {}) =>
		paymentRow({ reference, to: TO.toLowerCase(), ...differences });

	/** Opens the workflow with a function that passes an event on and waits for its end. */
	async function open() {
		const { run } = await openCase(harness, caseOf('confirmations'));
		const take = async (data: object = {}, status = 'success') => {
			const transfer = { wallet_id: IDS.wallet, to_wallet_address: TO, amount: '1.500000' };
			const given = { ...transfer, transaction_hash: HASH, token: null, ...data };
			await run(sampleEvent('treasury.transfer', { status, data: given }));
		};
		return { run, take };
	}

	it('confirms the sent rows of a payment by its hash, in any letter case, and keeps a final status', async () => {
		const { take } = await open();
		await rows(
			payment('A', { transaction_hash: HASH.toUpperCase() }),
			payment('A', { outcome: 'unknown' }),
			payment('B'),
			payment('C', { transaction_hash: '0xbbbb' }),
			...[null, 'dry_run', 'not_sent', 'already_sent'].map((outcome) => payment('A', { outcome })),
		);
		const others = Array<null>(6).fill(null);
		await take({}, 'PENDING');
		expect(await confirmations()).toEqual(['pending', 'pending', ...others]);
		for (const status of ['SUCCESS', 'pending', 'Failed']) await take({}, status);
		expect(await confirmations()).toEqual(['success', 'success', ...others]);
		expect(told(harness)).toEqual([]);
	});

	it.each([
		['could be either of two payments', [payment('A'), payment('B')], {}],
		['has another amount', [payment('A')], { amount: '77' }],
		['is in another token', [payment('A')], { token: { address: TO } }],
		['is in an unknown token', [payment('A')], { token: 'USDC' }],
		['is native, and the payment is not', [payment('A', { token_address: TO })], {}],
		['has no hash and another amount', [payment('A', { amount: 9 })], { transaction_hash: null }],
	])('confirms nothing by a transfer that %s, and reports it', async (_, given, data) => {
		const { take } = await open();
		await rows(...given);
		await take(data);
		expect(await confirmations()).toEqual(given.map(() => null));
		expect(told(harness)).toEqual([expect.stringMatching(/^\*A transfer that fits no row/)]);
	});

	it('lists in one short message what is not confirmed after a day', async () => {
		const { run } = await open();
		const day = new Date(Date.now() - 86_500_000).toISOString();
		const hidden = { day, summary: 'Not listed' };
		await rows(
			...Array.from({ length: 1_000 }, () =>
				payment('A', { outcome: 'failed', summary: `Failed: ${'x'.repeat(192)}` }),
			),
			payment('B', { day, confirmation: 'failed', summary: 'Sent: one' }),
			payment('C', { day, outcome: 'unknown', summary: 'May have been sent: two' }),
			...[null, 'not_sent', 'rejected', 'dry_run', 'already_sent'].map((outcome) =>
				payment('D', { ...hidden, outcome }),
			),
			...['success', 'settled'].map((confirmation) => payment('E', { ...hidden, confirmation })),
			payment('F', { ...hidden, day: new Date().toISOString() }),
		);
		await run();
		const [text, ...more] = told(harness);
		expect(more).toEqual([]);
		expect(text).toMatch(/^\*Payments that are not confirmed: 1002\*\n/);
		expect(text).toMatch(/^failed Sent: one$/m);
		expect(text).toMatch(/^ ?May have been sent: two$/m);
		expect(text).not.toContain('Not listed');
		expect(text!.length).toBeLessThan(3_000);
	});
});
