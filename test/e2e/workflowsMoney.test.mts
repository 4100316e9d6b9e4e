import { startModel } from '../harness/model.mts';
import { agent, languageModel } from '../harness/n8n/agent.mts';
import { createCredential } from '../harness/n8n/credentials.mts';
import { eventually } from '../harness/n8n/executions.mts';
import { publishChain, startChain } from '../harness/n8n/workflows.mts';
import { callInputs } from '../harness/workflows/callers.mts';
import { caseOf, said } from '../harness/workflows/cases.mts';
import type { Case } from '../harness/workflows/cases/case.mts';
import { RECIPIENTS, TO_ASK } from '../harness/workflows/cases/money.mts';
import { readTable, writeTable, type Row } from '../harness/workflows/dataTables.mts';
import { alarm } from '../harness/workflows/faults.mts';
import { invoiceRow, PAYMENTS, recipientRow, walletRow } from '../harness/workflows/rows.mts';
import { done, openCase, told, untilEnded } from '../harness/workflows/runCase.mts';
import { harness, useWorkflows } from '../harness/workflows/useWorkflows.mts';
import { withOptions, type WorkflowFile } from '../harness/workflows/workflowFiles.mts';
import { IDS, MAGIC_RECIPIENTS } from '../simulator/index.mts';

/** n8n writes the rows of a table one by one. */
const MANY_ROWS_MS = 300_000;

useWorkflows();

const write = async (table: string, ...rows: object[]) =>
	await writeTable(harness.scenario.n8n, table, rows as Row[]);
const payments = async () => await readTable(harness.scenario.n8n, PAYMENTS);
beforeEach(async () => await writeTable(harness.scenario.n8n, PAYMENTS, []));

const anyRecipient = (file: WorkflowFile) =>
	withOptions(file, 'Transfer', {
		allowedRecipients: [walletRow('', '').to, ...Object.values(MAGIC_RECIPIENTS)].join(),
	});

const open = async (key: Case['key']) => await openCase(harness, caseOf(key), anyRecipient);

describe('Treasury sweep', () => {
	const TABLE = 'Treasury wallets';

	it('is a dry run for nobody as it is shipped', async () => {
		const shipped = await harness.openOnDemand('treasury-sweep.json');
		await write(TABLE, walletRow(IDS.wallet, '1000.10'));
		await shipped.start();
		await untilEnded(harness, shipped, 1);
		expect(told(harness)[0]).toMatch(
			said(/^\*Not swept.*\n<not_sent>: 999\.8 .*Allowed Recipients/),
		);
		expect(done(harness)).toEqual([]);
	});

	it('sends once a day, also when the balance changes, and says why not again', async () => {
		const { run } = await open('sweep');
		for (const balance of ['1000.10', '1000.10', '2000']) {
			await write(TABLE, walletRow(IDS.wallet, balance));
			expect(await run()).toBe('success');
		}
		expect(told(harness)).toEqual([
			expect.stringMatching(said(/^\*Swept: 1\*\n<done>: 999\.8 /)),
			expect.stringMatching(said(/^\*Not swept.*: 1\*\n<already_sent>: 999\.8 /)),
			expect.stringMatching(
				said(/^\*Not swept.*: 1\*\n<not_sent>: 1999\.7 .*names another payment/),
			),
		]);
		expect(done(harness)).toEqual(['999.8']);
		expect((await payments()).map(({ outcome }) => outcome)).toEqual([
			'done',
			'already_sent',
			'not_sent',
		]);
	});

	it.each([
		['a balance of another day', { balance_day: '2026-01-01' }, '<not_sent>: .*2026-01-01', 0],
		['PENDING', { to: MAGIC_RECIPIENTS.WARNING }, '<pending>: ', 1],
		['FAILED', { to: MAGIC_RECIPIENTS.FAILED }, '<failed>: ', 1],
	])('tells %s apart from what is swept', async (_, differences, words, count) => {
		const { run } = await open('sweep');
		await write(
			TABLE,
			walletRow(IDS.secondWallet, '75.30', differences),
			walletRow(IDS.wallet, '10.30'),
		);
		expect(await run()).toBe('success');
		expect([...told(harness)].sort()).toEqual([
			expect.stringMatching(said(RegExp(`^\\*Not swept.*: 1\\*\\n${words}`))),
			expect.stringMatching(said(/^\*Swept: 1\*\n<done>: 10 /)),
		]);
		expect(done(harness)).toHaveLength(1 + count);
	});

	it(
		'tells of 1,000 wallets in short messages, without what could ping or link',
		async () => {
			const { begin, workflow } = await open('sweep');
			const many = Array.from({ length: 998 }, (_, at) => walletRow(`wal-${at}`, '0.10'));
			const odd = { balance: 'none', to: '<https://example.com|Bank>' };
			await write(TABLE, ...many, walletRow(IDS.wallet, '10.30'), walletRow('<!channel>', '', odd));
			await begin();
			await harness.messages('#treasury', 3, MANY_ROWS_MS);
			await untilEnded(harness, workflow, 1);
			const heads = told(harness).map((text) => text.split('\n')[0]);
			expect(heads.sort()).toEqual([
				'*Not swept, or not known to be: 1*',
				'*Not swept, or not known to be: 998*',
				'*Swept: 1*',
			]);
			for (const text of told(harness)) expect(text).not.toMatch(/[<>]/);
			for (const text of told(harness)) expect(text.length).toBeLessThan(3_000);
			expect(done(harness)).toEqual(['10']);
		},
		MANY_ROWS_MS,
	);
});

