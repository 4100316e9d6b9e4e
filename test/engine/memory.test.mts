import { setImmediate } from 'node:timers/promises';
import type { IExecuteFunctions } from 'n8n-workflow';

import { WORDS } from '../../nodes/CardTreasury/run/words.ts';
import { cardOf, RECIPIENT, requestOf, transferOf, upTo } from '../harness/fixtures.mts';
import { IDS, MAGIC_RECIPIENTS, type Fault } from '../simulator/index.mts';
import { amounts, simulator, useSimulator } from '../simulator/useSimulator.mts';
import { notes, type CoreOptions, type CoreRun } from './core.mts';
import { goesOn, itemsOf, jsonOf, outcomes, run, threeTries, transfers } from './payments.mts';

useSimulator({ requestsPerSecond: 0 });

interface Payment {
	amount: string;
	to?: string;
	walletId?: string;
	reference?: string;
}

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
const data = ({ run: { data: of } }: CoreRun) => of;

/** Second payment, which fails, so that n8n offers Retry. */
const REJECTED: Payment = { amount: '404', walletId: 'unknown' };
const INV: Payment = { amount: '5', reference: 'INV' };

type RecordCall = Parameters<IExecuteFunctions['helpers']['checkProcessedAndRecord']>;

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
	Retry: (first: CoreRun) => ({ retryOf: data(first) }),
	'Retry after a kill': (first: CoreRun) => ({ crashed: data(first) }),
	'another execution': () => ({}),
};
const FAILED = 'INV was sent before, and came back FAILED';
const OPEN = `${WORDS.unknown[0]}: INV was sent before: its outcome is unknown`;
const ANOTHER = 'INV names another payment, which was accepted';
const NEW = `${WORDS.unknown[0]}: INV is new to this execution, which was interrupted or edited after it had sent others`;

/** Rows of the contract. `sent` counts the requests of the payment in both executions. */
it.each<
	[
		first: string,
		next: keyof typeof NEXT,
		change: Partial<Payment>,
		outcome: string,
		error: string | undefined,
		sent: number,
	]
>([
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
])(
	'a payment that was %s, in %s with %j, is %s',
	async (of, next, change, outcome, error, sent) => {
		const { payment, fault } = FIRST[of]!;
		if (fault) simulator.faults.add(fault);
		const first = await pay([{ ...INV, ...payment }, REJECTED]);
		expect(first.error).toBeDefined();
		const ended = await pay([{ ...INV, ...payment, ...change }, REJECTED], {
			...goesOn,
			...NEXT[next](first),
		});
		const [json] = jsonOf(ended);
		expect(json).toMatchObject({
			outcome,
			...(error !== undefined && { error }),
		});
		expect(json?.error === undefined).toBe(['done', 'pending', 'already_sent'].includes(outcome));
		expect(json?.repeated).toBe(next === 'Retry' && sent === 1 && !json?.error ? true : undefined);
		const requests = simulator.requests.filter(({ path }) => !path.includes('unknown'));
		expect(requests).toHaveLength(sent);
		const keys = requests.map(({ headers }) => headers['idempotency-key']);
		expect(new Set(keys).size).toBe('amount' in change ? sent : 1);
	},
);

it('what was accepted before has the fields of a transfer', async () => {
	const [before] = jsonOf(await pay([INV]));
	const [again] = jsonOf(await pay([INV]));
	expect(again).toEqual({
		...before,
		outcome: 'already_sent',
		summary: expect.stringContaining(': 5 of the native coin from '),
		status: null,
		transaction_hash: null,
		trace_id: null,
	});
});

it.each(['trigger', 'manual', 'integrated', 'webhook'] as const)(
	'an execution in mode %s knows what another one has sent',
	async (mode) => {
		await pay([INV]);
		expect(outcomes(await pay([INV], { mode }))).toEqual(['already_sent']);
		expect(amounts()).toEqual(['5']);
	},
);

it('a second node of the execution does not take the journal of the first for its own', async () => {
	const first = await pay([INV, REJECTED]);
	const wrap = (n8n: IExecuteFunctions) => {
		const value = () => ({ ...n8n.getNode(), name: 'Second' });
		return Object.create(n8n, { getNode: { value } }) as IExecuteFunctions;
	};
	const second = await pay([INV, REJECTED], { ...goesOn, wrap, retryOf: data(first) });
	// The database knows it.
	expect(outcomes(second)).toEqual(['already_sent', 'rejected']);
});

it.each<[name: string, edited: Payment[], outcomes: string[]]>([
	[
		'references, now one',
		[
			{ ...INV, reference: 'X' },
			{ ...REJECTED, reference: 'X' },
		],
		['unknown', 'unknown'],
	],
	[
		'a reference, and an amount that is refused',
		[{ amount: '9999', reference: 'X' }, REJECTED],
		['unknown', 'unknown'],
	],
	[
		'an amount that is refused, of what never left',
		[INV, { ...REJECTED, amount: 'x' }],
		['done', 'not_sent'],
	],
])(
	'in a Retry with other %s, nothing that may have been sent is called not sent',
	async (_name, edited, expected) => {
		const first = await pay([INV, REJECTED]);
		expect(outcomes(await pay(edited, { ...goesOn, retryOf: data(first) }))).toEqual(expected);
		expect(amounts()).toEqual(['5']);
	},
);

