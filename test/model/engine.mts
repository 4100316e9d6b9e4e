import type { createProcessState, run as runAction } from '../../nodes/CardTreasury/n8n/run.ts';
import { fakeN8n, type ExecutionData, type NodeRun } from './fakeN8n.mts';
import type { Happenings, Setup } from './history.mts';
import { hostOf } from './host.mts';
import type { Incidents, Process } from './incidents.mts';
import type { Item } from './parameters.mts';
import type { World } from './world.mts';

/** Wait of Retry On Fail, in milliseconds. */
const BETWEEN_TRIES_MS = 1_000;

/** Code of the action node. */
export interface Action {
	run: typeof runAction;
	createProcessState: typeof createProcessState;
}

/** Input of an execution. */
export interface Plan {
	/** `after`: milliseconds until the call, if the agent makes its calls at once. */
	steps: Array<{ node: number; items: Item[]; after?: number }>;
	isAgent: boolean;
	/** True if the agent makes its calls at the same time. */
	atOnce: boolean;
}

/** Execution in n8n's list. */
export class Execution {
	status: 'running' | 'success' | 'failed' | 'crashed' | 'stopped' = 'running';
	/** Data as stored by n8n, from which a retry starts. */
	stored: string;
	/** True after a successful retry. n8n then offers no other one. */
	retried = false;
	/** Process that runs it. */
	process?: Process;
	/** First execution of a chain of retries. */
	readonly root: Execution;

	constructor(
		readonly id: string,
		readonly data: ExecutionData,
		readonly plan: Plan,
		/** Workflow that it runs. */
		readonly workflow: Setup[],
		readonly mode: NodeRun['mode'],
		readonly parent?: Execution,
	) {
		this.root = parent?.root ?? this;
		// n8n 2.41 stores the execution of a sub-workflow before it sets `establishedAt` and `source`.
		const isCall = parent === undefined && data.source !== undefined;
		this.stored = JSON.stringify(isCall ? { ...data, establishedAt: 0, source: undefined } : data);
	}

	get isRetriable(): boolean {
		return (this.status === 'failed' || this.status === 'crashed') && !this.retried;
	}
}

/** Runs an execution to its end and stores it. */
export async function run(
	world: World,
	execution: Execution,
	happenings: Happenings,
	incidents: Incidents,
): Promise<void> {
	const { data, plan, parent } = execution;
	data.made ??= world.makeAnew();
	execution.process = incidents.process;
	const status = plan.isAgent
		? await runAgent(world, execution, happenings, incidents)
		: await runNodes(world, execution, happenings, incidents);
	// A kill before this point loses the result.
	await incidents.call(() => {}, true);
	execution.status = status;
	// A retry starts the agent again, which repeats its calls.
	if (plan.isAgent) data.step = 0;
	execution.stored = JSON.stringify(data);
	if (status === 'success' && parent) parent.retried = true;
	world.checks.log(`#${execution.id} ${status}`);
}

async function runNodes(
	world: World,
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
		const wentWell = await runNode(world, execution, plan.steps[data.step]!, incidents);
		if (incidents.stop.signal.aborted) return 'stopped';
		if (!wentWell) return 'failed';
		if (world.settings.savesProgress)
			execution.stored = JSON.stringify({ ...data, step: data.step + 1 });
	}
	return 'success';
}

async function runAgent(
	world: World,
	execution: Execution,
	{ agentFails }: Happenings,
	incidents: Incidents,
): Promise<Execution['status']> {
	const { steps, atOnce } = execution.plan;
	const call = async (step: Plan['steps'][number]) => {
		if (incidents.stop.signal.aborted) return;
		// n8n reports a tool's error to the agent.
		await runNode(world, execution, step, incidents);
		if (world.settings.savesProgress)
			execution.stored = JSON.stringify({ ...execution.data, step: 0 });
	};
	const callLater = async (step: Plan['steps'][number]) => {
		if (step.after) await incidents.sleep(step.after);
		await call(step);
	};
	if (atOnce) await Promise.all(steps.map(callLater));
	else for (const step of steps) await call(step);
	if (incidents.stop.signal.aborted) return 'stopped';
	return agentFails ? 'failed' : 'success';
}

/**
 * Runs one node, repeated by Retry On Fail.
 * @returns true if the execution continues
 */
export async function runNode(
	world: World,
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
	// Concurrent calls of an agent have different run indexes.
	data.counts[nodeName] = isTool ? runIndex + 1 : runIndex;
	const isRestarted = data.made !== execution.root.data.made;
	const items = world.settings.shifts && isRestarted ? given.toReversed() : given;
	const executionId = id.startsWith('mcp') ? undefined : id;
	const tries = isTool ? 1 : (setup.tries ?? 1);
	for (let attempt = 1; ; attempt++) {
		if (setup.naming?.endsWith('veryTry')) data.attempt = world.makeAnew();
		const run = { executionId, data, mode, nodeName, setup, isTool, items, runIndex };
		const record = world.checks.begin(execution, run, attempt, incidents);
		const n8n = fakeN8n(run, hostOf(world, record, incidents));
		const result = await world.action.run(n8n, world.stateOf(incidents.process)).then(
			(output) => ({ items: output }),
			(error: Error & { description?: string | null }) => ({ error }),
		);
		// A killed process reports nothing.
		await incidents.call(() => {}, true);
		const isStopped = incidents.stop.signal.aborted;
		world.checks.tells(record, result, isStopped);
		// Retry On Fail also checks the first item for an error.
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
 * Marks an execution as crashed. n8n keeps only the data saved at the start of the execution. It adds an empty run for
 * each finished node, so a retry continues its run indexes (n8n 2.41).
 */
export function crash(execution: Execution): void {
	execution.status = 'crashed';
	const data = JSON.parse(execution.stored) as ExecutionData;
	for (const [name, count] of Object.entries(execution.data.counts)) {
		if (count > 0) data.counts[name] ??= 1;
	}
	execution.stored = JSON.stringify(data);
}
