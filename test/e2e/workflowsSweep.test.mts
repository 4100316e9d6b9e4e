import { eventually, outputsOf, type TriggerWorkflow } from '../harness/n8n/scenario.mts';
import { readTable, setRow, writeTable } from '../harness/workflows/dataTables.mts';
import { runFrom } from '../harness/workflows/imported.mts';
import {
	allow,
	counted,
	EVENING,
	key,
	LOG,
	row,
	summary,
	TREASURY,
	WALLETS,
} from '../harness/workflows/sweeps.mts';
import { harness, useWorkflows } from '../harness/workflows/useWorkflows.mts';
import { DEFAULT_WEBHOOK_KEY, IDS, MAGIC_RECIPIENTS, sampleEvent } from '../simulator/index.mts';

const token = (digit: number) => `0x${String(digit).repeat(40)}`;

let workflow: TriggerWorkflow;
let router: TriggerWorkflow;

useWorkflows();

beforeAll(async () => {
	workflow = await harness.open('treasury-sweep.json', (file) => allow(file, {}));
});

/** Starts the workflow and gives what was told, sorted. */
async function told(start: () => Promise<unknown>, of = workflow): Promise<string[]> {
	const ran = await harness.during(of, async () => void (await start()));
	expect(ran.status).toBe('success');
	return ran.told;
}

const run = async (trigger: string, of = workflow) =>
	await told(async () => await runFrom(harness.scenario.n8n, of, trigger), of);

const sweep = async (of?: TriggerWorkflow) => await run(EVENING, of);

const confirm = async (event: object) => await told(async () => await harness.send(router, event));

const statuses = async () =>
	Object.fromEntries(
		(await readTable(harness.scenario.n8n, LOG)).map((entry) => [String(entry.key), entry.status]),
	);

const writes = () => harness.simulator.requests.filter(({ method }) => method !== 'GET');

const sent = () =>
	harness.simulator.ledger.map(({ idempotencyKey, amountText }) => [idempotencyKey, amountText]);

it('runs from both its triggers as it was imported: makes its tables, says that there are no wallets yet', async () => {
	expect(await sweep()).toEqual([
		summary(
			'the table "Treasury sweep wallets" has no wallets yet. Add a row per wallet and token, under Data tables.',
		),
	]);
	expect(await readTable(harness.scenario.n8n, LOG)).toEqual([]);
	// The pinned sample is of a transfer that is no sweep.
	expect(await run('Called by the event router')).toEqual([]);
	expect(writes()).toEqual([]);
});

it('is imported as a dry run: shows what would be sent, writes it down as a dry run, and sends nothing', async () => {
	await writeTable(harness.scenario.n8n, WALLETS, [row(IDS.wallet, 'native', '1000.10', '0.30')]);
	const told = [
		expect.stringMatching(
			/^#treasury \*Dry run:\* 999.8 of the native coin from wallet wal-0001 to .* Nothing was sent/,
		),
		summary('1 row looked at: 1 in a dry run.'),
	];
	expect(await sweep()).toEqual(told);
	expect(await sweep()).toEqual(told);
	expect(await statuses()).toEqual({ [key(IDS.wallet, 'native')]: 'dry run' });
	const { n8n } = harness.scenario;
	const { id } = (await harness.ended(workflow, 1)).at(-1)!;
	expect(await outputsOf(n8n, id, 'Write down before sending')).toMatchObject([
		[{ status: 'dry run' }],
	]);
	expect(writes()).toEqual([]);
});