it('after ten unknown in a row the run sends no more, and what it left is sent by running it again', async () => {
	simulator.faults.add({ kind: 'status', status: 409, times: 99 });
	// More than are in flight at most, so that some are left however late the replies are.
	const hundred = upTo(100).map((amount) => ({ amount: String(amount) }));
	const ended = jsonOf(await pay(hundred, goesOn));
	const left = ended.filter(({ outcome }) => outcome === 'not_sent');
	expect(left.length).toBeGreaterThanOrEqual(20);
	expect(simulator.requests.length).toBeGreaterThanOrEqual(10);
	expect(simulator.requests).toHaveLength(100 - left.length);
	expect(left[0]!.error).toMatch(/^The service does not answer/);
	simulator.faults.clear();
	const again = await pay([hundred[0]!, ...hundred.slice(-2)], goesOn);
	expect(outcomes(again)).toEqual(['unknown', 'done', 'done']);
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
	const retried = await pay([INV], { rounds: 2, crashed: data(looped) });
	expect(outcomes(retried)).toEqual(['already_sent']);
	expect(amounts()).toEqual(['5']);
});

it.each<[name: string, parameters: CoreOptions['parameters'], keeps: boolean]>([
	['a payment', parametersOf([INV]), true],
	['a write to any endpoint', requestOf(`{"to":"${RECIPIENT}","amount":1}`), true],
	['a read of any endpoint', { ...requestOf(''), method: 'GET', path: '/mpc/tokens/list' }, false],
	['a read', cardOf('get'), false],
	['a setting', cardOf('freeze'), false],
])('n8n keeps a journal only of what is sent once: %s', async (_name, parameters, keeps) => {
	const ended = await run(parameters, { items: rowsOf([INV]) });
	expect(ended.error).toBeUndefined();
	const { contextData } = data(ended).executionData!;
	expect(JSON.stringify(contextData).includes('cardTreasury')).toBe(keeps);
});

it('another node and another host do not know the payment', async () => {
	await pay([INV]);
	expect(outcomes(await pay([INV], { node: { id: 'node-2' } }))).toEqual(['done']);
	const baseUrl = simulator.url.replace('127.0.0.1', 'localhost');
	expect(outcomes(await pay([INV], { baseUrl }))).toEqual(['done']);
});

it('a Retry at another host sends nothing of what the first attempt has sent', async () => {
	const first = await pay([INV, REJECTED]);
	const baseUrl = simulator.url.replace('127.0.0.1', 'localhost');
	const retried = await pay([INV, REJECTED], { ...goesOn, baseUrl, retryOf: data(first) });
	expect(outcomes(retried)).toEqual(['unknown', 'unknown']);
	expect(amounts()).toEqual(['5']);
});

it('a Retry answers what was sent, although it would no longer pass the checks', async () => {
	const first = await pay([INV, REJECTED]);
	const stricter = {
		...parametersOf([INV, REJECTED]),
		maximumAmount: '1',
		options: { maximumTotal: '1', dryRun: true },
	};
	const retried = await run(stricter, { ...goesOn, retryOf: data(first) });
	expect(jsonOf(retried)).toMatchObject([
		{ outcome: 'done', repeated: true },
		{ outcome: 'not_sent' },
	]);
});

it("a Retry in which a reference has become another item's still says what was done", async () => {
	const first = await pay([INV, REJECTED]);
	const edited = { ...REJECTED, reference: 'INV' };
	const retried = await pay([INV, edited], { ...goesOn, retryOf: data(first) });
	expect(jsonOf(retried)).toMatchObject([
		{ outcome: 'done', repeated: true },
		{ outcome: 'not_sent', error: ANOTHER },
	]);
});

it.each(['unknown', 'FAILED'])(
	'Retry On Fail keeps what names a payment that is %s',
	async (of) => {
		const { payment, fault } = FIRST[of]!;
		if (fault) simulator.faults.add(fault);
		const node = { ...goesOn.node, ...threeTries };
		const ended = await pay([{ ...INV, ...payment }], { node });
		expect(jsonOf(ended)).toMatchObject([
			{
				trace_id: expect.any(String),
				http_status: of === 'FAILED' ? null : 409,
				transaction_hash: of === 'FAILED' ? expect.stringMatching(/^0x/) : null,
			},
		]);
		expect(simulator.requests).toHaveLength(1);
	},
);

