import { setTimeout as wait } from 'node:timers/promises';

import { at, OK, persist, send } from '../harness/n8n/deliveries.mts';
import { endedExecutions, eventually, executions, outputsOf } from '../harness/n8n/executions.mts';
import { noOp, waitSeconds } from '../harness/n8n/nodes.mts';
import { publishWorkflow } from '../harness/n8n/workflows.mts';
import { runsByEvent, supervise } from '../harness/queue/queueMode.mts';
import type { Server } from '../harness/queue/servers.mts';
import { credential, n8n, NOTICE_SOON, queue, useQueue } from '../harness/queue/useQueue.mts';
import { sampleEvent } from '../simulator/index.mts';

useQueue(() => NOTICE_SOON);

const publishCleared = async (...row: Parameters<typeof publishWorkflow>[3] & object) =>
	await publishWorkflow(n8n, credential, { events: ['cards.cleared'] }, row);

describe.each<[string, () => Server]>([
	['PostgreSQL', () => queue.postgres],
	['Redis', () => queue.redis],
])('outage of %s', (_, server) => {
	it('lets no event be acknowledged; afterwards the retries are acknowledged and each event runs', async () => {
		const workflow = await publishCleared([noOp('Behind')]);
		const first = sampleEvent('cards.cleared');
		expect(await send(workflow, first)).toMatchObject(OK);
		await endedExecutions(n8n, workflow, 1);
		await server().end('SIGKILL');
		const events = Array.from({ length: 5 }, () => sampleEvent('cards.cleared'));
		const deliveries = Promise.all(events.map(async (event) => await persist(workflow, event)));
		await wait(4_000);
		await server().start();
		const stop = supervise(queue);
		for (const { delivered, attempts } of await deliveries) {
			expect(delivered).toBe(true);
			expect(attempts.length).toBeGreaterThan(1);
		}
		// Two workers that record other events at once may lose a key: then a copy runs, too.
		await eventually(async () => (await runsByEvent(queue, workflow, 6)).size === 6);
		await stop();
	});
});

it('a killed webhook process loses no acknowledged event, and a copy of it ends at the trigger', async () => {
	const workflow = await publishCleared([waitSeconds('Wait', 5), noOp('Behind')]);
	const event = sampleEvent('cards.cleared');
	const [first] = queue.webhooks;
	expect(await send(at(workflow, first.url), event)).toMatchObject(OK);
	await eventually(async () => (await executions(n8n, workflow))[0]?.status === 'running');
	await first.end('SIGKILL');
	const [row] = await endedExecutions(n8n, workflow, 1);
	expect(row!.status).toBe('success');
	expect(await outputsOf(n8n, row!.id, 'Behind')).toMatchObject([[event]]);
	await first.start();
	expect(await send(at(workflow, first.url), event)).toMatchObject(OK);
	expect((await runsByEvent(queue, workflow, 2)).get(event.operation_id)).toBe(1);
});