it('sweeps what is above the floor to the last digit, tells every other outcome, and sends nothing twice on a day', async () => {
	workflow = await harness.open('treasury-sweep.json', (file) => allow(file, { dryRun: false }));
	router = await harness.openRouter({ 'Treasury sweep': workflow });
	await writeTable(harness.scenario.n8n, WALLETS, [
		row(IDS.wallet, 'native', '1000.10', '0.30'),
		row(IDS.wallet, token(1), '0.3', '0.1', { to: MAGIC_RECIPIENTS.PENDING }),
		row(IDS.secondWallet, 'native', '12345678.1234567899', '0.0000000001', {
			to: MAGIC_RECIPIENTS.MANUAL_CHECK,
		}),
		row(IDS.secondWallet, token(2), '5', '1', { to: MAGIC_RECIPIENTS.FAILED }),
		row(IDS.secondWallet, token(3), '7.50', '0', { to: MAGIC_RECIPIENTS.WARNING }),
		row('wal-9999', 'native', '9', '1'),
		row(IDS.wallet, token(4), '9', '1', { to: `0x${'99'.repeat(20)}` }),
		row(IDS.wallet, token(5), '9', '1', { balance_day: '2026-01-01' }),
		row(IDS.wallet, token(6), '1', '1.000001'),
		row(IDS.wallet, token(7), '1.0000009', '1'),
		row(IDS.wallet, token(8), '9', '1', { maximum: '7.999999' }),
		row(IDS.wallet, token(9), '1e3', '1'),
		row(IDS.wallet, '', '9', '1'),
		row(IDS.wallet, token(0), '', '1', { maximum: '' }),
		row(IDS.wallet, `0x${'ee'.repeat(20)}`, '9', '1', { balance_day: '23/11/2026' }),
		row(IDS.wallet, 'native', '1000.10', '0'),
	]);
	const told = await sweep();
	const swept = [
		[key(IDS.wallet, 'native'), '999.8'],
		[key(IDS.wallet, token(1)), '0.2'],
		[key(IDS.secondWallet, 'native'), '12345678.123456'],
		[key(IDS.secondWallet, token(2)), '4'],
		[key(IDS.secondWallet, token(3)), '7.5'],
	];
	expect(sent().sort()).toEqual(swept.sort());
	const everyRun = [
		/Rejected:\* 8 of token 0x4{40} from wallet wal-0001 .*Recipient Address is not among the Allowed Recipients\. Check where the address comes from\. Nothing was sent\. \(Key [^,]*\)$/,
		/Rejected:\* 8 of the native coin from wallet wal-9999 .*Wallet not found\. Check Account ID .*, trace ID /,
		/Rejected:\* wallet wal-0001: Amount is 8, above the Maximum Amount of 7.999999/,
		/Rejected:\* wallet wal-0001: Balance "1e3" is not valid\. Use digits .* for example 1000\.50\. Nothing was sent\./,
		/Not swept:\* wallet wal-0001: its row .* has no token_address\. Fill it in/,
		/Not swept:\* wallet wal-0001: its row .* has no maximum, no balance\. Fill it in/,
		/Not swept:\* wallet wal-0001: its balance in the table is of 2026-01-01/,
		/Not swept:\* wallet wal-0001: its balance_day is "23\/11\/2026"\. Write the day as 20/,
		/Not swept:\* wallet wal-0001: the table names this wallet and token twice/,
	].map((text) => expect.stringMatching(text));
	const outcomes = [
		/Failed:\* 4 of token 0x2{40} from wallet wal-0002/,
		/Manual check:\* 12345678.123456 of the native coin from wallet wal-0002/,
		/Pending:\* 0.2 of token 0x1{40} from wallet wal-0001/,
		/Pending:\* 7.5 of token 0x3{40} from wallet wal-0002/,
		/^#treasury Swept 999.8 of the native coin from wallet wal-0001/,
	].map((text) => expect.stringMatching(text));
	expect(told).toEqual(expect.arrayContaining([...everyRun, ...outcomes]));
	expect(told).toHaveLength(everyRun.length + outcomes.length + 1);
	expect(counted(told)).toEqual({
		swept: 1,
		pending: 2,
		'to be checked by hand': 1,
		failed: 1,
		refused: 4,
		'not swept': 5,
		'with nothing to send': 2,
	});
	expect(await statuses()).toEqual({
		[key(IDS.wallet, 'native')]: 'SUCCESS',
		[key(IDS.wallet, token(1))]: 'PENDING',
		[key(IDS.secondWallet, 'native')]: 'MANUAL_CHECK',
		[key(IDS.secondWallet, token(2))]: 'FAILED',
		[key(IDS.secondWallet, token(3))]: 'PENDING',
		[key('wal-9999', 'native')]: 'refused',
		[key(IDS.wallet, token(4))]: 'refused',
		[key(IDS.wallet, token(8))]: 'refused',
		[key(IDS.wallet, token(9))]: 'refused',
	});

	const again = await sweep();
	expect(again).toEqual(expect.arrayContaining(everyRun));
	expect(again).toHaveLength(everyRun.length + 1);
	expect(counted(again)).toMatchObject({ 'already swept today': 1, pending: 2, refused: 4 });
	expect(sent().sort()).toEqual(swept.sort());
});

