import lodash from 'lodash';

import {
	ended,
	endedExecutions,
	eventually,
	executions,
	isOpen,
} from '../harness/n8n/executions.mts';
import { startChain, type ChainNode } from '../harness/n8n/workflows.mts';
import { payer } from '../harness/workflows/callers.mts';
import { said } from '../harness/workflows/cases.mts';
import { emptyTable, readTable, setRow, writeTable } from '../harness/workflows/dataTables.mts';
import { due, invoiceRow, PAID, paymentRow } from '../harness/workflows/rows.mts';
import { done, openPay, told, untilEnded } from '../harness/workflows/runCase.mts';
import { harness, n8n, useWorkflows } from '../harness/workflows/useWorkflows.mts';
import {
	readWorkflow,
	withOptions,
	withSettings,
	type WorkflowFile,
} from '../harness/workflows/workflowFiles.mts';
import { IDS, MAGIC_RECIPIENTS } from '../simulator/index.mts';

/** *Pay*, its memory and its table, from a workflow of a user. */

/** n8n writes the rows of a table one by one. */
const MANY_MS = 400_000;
const YES = 'Pay them';
const NO = 'Do not pay';

jest.setTimeout(MANY_MS);
useWorkflows();

const write = async (table: string, ...rows: object[]) => await writeTable(n8n, table, rows);
const rows = async () => await readTable(n8n, PAID);
const rowsBy = async (field: string) => lodash.countBy(await rows(), field);
beforeEach(async () => await write(PAID));

const ALL = [invoiceRow('', '').to, ...Object.values(MAGIC_RECIPIENTS)].join();

/** Opens *Pay* and a workflow that calls it. */
async function open({
	change = (file: WorkflowFile) => file,
	calls = (nodes: ChainNode[]) => nodes,
} = {}) {
	const pay = await openPay(harness, (file) =>
		change(withOptions(file, 'Transfer', { allowedRecipients: ALL })),
	);
	const caller = await payer(harness, pay, calls);
	/** Calls *Pay* with a list. @returns what the caller gets back, once it has ended */
	const run = async (list: object[], press?: string, chain = caller) => {
		const count = async (of: typeof pay) => (await executions(n8n, of)).length;
		const [calls, runs] = [await count(chain), await count(pay)];
		await startChain(chain, { list });
		await untilEnded(harness, pay, runs + 1, press, MANY_MS);
		return { items: (await ended(n8n, chain, calls + 1)).outputs('Call')?.[0] ?? [] };
	};
	return { pay, caller, run };
}

const outcomes = ({ items }: { items: object[] }) =>
	items.map((item) => lodash.get(item, 'outcome'));
const list = (count: number, change: (at: number) => object = () => ({})) =>
	Array.from({ length: count }, (_, at) => due(`S-${at + 1}`, at + 1, change(at)));

it('pays a list once: 45 payments, of which ten end unknown, and again', async () => {
	const { run } = await open();
	// Ten in a row would end the sending.
	const isHit = (at: number) => at % 4 === 0 && at < 40;
	const salaries = list(45, (at) => ({ wallet_id: isHit(at) ? IDS.secondWallet : IDS.wallet }));
	harness.simulator.faults.add({
		...{ kind: 'status', status: 409, effect: true, times: 10 },
		match: { path: IDS.secondWallet },
	});
	const first = await run(salaries, YES);
	expect(lodash.countBy(outcomes(first))).toEqual({ unknown: 10, done: 35 });
	const references = salaries.map(({ reference }) => reference);
	expect(first.items.map((item) => item.payment_reference)).toEqual(references);
	expect(await rowsBy('outcome')).toEqual({ unknown: 10, done: 35 });
	const again = await run(salaries);
	expect(lodash.countBy(outcomes(again))).toEqual({ unknown: 10, already_sent: 35 });
	expect(again.items.map((item) => item.payment_reference)).toEqual(references);
	expect(await rowsBy('outcome')).toEqual({ unknown: 10, done: 35 });
	expect(harness.questions()).toHaveLength(1);
	expect(done(harness)).toHaveLength(45);
});

it.each([
	['FAILED', 'FAILED', 'failed', /came back FAILED|FAILED/],
	['MANUAL_CHECK', 'MANUAL_CHECK', 'pending', /MANUAL_CHECK/],
	['WARNING', 'WARNING', 'pending', /WARNING/],
] as const)('keeps what %s means, also when it is called again', async (_, to, outcome, words) => {
	const { run } = await open();
	const one = [due('A-1', 5, { to: MAGIC_RECIPIENTS[to] }), due('A-2', 7)];
	expect(outcomes(await run(one, YES))).toEqual([outcome, 'done']);
	expect(told(harness).join('\n')).toMatch(words);
	await run(one);
	expect((await rows()).map((row) => row.outcome)).toEqual([outcome, 'done']);
	expect(harness.questions()).toHaveLength(1);
});

