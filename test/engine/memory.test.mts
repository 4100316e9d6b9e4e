import { RECIPIENT, transferOf } from '../harness/fixtures.mts';
import { IDS, MAGIC_RECIPIENTS, type Fault } from '../simulator/index.mts';
import { amounts, simulator, useSimulator } from '../simulator/useSimulator.mts';
import { notes, type CoreOptions, type CoreRun } from './core.mts';
import { goesOn, jsonOf, outcomes, run, threeTries } from './payments.mts';

useSimulator({ requestsPerSecond: 0 });

type Payment = { amount: string; to?: string; walletId?: string; reference?: string };

/** Parameters with the values themselves, because a Retry takes the items of the first execution. */
function parametersOf(payments: Payment[]) {
	const field = (value: (payment: Payment) => string) =>
		`={{ ${JSON.stringify(payments.map(value))}[$json.row] }}`;
	return {
		...transferOf(field(({ amount }) => amount)),
		to: field(({ to = RECIPIENT }) => to),
		walletId: field(({ walletId = IDS.wallet }) => walletId),
		paymentReference: field(({ amount, reference = `INV-${amount}` }) => reference),
	};
}
const rowsOf = (payments: Payment[]) => payments.map((_, row) => ({ json: { row } }));
const pay = async (payments: Payment[], more: Partial<CoreOptions> = {}) =>
	await run(parametersOf(payments), { items: rowsOf(payments), ...more });

/** Second payment, which fails, so that n8n offers Retry. */
const REJECTED: Payment = { amount: '404', walletId: 'unknown' };
const INV: Payment = { amount: '5', reference: 'INV' };

/** What the first execution leaves behind. */
const FIRST: Record<string, { payment?: Partial<Payment>; fault?: Fault }> = {
	accepted: {},
	pending: { payment: { to: MAGIC_RECIPIENTS.WARNING } },
	// A 409 is not repeated, and may come from a gateway that has passed the payment on.
	unknown: { fault: { kind: 'status', status: 409, effect: true } },
	FAILED: { payment: { to: MAGIC_RECIPIENTS.FAILED } },
	rejected: { fault: { kind: 'status', status: 400 } },
};
const NEXT = {
	Retry: (first: CoreRun) => ({ retryOf: first }),
	'Retry after a kill': (first: CoreRun) => ({ crashed: first }),
	'another execution': () => ({}),
};
const FAILED = 'INV was sent before, and came back FAILED';
const OPEN = 'May have been sent: INV was sent before: its outcome is unknown';
const ANOTHER = 'INV names another payment, which was accepted';
const NEW =
	'May have been sent: INV is new to this execution, which was interrupted or edited after it had sent others';

/** Rows of the contract. `sent` counts the requests of the payment in both executions. */
type Change = Partial<Payment>;
type Next = [first: string, next: keyof typeof NEXT, Change, outcome: string];

it.each<[...Next, error: string | undefined, sent: number]>([
	['rejected', 'Retry', {}, 'done', undefined, 2],
	['rejected', 'another execution', {}, 'done', undefined, 2],
	['rejected', 'Retry after a kill', {}, 'done', undefined, 2],
	['accepted', 'Retry', {}, 'done', undefined, 1],
	['accepted', 'another execution', {}, 'already_sent', undefined, 1],
	['accepted', 'Retry after a kill', {}, 'already_sent', undefined, 1],
	['pending', 'Retry', {}, 'pending', undefined, 1],
	['pending', 'another execution', {}, 'already_sent', undefined, 1],
	['unknown', 'Retry', {}, 'unknown', OPEN, 1],
	['unknown', 'another execution', {}, 'unknown', OPEN, 1],
	['unknown', 'Retry after a kill', {}, 'unknown', OPEN, 1],
	['FAILED', 'Retry', {}, 'failed', FAILED, 1],
	['FAILED', 'another execution', {}, 'failed', FAILED, 1],
	['FAILED', 'another execution', { amount: '6' }, 'failed', FAILED, 1],
	['FAILED', 'Retry after a kill', {}, 'failed', FAILED, 1],
	['accepted', 'Retry', { amount: '6' }, 'not_sent', ANOTHER, 1],
	['accepted', 'another execution', { amount: '6' }, 'not_sent', ANOTHER, 1],
	['accepted', 'another execution', { walletId: IDS.secondWallet }, 'not_sent', ANOTHER, 1],
	['accepted', 'another execution', { to: MAGIC_RECIPIENTS.FAILED }, 'not_sent', ANOTHER, 1],
	['accepted', 'another execution', { to: RECIPIENT.toLowerCase() }, 'already_sent', undefined, 1],
	['unknown', 'Retry', { amount: '6' }, 'unknown', OPEN, 1],
	['unknown', 'another execution', { amount: '6' }, 'unknown', OPEN, 1],
	['rejected', 'Retry', { amount: '6' }, 'done', undefined, 2],
	['accepted', 'Retry', { reference: 'INV-new' }, 'unknown', NEW.replace('INV', 'INV-new'), 1],
	['accepted', 'Retry after a kill', { reference: 'INV-new' }, 'unknown', undefined, 1],
])('a payment that was %s, in %s with %j, is %s', async (...row) => {
	const [of, next, change, outcome, error, sent] = row;
	const { payment, fault } = FIRST[of]!;
	if (fault) simulator.faults.add(fault);
	const first = await pay([{ ...INV, ...payment }, REJECTED]);
	expect(first.error).toBeDefined();
	const changed = { ...INV, ...payment, ...change };
	const [json] = jsonOf(await pay([changed, REJECTED], { ...goesOn, ...NEXT[next](first) }));
	expect(json).toMatchObject({ outcome, ...(error !== undefined && { error }) });
	expect(json?.error === undefined).toBe(['done', 'pending', 'already_sent'].includes(outcome));
	expect(json?.repeated).toBe(next === 'Retry' && sent === 1 && !json?.error ? true : undefined);
	const requests = simulator.requests.filter(({ path }) => !path.includes('unknown'));
	expect(requests).toHaveLength(sent);
	const keys = requests.map(({ headers }) => headers['idempotency-key']);
	expect(new Set(keys).size).toBe('amount' in change ? sent : 1);
});

