import { at, OK, send } from '../harness/n8n/deliveries.mts';
import { endedExecutions } from '../harness/n8n/executions.mts';
import { noOp } from '../harness/n8n/nodes.mts';
import { publishWorkflow } from '../harness/n8n/workflows.mts';
import { runsByEvent } from '../harness/queue/queueMode.mts';
import { credential, queue, useQueue } from '../harness/queue/useQueue.mts';
import { sampleEvent } from '../simulator/index.mts';

useQueue();

const publishCleared = async () =>
	await publishWorkflow(queue.n8n, credential, { events: ['cards.cleared'] }, [[noOp('Behind')]]);

describe('copies of an event in queue mode', () => {
	it('end at the trigger if they are sent to another process after the first run', async () => {
		const workflow = await publishCleared();
		const [first, second] = queue.webhooks;
		const event = sampleEvent('cards.cleared');
		expect(await send(at(workflow, first.url), event)).toMatchObject(OK);
		await endedExecutions(queue.n8n, workflow, 1);
		expect(await send(at(workflow, second.url), event)).toMatchObject(OK);
		expect((await runsByEvent(queue, workflow, 2)).get(event.operation_id)).toBe(1);
	});
});
