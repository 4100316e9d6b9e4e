import { parse } from 'flatted';
import type { IRunExecutionData, ITaskData } from 'n8n-workflow';

import type { N8nAccess } from './n8n.mts';

export type StoredExecution = Awaited<ReturnType<typeof readExecution>>;

/** Reads an execution from n8n's database. */
export async function readExecution({ rest }: N8nAccess, id: string) {
	const { data, status } = (await rest('GET', `/rest/executions/${id}`)) as {
		data: string;
		status: string;
	};
	const { error, runData } = (parse(data) as IRunExecutionData).resultData;
	const latest = (node: string) => runData[node]?.at(-1);
	return {
		status,
		/** Error that ended it; empty texts after a success. */
		failure: { message: error?.message ?? '', description: error?.description ?? '' },
		/** Items per output of a node's latest run; undefined if it did not run. */
		outputs: (node: string) => latest(node)?.data?.main?.map(jsonOf),
		/** Error of a node's latest run; empty after a success. */
		error: (node: string) => latest(node)?.error?.message ?? '',
		/** Hints of a node's latest run, which the editor shows next to the items. */
		hints: (node: string) => (latest(node)?.hints ?? []).map(({ message }) => message),
		/** Items on the first output of each run of a node. */
		runs: (node: string) =>
			(runData[node] ?? []).map(({ data: given }: ITaskData) => jsonOf(given?.main?.[0])),
	};
}

const jsonOf = (items: Array<{ json: Record<string, any> }> | null | undefined) =>
	(items ?? []).map(({ json }) => json);

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