const MODES = ['trigger', 'manual', 'integrated', 'webhook'] as const;
it.each(MODES)('an execution in mode %s knows what another one has sent', async (mode) => {
	await pay([INV]);
	expect(outcomes(await pay([INV], { mode }))).toEqual(['already_sent']);
	expect(amounts()).toEqual(['5']);
});

it.each<[edited: Change, other: Change, outcomes: string[]]>([
	// One reference of two.
	[{ reference: 'X' }, { reference: 'X' }, ['unknown', 'unknown']],
	// An amount that is refused, also of what never left.
	[{ amount: '9999', reference: 'X' }, {}, ['unknown', 'unknown']],
	[{}, { amount: 'x' }, ['done', 'not_sent']],
])(
	'in a Retry with %j and %j, nothing that may have been sent is called not sent',
	async (edit, other, expected) => {
		const edited = [
			{ ...INV, ...edit },
			{ ...REJECTED, ...other },
		];
		const first = await pay([INV, REJECTED]);
		expect(outcomes(await pay(edited, { ...goesOn, retryOf: first }))).toEqual(expected);
		expect(amounts()).toEqual(['5']);
	},
);

it('a Retry that stops names what has left, and calls nothing unsent that has', async () => {
	const first = await pay([INV, REJECTED]);
	const refused = await pay([INV, { amount: 'x' }], { retryOf: first });
	expect(refused.error?.description).toMatch(/^done: INV<br>/);
	const changed = await pay([{ ...INV, amount: '6' }, REJECTED], { retryOf: first });
	expect(changed.error?.description).toMatch(/^Item 1: Not sent: 6 .* The first attempt: 5 /);
});

it('a dry run says what was accepted before, sends nothing and leaves no note', async () => {
	await pay([INV]);
	const before = [...notes.of('node-1')];
	const both = [INV, { amount: '6' }];
	const dry = { ...parametersOf(both), options: { dryRun: true } };
	const ended = await run(dry, { items: rowsOf(both) });
	expect(outcomes(ended)).toEqual(['already_sent', 'dry_run']);
	expect(notes.of('node-1')).toEqual(before);
	expect(simulator.requests).toHaveLength(1);
});

it('each iteration of a loop has a journal, which Retry finds again', async () => {
	const looped = await pay([INV], { rounds: 2 });
	expect(outcomes(looped)).toEqual(['already_sent']);
	const retried = await pay([INV], { rounds: 2, crashed: looped });
	expect(outcomes(retried)).toEqual(['already_sent']);
	expect(amounts()).toEqual(['5']);
});

it('another node and another host do not know the payment', async () => {
	await pay([INV]);
	expect(outcomes(await pay([INV], { node: { id: 'node-2' } }))).toEqual(['done']);
	const baseUrl = simulator.url.replace('127.0.0.1', 'localhost');
	expect(outcomes(await pay([INV], { baseUrl }))).toEqual(['done']);
});

it.each<[of: string, status: number | null, hash: string | null]>([
	['unknown', 409, null],
	['FAILED', null, expect.stringMatching(/^0x/)],
])('Retry On Fail keeps what names a payment that is %s', async (of, status, hash) => {
	const { payment, fault } = FIRST[of]!;
	if (fault) simulator.faults.add(fault);
	const ended = await pay([{ ...INV, ...payment }], { node: { ...goesOn.node, ...threeTries } });
	const kept = { trace_id: expect.any(String), http_status: status, transaction_hash: hash };
	expect(jsonOf(ended)).toMatchObject([kept]);
	expect(simulator.requests).toHaveLength(1);
});
