import { executions } from '../harness/n8n/executions.mts';
import { publish } from '../harness/n8n/workflows.mts';
import { readTable, writeTable } from '../harness/workflows/dataTables.mts';
import { alarm, alarms, mendAndRetry } from '../harness/workflows/faults.mts';
import { NOT_BY_PAY, PAID, paymentRow } from '../harness/workflows/rows.mts';
import { anew, done, openCase, told, untilEnded } from '../harness/workflows/runCase.mts';
import { harness, n8n, useWorkflows } from '../harness/workflows/useWorkflows.mts';
import {
	readWorkflow,
	withSettings,
	type WorkflowFile,
} from '../harness/workflows/workflowFiles.mts';
import { IDS, sampleEvent } from '../simulator/index.mts';

useWorkflows();

const UNTAKEN = 'Events that nobody takes';

describe('Event router', () => {
	const FILE = 'event-router.json';

	/** Opens the router with *KYC status changed* behind it. */
	async function open() {
		const status = await harness.open('kyc-status-changed.json');
		const router = await harness.openRouter({ 'KYC status changed': status });
		await writeTable(n8n, UNTAKEN, []);
		await writeTable(n8n, 'KYC statuses told', []);
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

	it('reports an event that could not be passed on; a retry passes it on', async () => {
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
});

describe('bursts in a channel that takes one message a second', () => {
	it.each([
		[
			'card-blocked-by-velocity.json',
			sampleEvent('cards.card_blocked_by_velocity'),
			'card_id',
			'#card-blocks',
		],
		['kyc-status-changed.json', sampleEvent('company_activity.client_status'), 'id', '#kyc'],
	] as const)(
		'%s: each of 20 events is told, without an alarm',
		async (file, event, id, channel) => {
			const patient = await harness.openPatient(file);
			const router = await harness.openRouter({ [readWorkflow(file).name]: patient });
			await writeTable(n8n, 'KYC statuses told', []);
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
		const { run } = await openCase(harness, 'kyc-status-changed.json');
		await writeTable(n8n, 'KYC statuses told', []);
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
	const TOKEN = `0x${'2'.repeat(40)}`;
	const rows = async (...of: object[]) => await writeTable(n8n, PAID, of);
	/** Confirmation of each row, or that the row was made for a transfer. */
	const became = async () =>
		(await readTable(n8n, PAID)).map(({ outcome, confirmation }) =>
			outcome === NOT_BY_PAY ? `alien ${String(confirmation)}`.trim() : confirmation,
		);
	const payment = (reference: string, differences: object = {}) =>
		paymentRow({ reference, to: TO.toLowerCase(), ...differences });

	/** Opens the workflow with a function that passes an event on and waits for its end. */
	async function open(change?: (file: WorkflowFile) => WorkflowFile) {
		const { run } = await openCase(harness, 'treasury-confirmations.json', change);
		const take = async (data: object = {}, status = 'success') => {
			const sample = sampleEvent('treasury.transfer', { status });
			const transfer = { wallet_id: IDS.wallet, to_wallet_address: TO, amount: '1.500000' };
			const given = { transaction_hash: HASH, token: null, ...data };
			await run({ ...sample, data: { ...sample.data, ...transfer, ...given } });
		};
		return { run, take };
	}

	it.each<[string, object[], Array<[data: object, status?: string]>, unknown[]]>([
		[
			'by its hash, in each row that n8n has given it, in any letter case of the status, and keeps a final one',
			[
				...['A', 'A'].map((name) => payment(name, { transaction_hash: HASH })),
				payment('B'),
				payment('C', { transaction_hash: '0xb' }),
			],
			[
				[{}, 'PENDING'],
				[{}, 'SUCCESS'],
				[{}, 'pending'],
				[{}, 'Failed'],
			],
			['success', 'success', null, null],
		],
		[
			'without a hash, first as pending',
			[payment('A'), payment('B', { amount: 9 })],
			[[{ transaction_hash: null }, 'pending'], [{ transaction_hash: HASH }]],
			['success', null],
		],
		[
			'of the native coin, whose event has a token without an address',
			[payment('A'), payment('B', { token_address: TOKEN })],
			[[{ transaction_hash: null, token: { address: '' } }]],
			['success', null],
		],
		[
			'of a token, beside an equal one of the native coin',
			[payment('A'), payment('B', { token_address: TOKEN })],
			[[{ token: { address: TOKEN } }]],
			[null, 'success'],
		],
	])('confirms a payment %s', async (_, given, events, expected) => {
		const { take } = await open();
		await rows(...given);
		for (const event of events) await take(...event);
		expect(await became()).toEqual(expected);
	});

	it.each<[string, object[], Array<[data: object, status?: string]>]>([
		['could be either of two payments', [payment('A'), payment('B')], [[{}]]],
		['has another amount', [payment('A')], [[{ amount: '77' }]]],
		['is in another token', [payment('A')], [[{ token: { address: TOKEN } }]]],
		['is in an unknown token', [payment('A')], [[{ token: 'USDC' }]]],
		['is native, and the payment is not', [payment('A', { token_address: TOKEN })], [[{}]]],
		[
			'has neither hash nor amount',
			[payment('A', { amount: 9 })],
			[[{ transaction_hash: undefined }]],
		],
		['fits a payment that waits for its yes', [payment('A', { outcome: 'open' })], [[{}]]],
		['fits a payment that was refused', [payment('A', { outcome: 'not_sent' })], [[{}]]],
		['is told as pending, then as success', [payment('A', { amount: 9 })], [[{}, 'pending'], [{}]]],
	])('makes one row of a transfer that %s, and confirms nothing', async (_, given, events) => {
		const { take } = await open();
		await rows(...given);
		for (const event of events) await take(...event);
		expect(await became()).toEqual([...given.map(() => null), 'alien']);
		expect(told(harness)).toEqual([]);
	});

	it.each(['By its hash', 'Same without hash', 'Which payment?'])(
		'confirms nothing wrongly, and drops nothing, while "%s" is deactivated',
		async (name) => {
			const { take } = await open((file) => withSettings(file, name, { disabled: true }));
			await rows(payment('A', { amount: 9 }), payment('B', { outcome: 'open' }));
			await take();
			expect(await became()).toEqual([null, null, 'alien']);
		},
	);

	it('tells in one short message first what was not by *Pay*, each once, then what is not confirmed', async () => {
		const { run } = await open();
		const hidden = { summary: 'Not listed' };
		await rows(
			...Array.from({ length: 1_000 }, () =>
				payment('A', { outcome: 'failed', summary: `Failed: ${'x'.repeat(192)}` }),
			),
			...['B', 'C'].map((name) => payment(name, { outcome: NOT_BY_PAY, summary: `By ${name}` })),
			payment('D', { confirmation: 'failed', summary: 'Sent: one' }),
			...['not_sent', 'rejected', 'dry_run'].map((outcome) => payment('E', { ...hidden, outcome })),
			...['success', 'settled'].map((confirmation) => payment('F', { ...hidden, confirmation })),
			payment('G', { ...hidden, outcome: NOT_BY_PAY, confirmation: 'told' }),
			payment('H', { ...hidden, day: new Date().toISOString() }),
		);
		await run();
		await run();
		const texts = told(harness);
		expect(texts.map((text) => text.split('\n')[0])).toEqual([
			'*Payments to look at: 1003*',
			'*Payments to look at: 1001*',
		]);
		expect(texts[0]).toMatch(
			/\na foreign transfer, not by Pay +By B\na foreign transfer, not by Pay +By C\ndone failed Sent: one\n/,
		);
		expect(texts[1]).toMatch(/^done failed Sent: one$/m);
		expect(texts.join('\n')).not.toContain('Not listed');
		for (const text of texts) expect(text.length).toBeLessThan(3_000);
	});
});

describe('Payments of the month', () => {
	it('mails sums by outcome and token, who is not paid, and a CSV with one row a payment', async () => {
		const { run } = await openCase(harness, 'payments-of-the-month.json');
		const day = new Date(Date.now() - 86_500_000).toISOString();
		const of = (outcome: string, amount: number, confirmation: string | null, more = {}) =>
			paymentRow({
				...{ reference: `INV-${amount}`, summary: '…' },
				...{ outcome, amount, confirmation, day, ...more },
			});
		await writeTable(n8n, PAID, [
			of('done', 1.1, null),
			of('unknown', 2.2, 'success'),
			of('already_sent', 4, 'success'),
			of('done', 8, 'failed'),
			of('unknown', 16, null),
			// n8n lets each of two workers at once make the row.
			of('unknown', 16, null),
			of('not_sent', 32, null),
			of(NOT_BY_PAY, 64, 'told'),
			of('done', 128, 'success', { token_address: '0x22' }),
			of('done', 256, 'success', { day: '2026-01-01' }),
			of('done', 512, null, { day: new Date().toISOString() }),
		]);
		expect(await run()).toBe('success');
		const [mail] = harness.smtp.mails;
		expect(mail!.text.trim().split('\n')).toEqual([
			expect.stringMatching(/^Payments from 20\d\d-\d\d-\d\dT.* until yesterday\. /),
			'paid: 3 payments, 7.3 of native',
			'paid: 1 payments, 128 of 0x22',
			'done, then failed: 1 payments, 8 of native',
			'a foreign transfer, not by Pay, then told: 1 payments, 64 of native',
			'unknown: 1 payments, 16 of native',
			'not_sent: 1 payments, 32 of native',
			'Not paid, or not known to be paid. Do not pay again what is pending or unknown:',
			'INV-8: done, then failed. …',
			'INV-64: a foreign transfer, not by Pay, then told. …',
			'INV-16: unknown. …',
			'INV-32: not_sent. …',
		]);
		const lines = mail!.attachments![0]!.split('\n').filter((line) => line.includes('INV-'));
		expect(lines).toHaveLength(8);
	});
});
