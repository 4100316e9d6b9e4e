import { endedExecutions, outputsOf } from '../harness/n8n/executions.mts';
import { manualTrigger, noOp } from '../harness/n8n/nodes.mts';
import { createWorkflow, publishChain, runFrom } from '../harness/n8n/workflows.mts';
import { workerOf } from '../harness/queue/queueMode.mts';
import { credential, n8n, queue, useQueue } from '../harness/queue/useQueue.mts';
import { simulator } from '../simulator/useSimulator.mts';
import { DEMOS, operationNodes } from '../tools/start/operations.mts';

/** Runs from the editor on workers, as always in n8n 3, with files in the database, which both can read. */
const AS_N8N_3 = {
	OFFLOAD_MANUAL_EXECUTIONS_TO_WORKERS: 'true',
	N8N_DEFAULT_BINARY_DATA_MODE: 'database',
};

useQueue(() => AS_N8N_3);

it('the trigger returns its sample on a worker', async () => {
	const parameters = { events: ['cards.cleared'], testEvent: 'cards.cleared' };
	const workflow = await createWorkflow(n8n, credential, parameters, [[noOp('Behind')]]);
	await runFrom(n8n, workflow, 'Trigger');
	const [row] = await endedExecutions(n8n, workflow, 1);
	expect(row).toMatchObject({ status: 'success', mode: 'manual' });
	expect(workerOf(queue, row!.id)).not.toBe(-1);
	expect(await outputsOf(n8n, row!.id, 'Behind')).toMatchObject([[{ event_type: 'cleared' }]]);
});

it.each([
	['submitDocument', 1],
	['downloadStatement', 0],
])('the file of %s passes through a worker', async (wanted, submitted) => {
	const demo = DEMOS.find(({ operation }) => operation === wanted)!;
	const nodes = operationNodes(demo, credential);
	const chain = await publishChain(n8n, nodes, {
		attachments: [{ node: manualTrigger, into: nodes[0]!.name, as: 'main' }],
	});
	await runFrom(n8n, chain, 'Start');
	const [row] = await endedExecutions(n8n, chain, 1);
	expect(row).toMatchObject({ status: 'success', mode: 'manual' });
	expect(workerOf(queue, row!.id)).not.toBe(-1);
	expect(simulator.state.submittedDocuments).toHaveLength(submitted);
});