it('asks only about what can be paid, and tells the rest apart', async () => {
	const { run } = await open();
	const bad = [due('A-1', 'abc'), due('A-2', 5), due('A-3', 6), due('A-3', 6), due('', 8)];
	const { items } = await run(bad, YES);
	expect(outcomes({ items })).toEqual(['not_sent', 'done', 'not_sent', 'not_sent', 'not_sent']);
	expect(harness.questions()[0]!.text).toMatch(
		/^\*Pay these\? Salaries, payments: 1\. .*\n.*reference A-2/,
	);
	expect(harness.questions()[0]!.text).not.toMatch(/A-1|A-3|undefined/);
	expect((await rows()).map(({ reference }) => reference)).toEqual(['A-2']);
});

it('does not ask about a list that Maximum Total refuses', async () => {
	const { run } = await open({
		change: (file) => withOptions(file, 'Transfer', { maximumTotal: '20000' }),
	});
	const nine = Array.from({ length: 9 }, (_, at) => due(`N-${at}`, 2500 + at));
	expect(lodash.uniq(outcomes(await run(nine)))).toEqual(['not_sent']);
	expect(harness.questions()).toEqual([]);
});

it.each([
	['changed', { amount: 999, to: MAGIC_RECIPIENTS.PENDING, outcome: 'dry_run' }],
	['made final', { outcome: 'done' }],
	['deleted', undefined],
])('pays what was asked about, although its row was %s since', async (_, change) => {
	const { pay, caller } = await open();
	await startChain(caller, { list: [due('A-1', 12.5)] });
	await eventually(async () => harness.questions().length > 0);
	if (change) await setRow(n8n, PAID, 'reference', 'A-1', change);
	else await emptyTable(n8n, PAID);
	await untilEnded(harness, pay, 1, YES);
	expect(harness.simulator.ledger).toMatchObject([{ amountText: '12.5' }]);
	await eventually(async () => told(harness).length > 0);
	expect(told(harness)).toEqual([expect.stringMatching(said(/<done>: 12\.5 /))]);
});

it('pays each of 30 references once when two callers come at once, and keeps a row for each', async () => {
	const { pay, caller } = await open();
	const small = list(30, () => ({ ask_always: false }));
	await Promise.all([1, 2].map(async () => await startChain(caller, { list: small })));
	await endedExecutions(n8n, pay, 2, MANY_MS);
	expect(lodash.uniq(done(harness))).toHaveLength(30);
	expect(done(harness)).toHaveLength(30);
	const kept = await rows();
	expect(kept).toHaveLength(30);
	expect(
		lodash.difference(
			kept.map(({ outcome }) => String(outcome)),
			['done', 'already_sent'],
		),
	).toEqual([]);
});

it('pays nothing again for a copy of the caller', async () => {
	const { pay, run } = await open();
	const copy = await payer(harness, pay);
	expect(outcomes(await run(list(3), YES))).toEqual(['done', 'done', 'done']);
	expect(outcomes(await run(list(3), undefined, copy))).toEqual(Array(3).fill('already_sent'));
	expect(done(harness)).toHaveLength(3);
});

it('sends nothing twice after a kill at 20 of 60, and the rest when it is called again', async () => {
	const { pay, caller, run } = await open();
	await startChain(caller, { list: list(60) });
	await eventually(async () => harness.questions().length > 0, MANY_MS);
	await harness.click(pay, harness.questions()[0]!, YES);
	await eventually(async () => done(harness).length >= 20, MANY_MS);
	await harness.scenario.restart('SIGKILL');
	const sent = done(harness).length;
	const { unknown = 0, ...rest } = lodash.countBy(outcomes(await run(list(60), YES)));
	// What was under way is not known.
	expect(unknown).toBeLessThanOrEqual(20);
	expect(rest).toEqual({
		already_sent: expect.any(Number) as number,
		done: expect.any(Number) as number,
	});
	expect(rest.already_sent! + rest.done! + unknown).toBe(60);
	expect(sent).toBeLessThanOrEqual(rest.already_sent! + unknown);
	expect(lodash.uniq(done(harness))).toHaveLength(done(harness).length);
	expect(await rowsBy('outcome')).toEqual({ ...rest, ...(unknown > 0 && { unknown }) });
});

