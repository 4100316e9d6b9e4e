import type { createProcessState, run as runAction } from '../../nodes/CardTreasury/n8n/run.ts';
import type { Execution, Plan, Status } from './execution.mts';
import { fakeN8n, type NodeRun } from './fakeN8n.mts';
import type { Happenings } from './history.mts';
import { hostOf, type Surroundings } from './host.mts';
import type { Incidents } from './incidents.mts';

/** n8n's waiting time of Retry On Fail. */
const BETWEEN_TRIES_MS = 1_000;

/** The action node. */
export type Action = typeof runAction;

export interface Around extends Surroundings {
	action: Action;
	/** Whether n8n stores an execution after each node. */
	savesProgress: boolean;
	state: ReturnType<typeof createProcessState>;
}

/** Runs an execution to its end, and stores what has become of it. */
export async function run(
	around: Around,
	execution: Execution,
	command: Happenings & { agentFails?: boolean },
	incidents: Incidents,
): Promise<void> {
	const { data, plan, parent } = execution;
	if (!incidents.areTheServices) execution.hasTrouble = true;
	const status = plan.isAgent
		? await runAgent(around, execution, command, incidents)
		: await runNodes(around, execution, command, incidents);
	// Killed before it is stored, n8n has nothing of this.
	await incidents.call(() => {}, true);
	execution.status = status;
	// An agent begins anew in a retry, and makes its calls again.
	if (plan.isAgent) data.step = 0;
	execution.stored = JSON.stringify(data);
	if (status === 'success' && parent) parent.retried = true;
	if (incidents.areNone) around.checks.ends(execution, around.time.date());
}

async function runNodes(
	around: Around,
	execution: Execution,
	{ breaksAt }: Happenings,
	incidents: Incidents,
): Promise<Status> {
	const { data, plan } = execution;
	for (; data.step < plan.steps.length; data.step++) {
		if (breaksAt === data.step && !data.broken) {
			data.broken = true;
			return 'failed';
		}
		const wentWell = await runNode(around, execution, plan.steps[data.step]!, incidents);
		if (incidents.stop.signal.aborted) return 'stopped';
		if (!wentWell) return 'failed';
		if (around.savesProgress) execution.stored = JSON.stringify({ ...data, step: data.step + 1 });
	}
	return 'success';
}

async function runAgent(
	around: Around,
	execution: Execution,
	{ agentFails }: { agentFails?: boolean },
	incidents: Incidents,
): Promise<Status> {
	const { steps, together } = execution.plan;
	const call = async (step: Plan['steps'][number]) => {
		if (incidents.stop.signal.aborted) return;
		// What a tool throws is told to the agent.
		await runNode(around, execution, step, incidents);
		if (around.savesProgress) execution.stored = JSON.stringify({ ...execution.data, step: 0 });
	};
	if (together) await Promise.all(steps.map(call));
	else for (const step of steps) await call(step);
	if (incidents.stop.signal.aborted) return 'stopped';
	return agentFails ? 'failed' : 'success';
}

/** One node with its items, run again by Retry On Fail. @returns whether the execution goes on */
export async function runNode(
	around: Around,
	execution: Execution,
	{ node, items }: Plan['steps'][number],
	incidents: Incidents,
): Promise<boolean> {
	const { data, workflow, id, plan, parent } = execution;
	const index = node % workflow.length;
	const setup = workflow[index] ?? {};
	const isTool = plan.isAgent;
	const nodeName = `${isTool ? 'Tool' : 'Node'} ${'AB'[index]}`;
	const runIndex = data.counts[nodeName] ?? 0;
	// An agent's calls may be under way at the same time, each with a number of its own.
	data.counts[nodeName] = isTool ? runIndex + 1 : runIndex;
	const executionId = id.startsWith('mcp') ? undefined : id;
	const started = data.parentExecutionId === undefined ? 'trigger' : 'integrated';
	const mode: NodeRun['mode'] = parent ? 'retry' : started;
	const tries = isTool ? 1 : (setup.tries ?? 1);
	for (let attempt = 1; ; attempt++) {
		const given = { executionId, data, mode, nodeName, setup, isTool, items, runIndex };
		const record = around.checks.begin(execution, given, around.target, around.time.date());
		const n8n = fakeN8n(given, hostOf(around, record, incidents));
		const result = await around.action(n8n, around.state).then(
			(output) => ({ items: output }),
			(error: Error & { description?: string | null }) => ({ error }),
		);
		// Whoever was killed tells nothing.
		await incidents.call(() => {}, true);
		const isStopped = incidents.stop.signal.aborted;
		around.checks.tells(record, result, around.time.date(), isStopped);
		// Retry On Fail looks at the first item too.
		const isDone = 'items' in result && !result.items[0]?.json.error;
		if (!isDone && !isStopped && attempt < tries) {
			await incidents.sleep(BETWEEN_TRIES_MS);
			continue;
		}
		if (!('items' in result)) return setup.continueOnFail === true;
		if (!isTool) data.counts[nodeName] = runIndex + 1;
		return true;
	}
}

/**
 * n8n has its data as they were when it began. From its log it knows which nodes had finished, unless they had run data
 * before (n8n 2.41).
 */
export function crash(execution: Execution): void {
	execution.status = 'crashed';
	const data = JSON.parse(execution.stored) as Execution['data'];
	for (const [name, count] of Object.entries(execution.data.counts)) {
		if (count > 0) data.counts[name] ??= 1;
	}
	execution.stored = JSON.stringify(data);
}
