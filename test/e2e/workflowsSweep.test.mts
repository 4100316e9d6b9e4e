import { IDS, MAGIC_RECIPIENTS, sampleEvent } from '../simulator/index.mts';
import { startStage, type Stage } from '../harness/workflows/stage.mts';
import type { TriggerWorkflow } from '../harness/n8n/scenario.mts';
import { readTable, setRow, writeTable } from '../harness/workflows/dataTables.mts';
import { runFrom } from '../harness/workflows/imported.mts';
import { withParameters } from '../harness/workflows/workflowFiles.mts';

let stage: Stage;

beforeAll(async () => {
	stage = await startStage();
}, 1_500_000);

afterAll(async () => await stage?.close());

beforeEach(() => stage.reset());

describe('Scheduled treasury sweep', () => {
	const WALLETS = 'Treasury sweep wallets';
	const LOG = 'Treasury sweep log';
	const TREASURY = '0x52908400098527886E0F7030069857D2E4169EE7';
	const today = new Date().toISOString().slice(0, 10);
	const key = (wallet: string, token: string) => `sweep-${wallet}-${token}-${today}`;
	let workflow: TriggerWorkflow;
	let runs = 0;

	beforeAll(async () => {
		const options = {
			idempotencyKey: '={{ $json.key }}',
			maximumAmount: '={{ $json.maximum }}',
			allowedRecipients: [TREASURY, ...Object.values(MAGIC_RECIPIENTS)].join(', '),
		};
		workflow = await stage.open('treasury-sweep.json', (file) =>
			withParameters(file, 'Transfer', { options }),
		);
	});

	const row = (
		wallet_id: string,
		token_address: string,
		balance: string,
		floor: string,
		differences: object = {},
	) => ({
		account_id: IDS.account,
		wallet_id,
		token_address,
		to: TREASURY,
		floor,
		maximum: '99999999',
		balance,
		balance_day: today,
		...differences,
	});

	/** Runs the schedule and gives what was told, sorted. */
	async function sweep(): Promise<string[]> {
		stage.slack.messages.length = 0;
		await runFrom(stage.scenario.n8n, workflow, 'Every day at 18:00');
		const ended = await stage.ended(workflow, ++runs);
		expect(ended.map(({ status }) => status)).toEqual(ended.map(() => 'success'));
		return stage.slack.messages.map(({ channel, text }) => `${channel} ${text}`).sort();
	}

	async function confirm(event: object): Promise<string[]> {
		stage.slack.messages.length = 0;
		await stage.send(workflow, event);
		await stage.ended(workflow, ++runs);
		return stage.slack.messages.map(({ channel, text }) => `${channel} ${text}`);
	}

	const statuses = async () =>
		Object.fromEntries(
			(await readTable(stage.scenario.n8n, LOG)).map((entry) => [String(entry.key), entry.status]),
		);

	it('makes its tables at the first run, and says that there are no wallets yet', async () => {
		expect(await sweep()).toEqual([
			expect.stringContaining('the table "Treasury sweep wallets" has no wallets yet'),
		]);
		expect(await readTable(stage.scenario.n8n, LOG)).toEqual([]);
	});

	it('sweeps what is above the floor to the last digit, tells every other outcome, and sends nothing twice on a day', async () => {
		await writeTable(stage.scenario.n8n, WALLETS, [
			row(IDS.wallet, '', '1000.10', '0.30'),
			row(IDS.wallet, '0xpending', '0.3', '0.1', { to: MAGIC_RECIPIENTS.PENDING }),
			row(IDS.secondWallet, '', '12345678.1234567899', '0.0000000001', {
				to: MAGIC_RECIPIENTS.MANUAL_CHECK,
			}),
			row(IDS.secondWallet, '0xfailed', '5', '1', { to: MAGIC_RECIPIENTS.FAILED }),
			row(IDS.secondWallet, '0xwarning', '7.50', '0', { to: MAGIC_RECIPIENTS.WARNING }),
			row('wal-9999', '', '9', '1'),
			row(IDS.wallet, '0xstranger', '9', '1', { to: `0x${'99'.repeat(20)}` }),
			row(IDS.wallet, '0xstale', '9', '1', { balance_day: '2026-01-01' }),
			row(IDS.wallet, '0xbelow', '1', '1.000001'),
			row(IDS.wallet, '0xdust', '1.0000009', '1'),
			row(IDS.wallet, '0xabove', '9', '1', { maximum: '7.999999' }),
			row(IDS.wallet, '0xexponent', '1e3', '1'),
			row(IDS.wallet, '', '1000.10', '0'),
		]);
		const told = await sweep();
		expect(
			stage.simulator.ledger.map(({ idempotencyKey, amountText }) => [idempotencyKey, amountText]),
		).toEqual([
			[key(IDS.wallet, 'native'), '999.8'],
			[key(IDS.wallet, '0xpending'), '0.2'],
			[key(IDS.secondWallet, 'native'), '12345678.123456'],
			[key(IDS.secondWallet, '0xfailed'), '4'],
			[key(IDS.secondWallet, '0xwarning'), '7.5'],
		]);
		const refused = [
			expect.stringMatching(
				/^#treasury \*Refused:\* 8 from wallet wal-0001 .*To is not among the Allowed Recipients/,
			),
			expect.stringMatching(
				/^#treasury \*Refused:\* 8 from wallet wal-9999 .*does not know this wallet/,
			),
		];
		const notSwept = [
			expect.stringMatching(/Not swept:\* wallet wal-0001: 8 is more than its maximum of 7.999999/),
			expect.stringMatching(
				/Not swept:\* wallet wal-0001: balance is not an amount such as 1250.50: "1e3"/,
			),
			expect.stringMatching(
				/Not swept:\* wallet wal-0001: its balance in the table is of 2026-01-01/,
			),
			expect.stringMatching(
				/Not swept:\* wallet wal-0001: the table names this wallet and token twice/,
			),
		];
		expect(told).toEqual([
			expect.stringMatching(/^#treasury \*Failed:\* 4 from wallet wal-0002/),
			expect.stringMatching(
				/^#treasury \*Manual check:\* the provider looks at 12345678.123456 from wallet wal-0002/,
			),
			...notSwept,
			expect.stringMatching(/^#treasury \*Pending:\* 0.2 from wallet wal-0001/),
			expect.stringMatching(/^#treasury \*Pending:\* 7.5 from wallet wal-0002/),
			...refused,
			expect.stringMatching(/^#treasury Swept 999.8 from wallet wal-0001/),
		]);
		expect(await statuses()).toEqual({
			[key(IDS.wallet, 'native')]: 'SUCCESS',
			[key(IDS.wallet, '0xpending')]: 'PENDING',
			[key(IDS.secondWallet, 'native')]: 'MANUAL_CHECK',
			[key(IDS.secondWallet, '0xfailed')]: 'FAILED',
			[key(IDS.secondWallet, '0xwarning')]: 'PENDING',
			[key('wal-9999', 'native')]: 'refused',
			[key(IDS.wallet, '0xstranger')]: 'refused',
		});

		const sent = stage.simulator.ledger.length;
		expect(await sweep()).toEqual([...notSwept, ...refused]);
		expect(stage.simulator.ledger).toHaveLength(sent);
	});

	it('confirms by the event: by the hash, without one by recipient and amount; leaves other transfers alone', async () => {
		const log = await readTable(stage.scenario.n8n, LOG);
		const swept = (token: string) => log.find((entry) => entry.key === token)!;
		const event = (status: string, data: object) =>
			sampleEvent('treasury.transfer', { status, data: { ...data } });
		const transaction_hash = swept(key(IDS.wallet, 'native')).transaction_hash;
		expect(await confirm(event('success', { wallet_id: IDS.wallet, transaction_hash }))).toEqual([
			expect.stringMatching(/^#treasury Confirmed: 999.8 from wallet wal-0001/),
		]);
		const late = {
			wallet_id: IDS.secondWallet,
			to_wallet_address: MAGIC_RECIPIENTS.WARNING,
			amount: '7.500000',
		};
		expect(await confirm(event('success', late))).toEqual([
			expect.stringContaining('Confirmed: 7.5 from wallet wal-0002'),
		]);
		const rejected = swept(key(IDS.secondWallet, 'native')).transaction_hash;
		expect(
			await confirm(event('failed', { wallet_id: IDS.secondWallet, transaction_hash: rejected })),
		).toEqual([expect.stringContaining('The service reports failed:* 12345678.123456')]);
		expect(await confirm(event('success', { ...late, amount: '7.500001' }))).toEqual([]);
		expect(await statuses()).toMatchObject({
			[key(IDS.wallet, 'native')]: 'confirmed',
			[key(IDS.secondWallet, '0xwarning')]: 'confirmed',
			[key(IDS.secondWallet, 'native')]: 'FAILED',
		});
	});

	it('sends again what was broken off, with the amount that was written down; leaves a wallet alone whose earlier sweep is open', async () => {
		await writeTable(stage.scenario.n8n, WALLETS, [row(IDS.wallet, '0xbroken', '100', '1')]);
		stage.simulator.faults.add({ kind: 'reset-after', match: { method: 'POST' }, times: 100 });
		expect(await sweep()).toEqual([
			expect.stringMatching(
				/^#treasury \*Not known whether it was carried out:\* 99 from wallet wal-0001/,
			),
		]);
		expect(await statuses()).toMatchObject({ [key(IDS.wallet, '0xbroken')]: 'sending' });
		stage.simulator.faults.clear();
		await writeTable(stage.scenario.n8n, WALLETS, [row(IDS.wallet, '0xbroken', '500', '1')]);
		expect(await sweep()).toEqual([
			expect.stringMatching(/^#treasury Swept 99 from wallet wal-0001/),
		]);
		expect(stage.simulator.ledger).toMatchObject([
			{ idempotencyKey: key(IDS.wallet, '0xbroken'), amountText: '99' },
		]);

		await setRow(stage.scenario.n8n, LOG, 'key', key(IDS.wallet, '0xbroken'), {
			key: 'sweep of yesterday',
			day: '2026-01-01',
			status: 'PENDING',
		});
		expect(await sweep()).toEqual([
			expect.stringContaining('its sweep of 2026-01-01 (99) is still PENDING'),
		]);
		expect(stage.simulator.ledger).toHaveLength(1);
	});
});
