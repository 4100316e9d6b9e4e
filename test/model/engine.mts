import type { createProcessState, run as runAction } from '../../nodes/CardTreasury/n8n/run.ts';
import { fakeN8n, type ExecutionData, type NodeRun } from './fakeN8n.mts';
import type { Happenings, Setup } from './history.mts';
import { hostOf, type Outside } from './host.mts';
import type { Incidents } from './incidents.mts';
import type { Item } from './parameters.mts';

/** n8n's waiting time of Retry On Fail. */
const BETWEEN_TRIES_MS = 1_000;

/** The action node. */
export type Action = typeof runAction;

export interface Around extends Outside {
	action: Action;
	state: ReturnType<typeof createProcessState>;
	/** n8n stores an execution after each node. */
	savesProgress: boolean;
	/** After a crash, rows come in another order. */
	shifts: boolean;
	/** Names the next run of an upstream node. */
	makeAnew(): string;
}

/** What an execution was started with. */
export interface Plan {
	steps: Array<{ node: number; items: Item[] }>;
	isAgent: boolean;
	/** The agent makes its calls at once. */
	atOnce: boolean;
}

/** One execution in n8n's list. */
export class Execution {
	status: 'running' | 'success' | 'failed' | 'crashed' | 'stopped' = 'running';
	/** n8n's stored copy of its data: what a retry begins with. */
	stored: string;
	/** n8n offers no retry any more once one was successful. */
	retried = false;
	/** First execution, whose work this continues. */
	readonly root: Execution;

	constructor(
		readonly id: string,
		readonly data: ExecutionData,
		readonly plan: Plan,
		/** The workflow that it runs. */
		readonly workflow: Setup[],
		readonly mode: NodeRun['mode'],
		readonly parent?: Execution,
	) {
		this.root = parent?.root ?? this;
		// n8n stores the call of a sub-workflow before it has a context (2.41).
		const isCall = parent === undefined && data.source !== undefined;
		this.stored = JSON.stringify(isCall ? { ...data, establishedAt: 0, source: undefined } : data);
	}

	get isRetriable(): boolean {
		return (this.status === 'failed' || this.status === 'crashed') && !this.retried;
	}
}

/** Runs an execution to its end, and stores what has become of it. */
export async function run(
	around: Around,
	execution: Execution,
	happenings: Happenings,
	incidents: Incidents,
): Promise<void> {
	const { data, plan, parent } = execution;
	data.made ??= around.makeAnew();
	const status = plan.isAgent
		? await runAgent(around, execution, happenings, incidents)
		: await runNodes(around, execution, happenings, incidents);
	// Killed before it is stored, n8n has nothing of this.
	await incidents.call(() => {}, true);
	execution.status = status;
	// An agent begins anew in a retry, and makes its calls again.
	if (plan.isAgent) data.step = 0;
	execution.stored = JSON.stringify(data);
	if (status === 'success' && parent) parent.retried = true;
	around.checks.log(`#${execution.id} ${status}`);
}

async function runNodes(
	around: Around,
	execution: Execution,
	{ breaksAt }: Happenings,
	incidents: Incidents,
): Promise<Execution['status']> {
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
	{ agentFails }: Happenings,
	incidents: Incidents,
): Promise<Execution['status']> {
	const { steps, atOnce } = execution.plan;
	const call = async (step: Plan['steps'][number]) => {
		if (incidents.stop.signal.aborted) return;
		// What a tool throws is told to the agent.
		await runNode(around, execution, step, incidents);
		if (around.savesProgress) execution.stored = JSON.stringify({ ...execution.data, step: 0 });
	};
	if (atOnce) await Promise.all(steps.map(call));
	else for (const step of steps) await call(step);
	if (incidents.stop.signal.aborted) return 'stopped';
	return agentFails ? 'failed' : 'success';
}

/** One node with its items, run again by Retry On Fail. @returns whether the execution goes on */
export async function runNode(
	around: Around,
	execution: Execution,
	{ node, items: given }: Plan['steps'][number],
	incidents: Incidents,
): Promise<boolean> {
	const { data, workflow, id, plan, mode } = execution;
	const index = node % workflow.length;
	const setup = workflow[index] ?? {};
	const isTool = plan.isAgent;
	const nodeName = `${isTool ? 'Tool' : 'Node'} ${'AB'[index]}`;
	const runIndex = data.counts[nodeName] ?? 0;
	// An agent's calls may be under way at the same time, each with a number of its own.
	data.counts[nodeName] = isTool ? runIndex + 1 : runIndex;
	const isRestarted = data.made !== execution.root.data.made;
	const items = around.shifts && isRestarted ? given.toReversed() : given;
	const executionId = id.startsWith('mcp') ? undefined : id;
	const tries = isTool ? 1 : (setup.tries ?? 1);
	for (let attempt = 1; ; attempt++) {
		const run = { executionId, data, mode, nodeName, setup, isTool, items, runIndex };
		const record = around.checks.begin(execution, run, attempt, incidents.isDisturbed);
		const n8n = fakeN8n(run, hostOf(around, record, incidents));
		const result = await around.action(n8n, around.state).then(
			(output) => ({ items: output }),
			(error: Error & { description?: string | null }) => ({ error }),
		);
		// Whoever was killed tells nothing.
		await incidents.call(() => {}, true);
		const isStopped = incidents.stop.signal.aborted;
		around.checks.tells(record, result, isStopped);
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
 * n8n has its data as they were when it began. From its log it knows which nodes had finished, and gives each one run, unless
 * they had run data before (n8n 2.41): their rounds count on.
 */
export function crash(execution: Execution): void {
	execution.status = 'crashed';
	const data = JSON.parse(execution.stored) as ExecutionData;
	for (const [name, count] of Object.entries(execution.data.counts)) {
		if (count > 0) data.counts[name] ??= 1;
	}
	execution.stored = JSON.stringify(data);
}
