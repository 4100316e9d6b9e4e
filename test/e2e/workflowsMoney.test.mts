import { agent, languageModel } from '../harness/n8n/agent.mts';
import { endedExecutions, eventually } from '../harness/n8n/executions.mts';
import { model, modelCredential, useModel } from '../harness/n8n/useN8n.mts';
import { publishChain, startChain } from '../harness/n8n/workflows.mts';
import { callInputs } from '../harness/workflows/callers.mts';
import { said } from '../harness/workflows/cases.mts';
import { RECIPIENTS, WALLETS } from '../harness/workflows/cases/money.mts';
import { writeTable } from '../harness/workflows/dataTables.mts';
import { invoiceRow, PAID, recipientRow, walletRow } from '../harness/workflows/rows.mts';
import { done, openCase, told, untilEnded } from '../harness/workflows/runCase.mts';
import { harness, n8n, useWorkflows } from '../harness/workflows/useWorkflows.mts';
import { withSettings, type WorkflowFile } from '../harness/workflows/workflowFiles.mts';
import { IDS, MAGIC_RECIPIENTS } from '../simulator/index.mts';

useWorkflows();
useModel(() => n8n);

const write = async (table: string, ...rows: object[]) => await writeTable(n8n, table, rows);
beforeEach(async () => await write(PAID));

describe('Treasury sweep', () => {
	const open = async (change?: (file: WorkflowFile) => WorkflowFile) =>
		await openCase(harness, 'treasury-sweep.json', change);
	const holding = (at: number) => harness.simulator.state.records.holdings[at]!;
	/** Beginning of each message. */
	const heads = () => told(harness).map((text) => text.split('\n')[0]);
	const notPaid = (count: number) => `*Treasury sweep: not paid, or not known to be: ${count}*`;

	it('sends once a day, also when the balance is read late or changes, and says why not again', async () => {
		const { run } = await open();
		await write(WALLETS, walletRow('450.5'));
		for (const units of ['1250500000', '1250500000', '1350500000']) {
			holding(0).units = units;
			expect(await run()).toBe('success');
		}
		expect(told(harness)).toEqual([
			expect.stringMatching(said(/^\*Treasury sweep: paid: 1\*\n<done>: 800 /)),
			expect.stringMatching(
				said(/^\*Treasury sweep: sent before, so not again: 1\*\n<already_sent>: 800 /),
			),
			expect.stringMatching(said(/^\*.*not paid.*: 1\*\n<not_sent>: 900 .*names another payment/)),
		]);
		expect(done(harness)).toEqual(['800']);
	});

	it('tells each wallet whose balance cannot be right, and sweeps the others', async () => {
		const { run } = await open();
		const wrong = [
			{ address: `0x${'a1'.repeat(20)}` },
			{ token_address: `0x${'3'.repeat(40)}` },
			{ token_address: 'native' },
			{ decimals: '' },
			{ reader: '/chain/nothing' },
			// 100 times too much.
			{ decimals: '4' },
		];
		const rows = wrong.map((each, at) => walletRow('0', { wallet_id: `wal-wrong-${at}`, ...each }));
		await write(WALLETS, ...rows, walletRow('450.5'));
		expect(await run()).toBe('success');
		expect(heads().sort()).toEqual([notPaid(1), notPaid(5), '*Treasury sweep: paid: 1*']);
		const text = told(harness).join('\n');
		for (let at = 0; at < 5; at++)
			expect(text).toContain(`Not sent: sweep of wal-wrong-${at}. Balance`);
		expect(text).toMatch(/Not sent: 125050 .*wal-wrong-5.*Maximum Amount/);
		expect(harness.questions()).toEqual([]);
		expect(done(harness)).toEqual(['800']);
	});

	it.each([
		['a web page', { kind: 'html200' as const }],
		['an empty answer', { kind: 'empty' as const }],
		['a negative number', { kind: 'body' as const, body: '{"result":-5}' }],
		['a list', { kind: 'body' as const, body: '{"result":["5"]}' }],
	])('sends nothing, and tells the wallet, when the reader answers with %s', async (_, fault) => {
		harness.simulator.faults.add({ ...fault, match: { path: '^/chain/rpc' }, times: 9 });
		const { run } = await open();
		await write(WALLETS, walletRow('450.5'));
		expect(await run()).toBe('success');
		expect(told(harness)).toEqual([
			expect.stringContaining('Not sent: sweep of wal-0001. Balance'),
		]);
		expect(done(harness)).toEqual([]);
	});

	it('sends small amounts while it asks about all large ones at once', async () => {
		const { begin, workflow } = await open();
		const second = { wallet_id: IDS.secondWallet, address: 'a2'.repeat(20) };
		await write(
			WALLETS,
			walletRow('0'),
			walletRow('2400.3', { ...second, token_address: holding(1).token }),
		);
		await begin();
		await eventually(async () => harness.questions().length === 1 && told(harness).length === 1);
		expect(harness.questions()[0]!.text).toMatch(/1250\.5 .*wal-0001/);
		expect(done(harness)).toEqual(['100']);
		await untilEnded(harness, workflow, 1, 'Pay them');
		expect(done(harness)).toEqual(['100', '1250.5']);
		expect(heads()).toEqual(['*Treasury sweep: paid: 1*', '*Treasury sweep: paid: 1*']);
	});

	it.each(['Wallets', 'Balance', 'Amount', 'Large?', 'Pay after a yes'])(
		'sends nothing without a yes, and says something, while "%s" is deactivated',
		async (name) => {
			const { begin } = await open((file) => withSettings(file, name, { disabled: true }));
			await write(WALLETS, walletRow('0'));
			await begin();
			await eventually(async () => told(harness).length + harness.questions().length > 0);
			expect(done(harness)).toEqual([]);
		},
	);
});

