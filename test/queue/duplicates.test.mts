import { at, OK, send } from '../harness/n8n/deliveries.mts';
import { endedExecutions, noOp, publishWorkflow } from '../harness/n8n/scenario.mts';
import { GAPS_MS, runsAfterBusyWorkers, runsOfCopies } from '../harness/queue/copies.mts';
import { runsByEvent } from '../harness/queue/runs.mts';
import { credential, queue, useQueue } from '../harness/queue/useQueue.mts';
import { sampleEvent } from '../simulator/index.mts';

useQueue();

const publishCleared = async () =>
	await publishWorkflow(queue.n8n, credential, { events: ['cards.cleared'] }, [[noOp('Behind')]]);
const report = (line: string) => process.stdout.write(`${line}\n`);

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

	it.each(GAPS_MS)(
		'run once or twice if they are sent to two processes %d ms apart',
		async (gapMs) => {
			const runs = await runsOfCopies(queue, credential, gapMs);
			report(
				`Copies ${gapMs} ms apart to two processes: ${runs.filter((times) => times === 2).length} of ${runs.length} events ran twice`,
			);
			// Each event runs at least once, and at most once per process.
			for (const times of runs) expect([1, 2]).toContain(times);
		},
	);

	it('mostly end at the trigger after two workers have stored keys at the same time', async () => {
		const runs = await runsAfterBusyWorkers(queue, credential);
		const again = runs.filter((times) => times === 2).length;
		report(
			`Copies at another process after 15 events a second over two workers: ${again} of ${runs.length} ran again`,
		);
		for (const times of runs) expect([1, 2]).toContain(times);
		expect(again).toBeLessThan(runs.length / 2);
	});
});
