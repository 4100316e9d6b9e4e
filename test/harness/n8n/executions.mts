import { setTimeout as wait } from 'node:timers/promises';
import { parse } from 'flatted';
import lodash from 'lodash';
import type { IRunExecutionData } from 'n8n-workflow';

import type { N8nAccess } from './n8n.mts';
import type { Workflow } from './workflows.mts';

export interface ExecutionRow {
	id: string;
	status: string;
	mode: string;
}

export const isOpen = ({ status }: Pick<ExecutionRow, 'status'>) =>
	['new', 'running', 'waiting'].includes(status);

/** Latest 100 executions of a workflow, or of all, oldest first. */
export async function executions(
	{ rest }: N8nAccess,
	workflow?: Pick<Workflow, 'id'>,
): Promise<ExecutionRow[]> {
	const filter = encodeURIComponent(JSON.stringify({ workflowId: workflow?.id }));
	const { results } = await rest('GET', `/rest/executions?filter=${filter}&limit=100`);
	return lodash.sortBy(results as ExecutionRow[], ({ id }) => Number(id));
}

export async function endedExecutions(
	n8n: N8nAccess,
	workflow: Pick<Workflow, 'id'>,
	count: number,
	withinMs?: number,
): Promise<ExecutionRow[]> {
	return await eventually(async () => {
		const rows = await executions(n8n, workflow);
		return rows.length >= count && !rows.some(isOpen) && rows;
	}, withinMs);
}

export type StoredExecution = Awaited<ReturnType<typeof readExecution>>;

export async function readExecution({ rest }: N8nAccess, id: string) {
	const { data, status } = await rest('GET', `/rest/executions/${id}`);
	const { error, runData } = (parse(data) as IRunExecutionData).resultData;
	return {
		id,
		status: status as string,
		/** Error that ended it; empty texts after a success. */
		failure: { message: error?.message ?? '', description: error?.description ?? '' },
		/** Items per output of a node's latest run; undefined if it did not run. */
		outputs: (node: string) => runData[node]?.at(-1)?.data?.main?.map(jsonOf),
	};
}

const jsonOf = (items: Array<{ json: Record<string, any> }> | null | undefined) =>
	(items ?? []).map(({ json }) => json);

/** Items per output of a node in an execution; undefined if the node did not run. */
export async function outputsOf(n8n: N8nAccess, id: string, node: string) {
	return (await readExecution(n8n, id)).outputs(node);
}

/** Returns the latest of `count` executions, once all have ended. */
export async function ended(
	n8n: N8nAccess,
	workflow: Pick<Workflow, 'id'>,
	count: number,
): Promise<StoredExecution> {
	const rows = await endedExecutions(n8n, workflow, count);
	return await readExecution(n8n, rows.at(-1)!.id);
}

/** Retries an execution, like *Retry* in the list of executions. */
export async function retryExecution(
	{ rest }: N8nAccess,
	id: string,
	workflow: 'original' | 'currently saved' = 'original',
): Promise<void> {
	await rest('POST', `/rest/executions/${id}/retry`, {
		loadWorkflow: workflow === 'currently saved',
	});
}

/** Calls `ask` every 100 ms until it returns a result. @throws errors of `ask`, or after `withinMs` */
export async function eventually<Answer>(
	ask: () => Promise<Answer | undefined | false>,
	withinMs = 60_000,
): Promise<Answer> {
	const end = Date.now() + withinMs;
	while (Date.now() < end) {
		const answer = await ask();
		if (answer) return answer;
		await wait(100);
	}
	throw new Error(`Not within ${withinMs} ms: ${String(ask)}`);
}