describe('Pay invoices from a table', () => {
	it('asks about nine of the invoices that are due, the oldest first, and only about what is not paid', async () => {
		const { run } = await openCase(harness, 'pay-invoices.json');
		const days = ['', '2999-01-01', ...Array.from({ length: 11 }, (_, at) => `2026-01-${at + 10}`)];
		const many = days.map((due_day, at) => invoiceRow(`INV-${at}`, `${at + 1}`, { due_day }));
		await write('Invoices', ...many.reverse());
		expect(await run(undefined, 'Pay them')).toBe('success');
		expect(done(harness)).toEqual(['3', '4', '5', '6', '7', '8', '9', '10', '11']);
		expect(await run(undefined, 'Pay them')).toBe('success');
		expect(done(harness).slice(9)).toEqual(['12', '13']);
		expect(harness.questions()[1]!.text).toContain('Invoices, payments: 2.');
	});
});

describe('Pay for an agent', () => {
	const ask = { recipient: 'ACME', amount: '12.50', reference: 'INV-1' };

	it.each<[string, names: string[], changes: object, words: RegExp]>([
		['a name that is not in the table', ['ACME Ltd'], {}, /not exactly one row/],
		['a name that is there twice', ['ACME', 'ACME'], {}, /not exactly one row/],
		['an amount above the limit', ['ACME'], { amount: '501' }, /above the limit/],
		['an amount that is none', ['ACME'], { amount: '0' }, /Amount must be above 0/],
		['no reference', ['ACME'], { reference: '' }, /Payment Reference/],
	])('refuses %s without asking anybody', async (_, names, changes, words) => {
		const { run } = await openCase(harness, 'pay-for-an-agent.json');
		const table = names.map((name, at) =>
			recipientRow(name, at > 0 ? { to: MAGIC_RECIPIENTS.PENDING } : {}),
		);
		await write(RECIPIENTS, ...table);
		await run({ ...ask, ...changes });
		await eventually(async () => told(harness).length > 0);
		expect(told(harness)[0]).toMatch(words);
		expect(harness.questions()).toEqual([]);
		expect(done(harness)).toEqual([]);
	});

	it('answers an AI agent after a person has approved, and pays once if it calls again', async () => {
		const { workflow } = await openCase(harness, 'pay-for-an-agent.json');
		await write(RECIPIENTS, recipientRow('ACME'));
		const tool = {
			name: 'Pay',
			type: '@n8n/n8n-nodes-langchain.toolWorkflow',
			typeVersion: 2.2,
			parameters: {
				description: 'Pays an invoice',
				workflowId: { __rl: true, mode: 'id', value: workflow.id },
				workflowInputs: callInputs(
					'pay-for-an-agent.json',
					(name) => `={{ $fromAI('${name}', '', 'string') }}`,
				),
			},
		};
		model.calls = [1, 2].map(() => ({ name: 'Pay', arguments: ask }));
		const chain = await publishChain(n8n, [agent], {
			attachments: [
				{ node: tool, into: agent.name, as: 'ai_tool' },
				{ node: languageModel({ modelCredential }), into: agent.name, as: 'ai_languageModel' },
			],
		});
		await startChain(chain);
		await untilEnded(harness, workflow, 2, 'Pay them');
		await endedExecutions(n8n, chain, 1);
		const answers = model.requests.at(-1)!.messages.filter(({ role }) => role === 'tool');
		expect(answers.map(({ content }) => content)).toEqual([
			expect.stringMatching(said(/"outcome":"done","summary":"<done>: 12\.5 /)),
			expect.stringMatching(/"outcome":"already_sent"/),
		]);
		expect(done(harness)).toEqual(['12.5']);
	});
});