it('Retry On Fail repeats nothing that was accepted, and sends what was rejected again', async () => {
	simulator.faults.add({ kind: 'status', status: 400, match: { path: IDS.secondWallet } });
	const other = { amount: '7', walletId: IDS.secondWallet };
	const ended = await pay([INV, other], { node: threeTries });
	expect(jsonOf(ended)).toMatchObject([
		{ outcome: 'done', repeated: true },
		{ outcome: 'done', amount: '7' },
	]);
	expect(amounts()).toEqual(['5', '7']);
});

it('a Retry after a kill sends what was not reached, from the first part on that was accepted', async () => {
	const fifteen = upTo(15).map((amount) => ({ amount: String(amount) }));
	const first = await pay(fifteen.slice(0, 10));
	const retried = await pay(fifteen, { crashed: data(first) });
	expect(outcomes(retried)).toEqual([
		...Array<string>(10).fill('already_sent'),
		...Array<string>(5).fill('done'),
	]);
	expect(amounts()).toHaveLength(15);
});

it('a Retry after a kill whose references were made anew sends nothing', async () => {
	const first = await pay(upTo(3).map((amount) => ({ amount: `${amount}` })));
	const anew = upTo(3).map((amount) => ({ amount: `${amount}`, reference: `new-${amount}` }));
	const retried = await pay(anew, { ...goesOn, crashed: data(first) });
	expect(outcomes(retried)).toEqual(['unknown', 'unknown', 'unknown']);
	expect(amounts()).toHaveLength(3);
});

it('two runs at once send a payment once, and neither loses what the other records', async () => {
	const all = await Promise.all(
		[itemsOf('1', '2'), itemsOf('1'), itemsOf('3')].map(
			async (items) => await run(transfers, { items, ...goesOn }),
		),
	);
	expect(all.flatMap(outcomes).sort()).toEqual(['done', 'done', 'done', 'unknown']);
	const again = await run(transfers, { items: itemsOf('1', '2', '3') });
	expect(outcomes(again)).toEqual(['already_sent', 'already_sent', 'already_sent']);
	expect(amounts().sort()).toEqual(['1', '2', '3']);
});

it('nothing is sent if n8n cannot record it', async () => {
	const record = jest.spyOn(notes, 'record').mockImplementation(() => {
		throw new Error('database is locked');
	});
	const { error } = await pay([INV]);
	expect(error?.message).toBe(
		`${WORDS.unknown[0]}: n8n's database did not answer, so this run has not sent INV: an earlier one may have`,
	);
	expect(simulator.requests).toEqual([]);
	record.mockRestore();
	expect(outcomes(await pay([INV]))).toEqual(['done']);
});

it("while a call of n8n's database has no answer, all is refused, and what arrives late permits nothing", async () => {
	const { timeout } = AbortSignal;
	const limits: AbortController[] = [];
	jest.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
		if (ms !== 20_000) return timeout.call(AbortSignal, ms);
		return limits[limits.push(new AbortController()) - 1]!.signal;
	});
	const pass = () => limits.forEach((limit) => limit.abort());
	let arrive: () => void = () => undefined;
	const hangs = new Promise<void>((resolve) => (arrive = resolve));
	let late: Promise<unknown> = Promise.resolve();
	const record = async function (this: IExecuteFunctions['helpers'], ...given: RecordCall) {
		pass();
		const call = hangs.then(async () => await this.checkProcessedAndRecord(...given));
		late = call;
		return await call;
	};
	const wrap = (n8n: IExecuteFunctions) => {
		const value = record.bind(n8n.helpers);
		const helpers = Object.create(n8n.helpers, { checkProcessedAndRecord: { value } }) as object;
		return Object.create(n8n, { helpers: { value: helpers } }) as IExecuteFunctions;
	};
	expect(outcomes(await pay([INV], { ...goesOn, wrap }))).toEqual(['unknown']);
	const many = upTo(30).map((amount) => ({ amount: String(amount) }));
	expect(new Set(outcomes(await pay(many, goesOn)))).toEqual(new Set(['unknown']));
	// Only the first one has waited.
	expect(limits).toHaveLength(1);
	arrive();
	await late;
	// The turn ends a few promises after its call.
	await setImmediate();
	const other: Payment = { amount: '6' };
	expect(outcomes(await pay([INV, other], goesOn))).toEqual(['unknown', 'done']);
	// The limits of calls that have ended mean nothing.
	pass();
	expect(outcomes(await pay([other], goesOn))).toEqual(['already_sent']);
	expect(amounts()).toEqual(['6']);
});

it('ten payments need three calls of the database, and leave two notes each', async () => {
	const calls = [jest.spyOn(notes, 'record'), jest.spyOn(notes, 'remove')];
	await pay(upTo(20).map((amount) => ({ amount: String(amount) })));
	expect(calls.map(({ mock }) => mock.calls.length)).toEqual([4, 2]);
	// One more for the run.
	expect(notes.of('node-1')).toHaveLength(41);
});
