import { openDatabase } from '../database/database.mts';
import { eventually, executions } from '../n8n/executions.mts';
import type { N8nAccess, RunningN8n } from '../n8n/n8n.mts';
import type { TriggerWorkflow } from '../n8n/workflows.mts';

type Workflow = Pick<TriggerWorkflow, 'id'>;

const waitsNow = async (n8n: N8nAccess, workflow: Workflow) =>
	(await executions(n8n, workflow)).some(({ status }) => status === 'waiting');

export async function waits(n8n: N8nAccess, workflow: Workflow): Promise<void> {
	await eventually(async () => await waitsNow(n8n, workflow));
}

/**
 * Waits until an execution of the workflow waits, and lets the time pass until its limit. n8n then continues it.
 * @throws if it waits without a limit
 */
export async function runOut(n8n: RunningN8n, workflow: Workflow): Promise<void> {
	await waits(n8n, workflow);
	const database = await openDatabase(n8n.userFolder);
	try {
		const due = await database.query(
			`UPDATE execution_entity SET waitTill = strftime('%Y-%m-%d %H:%M:%f', 'now')
			WHERE workflowId = ? AND status = 'waiting' AND waitTill < datetime('now', '1 month') RETURNING id`,
			workflow.id,
		);
		if (due.length === 0) throw new Error('No execution waits with a limit');
	} finally {
		await database.close();
	}
}

/** Presses a button of a waiting execution, again if nothing happens, as a person would. */
export async function decide(
	n8n: N8nAccess,
	workflow: Workflow,
	press: () => Promise<void>,
): Promise<void> {
	await eventually(async () => {
		await press();
		return await eventually(async () => !(await waitsNow(n8n, workflow)), 5_000).catch(() => false);
	});
}

/** Opens a link as a person's browser, because n8n ignores robots that open links to preview them. */
export async function visit(url: string): Promise<void> {
	const browser = 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0';
	const answer = await fetch(url, { headers: { 'user-agent': browser } });
	await answer.text();
}