it('confirms by the event: by the hash, without one by recipient, amount and token; leaves other transfers alone', async () => {
	const log = await readTable(harness.scenario.n8n, LOG);
	const swept = (wanted: string) => log.find((entry) => entry.key === wanted)!;
	const event = (status: string, data: object) =>
		sampleEvent('treasury.transfer', { status, data: { ...data } });
	const transaction_hash = swept(key(IDS.wallet, 'native')).transaction_hash;
	expect(await confirm(event('success', { wallet_id: IDS.wallet, transaction_hash }))).toEqual([
		expect.stringMatching(/^#treasury Confirmed: 999.8 of the native coin from wallet wal-0001/),
	]);
	const late = {
		wallet_id: IDS.secondWallet,
		to_wallet_address: MAGIC_RECIPIENTS.WARNING,
		amount: '7.500000',
		token: { address: token(3) },
	};
	expect(await confirm(event('success', late))).toEqual([
		expect.stringContaining(`Confirmed: 7.5 of token ${token(3)} from wallet wal-0002`),
	]);
	const rejected = swept(key(IDS.secondWallet, 'native')).transaction_hash;
	expect(
		await confirm(event('failed', { wallet_id: IDS.secondWallet, transaction_hash: rejected })),
	).toEqual([
		expect.stringContaining('Failed:* 12345678.123456 of the native coin from wallet wal-0002'),
	]);
	expect(await confirm(event('success', { ...late, amount: '7.500001' }))).toEqual([]);
	expect(await confirm(event('success', { ...late, wallet_id: 'wal-9999' }))).toEqual([]);
	const other = { to_wallet_address: MAGIC_RECIPIENTS.PENDING, amount: '0.2' };
	const otherToken = { ...other, wallet_id: IDS.wallet, token: { address: token(9) } };
	expect(await confirm(event('success', otherToken))).toEqual([]);
	expect(await statuses()).toMatchObject({
		[key(IDS.wallet, 'native')]: 'confirmed',
		[key(IDS.secondWallet, token(3))]: 'confirmed',
		[key(IDS.secondWallet, 'native')]: 'FAILED',
	});
});

it('sends again what was broken off, with the amount that was written down, also after a dry run; leaves a wallet alone whose earlier sweep is open', async () => {
	const broken = `0x${'ab'.repeat(20)}`;
	await writeTable(harness.scenario.n8n, WALLETS, [row(IDS.wallet, broken, '100', '1')]);
	harness.simulator.faults.add({ kind: 'reset-after', match: { method: 'POST' }, times: 100 });
	expect(await sweep()).toEqual(
		[
			expect.stringMatching(
				/^#treasury \*The outcome is unknown; it may have been executed:\* 99 of token .* from wallet wal-0001/,
			),
			summary('1 row looked at: 1 with an unknown outcome.'),
		].sort(),
	);
	expect(await statuses()).toMatchObject({ [key(IDS.wallet, broken)]: 'sending' });
	harness.simulator.faults.clear();
	// Neither a dry run nor a guard that refuses it now tells what became of it.
	for (const [changes, note] of [
		[{}, 'Dry Run is on in the node Transfer, so nothing was sent now.'],
		[
			{ dryRun: false, allowedRecipients: MAGIC_RECIPIENTS.FAILED },
			'Recipient Address is not among',
		],
	] as const) {
		const other = await harness.open('treasury-sweep.json', (file) => allow(file, changes));
		const told = await sweep(other);
		expect(told).toEqual([
			summary('1 row looked at: 1 with an unknown outcome.'),
			expect.stringContaining(
				`it may have been executed:* 99 of token ${broken} from wallet wal-0001 to ${TREASURY}. ${note}`,
			),
		]);
		expect(await statuses()).toMatchObject({ [key(IDS.wallet, broken)]: 'sending' });
	}
	await writeTable(harness.scenario.n8n, WALLETS, [row(IDS.wallet, broken, '500', '1')]);
	expect(await sweep()).toEqual([
		summary('1 row looked at: 1 swept.'),
		expect.stringMatching(/^#treasury Swept 99 of token .* from wallet wal-0001/),
	]);
	expect(sent()).toEqual([[key(IDS.wallet, broken), '99']]);

	await setRow(harness.scenario.n8n, LOG, 'key', key(IDS.wallet, broken), {
		key: 'sweep of yesterday',
		day: '2026-01-01',
		status: 'PENDING',
	});
	expect(await sweep()).toEqual([
		expect.stringContaining(`its sweep of 2026-01-01 (99 of token ${broken}) is still PENDING`),
		summary('1 row looked at: 1 not swept.'),
	]);
	expect(sent()).toHaveLength(1);
});

it('pays nothing twice when n8n is killed in the middle of a sweep', async () => {
	const tokens = Array.from({ length: 30 }, (_, index) => `0x${index + 10}${'e'.repeat(38)}`);
	await writeTable(
		harness.scenario.n8n,
		WALLETS,
		tokens.map((address) => row(IDS.secondWallet, address, '20', '8')),
	);
	harness.simulator.faults.add({
		kind: 'slow-after',
		match: { method: 'POST' },
		times: 100,
		delayMs: 3_000,
	});
	await runFrom(harness.scenario.n8n, workflow, EVENING);
	await eventually(async () => harness.simulator.ledger.length > 0);
	await harness.scenario.restart('SIGKILL');
	expect(sent().length).toBeLessThan(tokens.length);
	harness.simulator.faults.clear();
	expect(await statuses()).toMatchObject(
		Object.fromEntries(tokens.map((address) => [key(IDS.secondWallet, address), 'sending'])),
	);

	await sweep();
	expect(sent().sort()).toEqual(tokens.map((address) => [key(IDS.secondWallet, address), '12']));
	await sweep();
	expect(sent()).toHaveLength(tokens.length);
});

it('is told by the service how a sweep ended', async () => {
	harness.simulator.events.subscription = {
		url: router.url.replace(/^https?:\/\/[^/]+/, harness.scenario.n8n.url),
		webhookKey: DEFAULT_WEBHOOK_KEY,
	};
	const address = `0x${'de'.repeat(20)}`;
	await writeTable(harness.scenario.n8n, WALLETS, [row(IDS.wallet, address, '3', '1')]);
	await runFrom(harness.scenario.n8n, workflow, EVENING);
	await eventually(async () =>
		harness.slack.messages.some(({ text }) =>
			text.startsWith(`Confirmed: 2 of token ${address} from wallet wal-0001`),
		),
	);
	expect(await statuses()).toMatchObject({ [key(IDS.wallet, address)]: 'confirmed' });
});
