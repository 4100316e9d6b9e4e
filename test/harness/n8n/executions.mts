import { parse } from 'flatted';
import type { IRunExecutionData, ITaskData } from 'n8n-workflow';

import type { N8nAccess } from './n8n.mts';

export type StoredExecution = Awaited<ReturnType<typeof readExecution>>;

/** An execution as n8n has stored it. */
export async function readExecution({ rest }: N8nAccess, id: string) {
	const { data, status } = (await rest('GET', `/rest/executions/${id}`)) as {
		data: string;
		status: string;
	};
	const { error, runData } = (parse(data) as IRunExecutionData).resultData;
	const latest = (node: string) => runData[node]?.at(-1);
	return {
		status,
		/** What ended it; its texts are empty when it ended well. */
		failure: { message: error?.message ?? '', description: error?.description ?? '' },
		/** Of a node, in its latest run, the items per output; undefined when it did not run. */
		outputs: (node: string) => latest(node)?.data?.main?.map(jsonOf),
		/** Of a node, in its latest run, why it failed; empty when it did not. */
		error: (node: string) => latest(node)?.error?.message ?? '',
		/** Of a node, in its latest run, what the editor shows next to the items. */
		hints: (node: string) => (latest(node)?.hints ?? []).map(({ message }) => message),
		/** Of a node, what each of its runs gave on its first output. */
		runs: (node: string) =>
			(runData[node] ?? []).map(({ data: given }: ITaskData) => jsonOf(given?.main?.[0])),
	};
}

const jsonOf = (items: Array<{ json: Record<string, any> }> | null | undefined) =>
	(items ?? []).map(({ json }) => json);

/** What *Retry* in the list of executions does. */
export async function retryExecution(
	{ rest }: N8nAccess,
	id: string,
	workflow: 'original' | 'currently saved' = 'original',
): Promise<void> {
	await rest('POST', `/rest/executions/${id}/retry`, {
		loadWorkflow: workflow === 'currently saved',
	});
}
