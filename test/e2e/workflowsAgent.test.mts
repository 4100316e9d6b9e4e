import { startModel } from '../harness/model.mts';
import { agent, languageModel } from '../harness/n8n/agent.mts';
import { createCredential } from '../harness/n8n/credentials.mts';
import { eventually } from '../harness/n8n/executions.mts';
import { publishChain, startChain } from '../harness/n8n/workflows.mts';
import { caseOf, RECIPIENTS } from '../harness/workflows/cases.mts';
import { writeTable, type Row } from '../harness/workflows/dataTables.mts';
import { recipientRow } from '../harness/workflows/rows.mts';
import { callInputs, done, openCase, told, untilEnded } from '../harness/workflows/runCase.mts';
import { harness, useWorkflows } from '../harness/workflows/useWorkflows.mts';
import { MAGIC_RECIPIENTS } from '../simulator/index.mts';

useWorkflows();

const recipients = async (...rows: object[]) =>
	await writeTable(harness.scenario.n8n, RECIPIENTS, rows as Row[]);

describe('Pay for an agent', () => {
	const ask = { recipient: 'ACME', amount: '12.50', reference: 'INV-1' };

	it.each([
		['a name that is not in the table', [recipientRow('ACME Ltd')], ask, /not exactly one row/],
		[
			'a name that is there twice',
			[recipientRow('ACME'), recipientRow('ACME', { to: MAGIC_RECIPIENTS.PENDING })],
			ask,
			/not exactly one row/,
		],
		[
			'an amount above the limit',
			[recipientRow('ACME')],
			{ ...ask, amount: '501' },
			/Maximum Amount/,
		],
		[
			'an amount that is none',
			[recipientRow('ACME')],
			{ ...ask, amount: '1e3' },
			/Amount is "1e3"/,
		],
		['no reference', [recipientRow('ACME')], { ...ask, reference: '' }, /Payment Reference/],
	])('refuses %s without asking anybody', async (_, rows, event, words) => {
		const { run } = await openCase(harness, caseOf('agent'));
		await recipients(...rows);
		await run(event);
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
			await recipients(recipientRow('ACME'));
			const tool = {
				name: 'Pay',
				type: '@n8n/n8n-nodes-langchain.toolWorkflow',
				typeVersion: 2.2,
				parameters: {
					description: 'Pays an invoice',
					workflowId: { __rl: true, mode: 'id', value: workflow.id },
					workflowInputs: callInputs((name) => `={{ $fromAI('${name}', '', 'string') }}`),
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
			await untilEnded(harness, workflow, 2, 'Pay');
			await harness.ended(chain, 1);
			const answers = model.requests.at(-1)!.messages.filter(({ role }) => role === 'tool');
			expect(answers.map(({ content }) => content)).toEqual([
				expect.stringMatching(/"outcome":"done","summary":"Sent: 12\.5 /),
				expect.stringMatching(/"outcome":"already_sent"/),
			]);
			expect(done(harness)).toEqual(['12.5']);
		} finally {
			await model.close();
		}
	});
});