it('pays what was asked about before a restart', async () => {
	const { pay, caller } = await open();
	await startChain(caller, { list: list(3) });
	// n8n records a caller as waiting after the workflow that it called.
	await eventually(async () =>
		(await executions(n8n, caller)).some(({ status }) => status === 'waiting'),
	);
	await harness.scenario.restart('SIGKILL');
	await untilEnded(harness, pay, 1, YES);
	expect(outcomes({ items: (await ended(n8n, caller, 1)).outputs('Call')![0]! })).toEqual(
		Array(3).fill('done'),
	);
	expect(await rowsBy('outcome')).toEqual({ done: 3 });
});

it('asks about each list of a caller that calls once for each item, beyond what a day may leave', async () => {
	const { pay, caller } = await open({
		calls: (nodes) =>
			nodes.map((node) =>
				lodash.merge(node, node.name === 'Call' && { parameters: { mode: 'each' } }),
			),
	});
	const small = [900, 901, 902].map((amount) => due(`E-${amount}`, amount, { ask_always: false }));
	await startChain(caller, { list: small });
	await untilEnded(harness, pay, 3, NO);
	expect(done(harness)).toEqual(['900']);
	expect(harness.questions()).toHaveLength(2);
});

it('counts a reference once that n8n has given two rows, and rounds the sum of the day', async () => {
	const { run } = await open();
	const twin = paymentRow({ called: new Date().toISOString(), asked_amount: 600 });
	await write(PAID, twin, twin);
	await run([due('A-1', 0.1), due('A-2', 0.2)], NO);
	expect(harness.questions()[0]!.text).toContain('of today: 600.3*');
});

it.each(
	readWorkflow('pay.json')
		.nodes.map(({ name, type }) => ({ name, type }))
		.filter(({ type }) => !/stickyNote|executeWorkflowTrigger/.test(type)),
)('sends nothing without a yes while "$name" is deactivated', async ({ name }) => {
	const { pay, caller } = await open({
		change: (file) => withSettings(file, name, { disabled: true }),
	});
	await startChain(caller, { list: list(3) });
	await eventually(async () => {
		const all = await executions(n8n, pay);
		return all.length > 0 && (!all.some(isOpen) || harness.questions().length > 0);
	});
	expect(done(harness)).toEqual([]);
	for (const { id } of (await executions(n8n, pay)).filter(isOpen))
		await n8n.rest('POST', `/rest/executions/${id}/stop`);
});

it.each<[string, object[]]>([
	['null', [{ ask_always: null }]],
	['missing', [{ ask_always: undefined }]],
	['true for the second alone', [{ ask_always: false }, { ask_always: true }]],
])('asks about a small list if ask_always is %s', async (_, changes) => {
	const { pay, caller } = await open();
	await startChain(caller, { list: changes.map((change, at) => due(`A-${at}`, at + 1, change)) });
	await eventually(async () => harness.questions().length > 0);
	await untilEnded(harness, pay, 1, NO);
	expect(done(harness)).toEqual([]);
});

it('keeps one row for two spellings of a reference, and what it holds when it is called again', async () => {
	const { run } = await open();
	await run([due('INV–7', 5)], YES);
	const kept = { reference: 'INV-7', amount: 5, transaction_hash: '0xabc' };
	for (const outcome of ['done', 'already_sent']) {
		await setRow(n8n, PAID, 'reference', 'INV-7', { outcome, transaction_hash: '0xabc' });
		expect(outcomes(await run([due('INV-7', 5)]))).toEqual(['already_sent']);
		expect(outcomes(await run([due('INV-7', 6)]))).toEqual(['not_sent']);
		expect(await rows()).toMatchObject([{ ...kept, outcome }]);
	}
});

it('keeps what may have been sent when it is called again with another amount', async () => {
	const { run } = await open();
	harness.simulator.faults.add({ kind: 'status', status: 409, effect: true });
	await run([due('A-1', 5)], YES);
	expect(outcomes(await run([due('A-1', 6)]))).toEqual(['unknown']);
	expect(await rows()).toMatchObject([{ outcome: 'unknown', amount: 5 }]);
});

it('puts no text of a caller into Slack that could call people or link', async () => {
	const { run } = await open();
	await run([due('<!channel> &lt;https://example.com|Bank&gt;', 5)], NO);
	for (const { text } of harness.slack.messages) expect(text).not.toMatch(/[<>]/);
});
