import { parse } from 'flatted';
import type { IRunExecutionData } from 'n8n-workflow';

import { openDatabase, type Database } from '../e2e/database.mts';

/** What n8n has stored of one execution of the trigger's workflow. */
export interface StoredExecution {
	id: string;
	status: string;
	mode: string;
	/** What the trigger recognises duplicates by. */
	key: string;
	/** Whether the event went on behind the trigger. */
	passed: boolean;
}

/** Reads every execution of a workflow from n8n's database, oldest first. */
export async function readExecutions(userFolder: string, workflowId: string): Promise<StoredExecution[]> {
	const database = await openDatabase(userFolder);
	try {
		const rows: StoredExecution[] = [];
		for (let after = 0; ; after = Number(rows.at(-1)!.id)) {
			const page = await pageOf(database, workflowId, after);
			if (page.length === 0) return rows;
			rows.push(...page.map(readRow));
		}
	} finally {
		await database.close();
	}
}

/** What n8n keeps beside executions, which must not grow without end. */
export interface StoredState {
	/** Delivery keys in n8n's memory of the trigger. */
	keys: number;
	/** Length of the workflow's static data as text. */
	staticData: number;
}

export async function readStoredState(userFolder: string, workflowId: string): Promise<StoredState> {
	const database = await openDatabase(userFolder);
	try {
		const memory = await database.query('SELECT value FROM processed_data WHERE workflowId = ?', workflowId);
		const [workflow] = await database.query('SELECT staticData FROM workflow_entity WHERE id = ?', workflowId);
		const keys = memory.map(({ value }) => (JSON.parse(String(value)) as { data: string[] }).data.length);
		return { keys: keys.reduce((sum, count) => sum + count, 0), staticData: String(workflow?.staticData ?? '').length };
	} finally {
		await database.close();
	}
}

async function pageOf(database: Database, workflowId: string, after: number) {
	return await database.query(
		`SELECT e.id, e.status, e.mode, d.data FROM execution_entity e JOIN execution_data d ON d.executionId = e.id
		WHERE e.workflowId = ? AND e.id > ? ORDER BY e.id LIMIT 500`,
		workflowId,
		after,
	);
}

function readRow({ id, status, mode, data }: Record<string, unknown>): StoredExecution {
	const { resultData, executionData } = parse(String(data)) as IRunExecutionData;
	const outputs = resultData.runData.Trigger?.at(-1)?.data?.main ?? [];
	// An execution that was cut off in the trigger has nothing but what it was started with.
	const input = executionData?.nodeExecutionStack[0]?.data.main?.[0]?.[0];
	const emitted = outputs.flatMap((items) => items ?? [])[0];
	const started = resultData.runData.Trigger?.at(-1)?.inputOverride?.main?.[0]?.[0];
	const delivery = (emitted ?? input ?? started)?.json.delivery as { key?: string } | undefined;
	return {
		id: String(id),
		status: String(status),
		mode: String(mode),
		key: delivery?.key ?? '',
		passed: emitted !== undefined,
	};
}