describe('Treasury sweep with approval', () => {
	it('sends small amounts while it asks about all large ones at once', async () => {
		const { begin, workflow } = await open('approval');
		await write(
			TO_ASK,
			walletRow(IDS.wallet, '5000.30'),
			walletRow(IDS.secondWallet, '10.30'),
			walletRow(IDS.secondWallet, '2000.30', { token_address: `0x70ce${'1'.padStart(36, '0')}` }),
		);
		await begin();
		await eventually(async () => harness.questions().length === 1 && done(harness).length > 0);
		expect(harness.questions()[0]!.text).toMatch(/5000 .*wal-0001.*\n.*2000 .*wal-0002/);
		expect(done(harness)).toEqual(['10']);
		await untilEnded(harness, workflow, 1, 'Send');
		expect(done(harness)).toEqual(['10', '5000', '2000']);
		expect(told(harness)).toHaveLength(2);
	});

	it(
		'stops and sends nothing if its question is longer than Slack takes',
		async () => {
			const { run } = await open('approval');
			const many = Array.from({ length: 60 }, (_, at) => walletRow(`wal-${at}`, '5000.30'));
			await write(TO_ASK, ...many);
			expect(await run()).toBe('error');
			await alarm(harness, 'treasury-sweep-with-approval.json', 'Ask');
			expect(done(harness)).toEqual([]);
		},
		MANY_ROWS_MS,
	);
});

describe('Pay invoices from a table', () => {
	it('asks about nine of the invoices that are due, the oldest first, and only about what is not paid', async () => {
		const of = caseOf('invoices');
		const { run } = await openCase(harness, of);
		const days = ['', '2999-01-01', ...Array.from({ length: 11 }, (_, at) => `2026-01-${at + 10}`)];
		const many = days.map((due_day, at) => invoiceRow(`INV-${at}`, `${at + 1}`, { due_day }));
		await write('Invoices', ...many.reverse());
		expect(await run(undefined, 'Pay them')).toBe('success');
		expect(done(harness)).toEqual(['3', '4', '5', '6', '7', '8', '9', '10', '11']);
		expect(await run(undefined, 'Pay them')).toBe('success');
		expect(done(harness).slice(9)).toEqual(['12', '13']);
		expect(harness.questions()[1]!.text).toContain('Invoices: 2.');
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
		const { run } = await openCase(harness, caseOf('agent'));
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
		const { n8n } = harness.scenario;
		const model = await startModel();
		try {
			const data = { apiKey: 'test-model-key', url: model.url, header: false };
			const modelCredential = await createCredential(n8n, data, { type: 'openAiApi' });
			const { workflow } = await openCase(harness, caseOf('agent'));
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
			await harness.ended(chain, 1);
			const answers = model.requests.at(-1)!.messages.filter(({ role }) => role === 'tool');
			expect(answers.map(({ content }) => content)).toEqual([
				expect.stringMatching(said(/"outcome":"done","summary":"<done>: 12\.5 /)),
				expect.stringMatching(/"outcome":"already_sent"/),
			]);
			expect(done(harness)).toEqual(['12.5']);
		} finally {
			await model.close();
		}
	});
});
