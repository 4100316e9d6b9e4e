import { endedExecutions, outputsOf, type TriggerWorkflow } from '../n8n/scenario.mts';
import type { QueueMode } from './queueMode.mts';

/** Number of runs after the trigger for each event, by `operation_id`, once `count` executions have ended. */
export async function runsByEvent(
	{ n8n }: QueueMode,
	workflow: TriggerWorkflow,
	executions: number,
): Promise<Map<string, number>> {
	const rows = await endedExecutions(n8n, workflow, executions);
	const runs = new Map<string, number>();
	for (const { id } of rows) {
		const items = ((await outputsOf(n8n, id, 'Trigger')) ?? []).flat();
		for (const { operation_id } of items) runs.set(operation_id, (runs.get(operation_id) ?? 0) + 1);
	}
	return runs;
}

/** Index of the worker that ran an execution, according to the logs; -1 if none did. */
export function workerOf({ workers }: QueueMode, executionId: string): number {
	return workers.findIndex((worker) =>
		worker.log().includes(`Worker started execution ${executionId} (`),
	);
}
