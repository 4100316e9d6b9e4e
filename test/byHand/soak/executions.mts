import { setTimeout as wait } from 'node:timers/promises';
import { parse } from 'flatted';
import lodash from 'lodash';
import type { IDataObject, INodeExecutionData, IRunExecutionData } from 'n8n-workflow';

import type { Database } from '../../harness/database/database.mts';
import type { Target } from './target.mts';

const OPEN = `status IN ('new', 'running', 'waiting')`;

export interface StoredExecution {
	id: string;
	status: string;
	mode: string;
	/** Delivery key that identifies duplicates; empty if n8n has lost the input of the execution. */
	key: string;
	/** True if the event passed the trigger and the execution completed. */
	passed: boolean;
	/** Message of the error that ended it. */
	error?: string;
}

/** Reads the executions of a workflow from n8n's database, oldest first; all of them, or those that have not ended. */
export async function readExecutions(
	target: Target,
	workflowId: string,
	openOnly = false,
): Promise<StoredExecution[]> {
	const sql = `SELECT e.id, e.status, e.mode, d.data FROM execution_entity e LEFT JOIN execution_data d ON d."executionId" = e.id
		WHERE e."workflowId" = ? AND e.id > ?${openOnly ? ` AND ${OPEN}` : ''} ORDER BY e.id LIMIT 500`;
	return await withDatabase(target, async (database) => {
		const rows: StoredExecution[] = [];
		for (let after = 0; ; after = Number(rows.at(-1)!.id)) {
			const page = await database.query(sql, workflowId, after);
			if (page.length === 0) return rows;
			rows.push(...page.map(readRow));
		}
	});
}

/** Other data that n8n stores and that must not grow without limit. */
export interface StoredState {
	/** Delivery keys in n8n's memory of the trigger. */
	keys: number;
	staticData: number;
}

export async function readStoredState(target: Target, workflowId: string): Promise<StoredState> {
	return await withDatabase(target, async ({ query }) => {
		const memory = await query(
			'SELECT value FROM processed_data WHERE "workflowId" = ?',
			workflowId,
		);
		const [workflow] = await query(
			'SELECT "staticData" AS state FROM workflow_entity WHERE id = ?',
			workflowId,
		);
		const state = workflow?.state ?? '';
		return {
			keys: lodash.sumBy(
				memory,
				({ value }) => (JSON.parse(String(value)) as { data: string[] }).data.length,
			),
			staticData: (typeof state === 'string' ? state : JSON.stringify(state)).length,
		};
	});
}

async function withDatabase<Result>(
	target: Target,
	work: (database: Database) => Promise<Result>,
): Promise<Result> {
	const database = await target.openDatabase();
	try {
		return await work(database);
	} finally {
		await database.close();
	}
}

/**
 * Waits until all executions have ended, except for `but` of them.
 * @returns the number still open after nothing changed for as long as n8n needs to detect a cut-off execution
 */
export async function whenEnded(target: Target, workflowId: string, but = 0): Promise<number> {
	return await withDatabase(target, async (database) => {
		const open = `SELECT COUNT(*) AS open FROM execution_entity WHERE "workflowId" = ? AND ${OPEN}`;
		let [count, since] = [-1, performance.now()];
		while ((count < 0 || count > but) && performance.now() - since < target.noticesWithinMs) {
			const now = Number((await database.query(open, workflowId))[0]!.open);
			if (now !== count) [count, since] = [now, performance.now()];
			await wait(500);
		}
		return count;
	});
}

function readRow({ id, status, mode, data }: Record<string, unknown>): StoredExecution {
	const stored = parseData(data);
	// A retry follows the run that n8n recorded for a cut-off trigger, which has no delivery.
	const runs = stored?.resultData.runData.Trigger ?? [];
	const emitted = runs
		.flatMap(({ data: given }) => given?.main ?? [])
		.flatMap((items) => items ?? []);
	const started = runs.flatMap(({ inputOverride }) => inputOverride?.main?.[0] ?? []);
	const input = stored?.executionData?.nodeExecutionStack[0]?.data.main?.[0] ?? [];
	const [item] = [emitted, started, input].flatMap(withDelivery);
	return {
		id: String(id),
		status: String(status),
		mode: String(mode),
		key: keyOf(item) ?? '',
		passed: status === 'success' && withDelivery(emitted).length > 0,
		error: stored?.resultData.error?.message,
	};
}

function parseData(data: unknown): IRunExecutionData | undefined {
	return typeof data === 'string' && data !== '' ? (parse(data) as IRunExecutionData) : undefined;
}

const withDelivery = (items: INodeExecutionData[]) =>
	items.filter((item) => keyOf(item) !== undefined);

function keyOf(item: INodeExecutionData | undefined): string | undefined {
	const key = (item?.json.delivery as IDataObject | undefined)?.key;
	return typeof key === 'string' ? key : undefined;
}
