import { PARTS } from '../../nodes/CardTreasury/batch/batch.ts';
import * as ACTION from '../../nodes/CardTreasury/n8n/run.ts';
import { Notes } from '../harness/notes.mts';
import { Checks } from './checks.mts';
import { crash, Execution, run, runNode, type Action, type Plan } from './engine.mts';
import type { ExecutionData } from './fakeN8n.mts';
import type { Command, Row, Run, Setup, WorldSettings } from './history.mts';
import { Incidents, Process } from './incidents.mts';
import { Ledger, TARGETS } from './ledger.mts';
import type { Item } from './parameters.mts';
import { VirtualTime } from './virtualTime.mts';

type Job = (incidents: Incidents) => Promise<void>;

/** n8n, the service and their users. Carries out one command at a time. */
export class World {
	readonly time = new VirtualTime();
	readonly ledger: Ledger;
	readonly notes: Notes;
	readonly checks: Checks;
	readonly executions: Execution[] = [];
	/** n8n processes, each with the state that the node keeps for it. */
	private processes: Array<{ process: Process; state: ACTION.ProcessState }>;
	private workflow: Setup[];
	/** Target of the credential as it is saved now. */
	target = TARGETS[0]!;
	private made = 0;
	private calls = 0;

	constructor(
		readonly settings: WorldSettings,
		readonly action: Action = ACTION,
	) {
		const { nodes, bound } = settings;
		this.processes = Array.from({ length: settings.twoProcesses ? 2 : 1 }, () => this.newProcess());
		this.workflow = nodes?.length ? nodes : [{}];
		this.notes = new Notes(bound);
		const now = () => this.time.date();
		this.ledger = new Ledger(settings, now, (entry) => this.checks.executes(entry));
		this.checks = new Checks(settings, this.ledger, this.notes, now);
	}

	private newProcess() {
		const process = new Process();
		const { partSize: size = PARTS.size, partsInFlight: unsettled = PARTS.unsettled } =
			this.settings;
		const clock = this.time.clockOf(process);
		return { process, state: this.action.createProcessState(clock, { size, unsettled }) };
	}

	stateOf(process: Process): ACTION.ProcessState {
		return this.processes.find((one) => one.process === process)!.state;
	}

	/** Returns a name for the next run of an upstream node. */
	makeAnew = (): string => String(++this.made);

	async carryOut(command: Command): Promise<void> {
		this.time.pass(1_000);
		this.checks.log(JSON.stringify(command));
		switch (command.do) {
			case 'start':
			case 'retry':
			case 'mcp':
				return await this.during([command]);
			case 'together':
				return await this.during(command.runs);
			case 'edit':
				return this.edit(command);
			case 'credential':
				return this.setTarget(command.target ?? 0);
			case 'wait':
				this.time.pass((command.minutes ?? 60) * 60_000);
				return this.ledger.catchUp();
			case 'restart':
				return this.restart();
		}
	}

	private jobOf(command: Run): Job | undefined {
		switch (command.do) {
			case 'start':
				return this.start(command);
			case 'retry':
				return this.retry(command);
			case 'mcp':
				return this.callByMcp(command);
		}
	}

	/** Start of another execution. No two begin in the same millisecond. */
	private startedAt(): number {
		return this.time.date() + this.executions.length;
	}

	private start(command: Extract<Run, { do: 'start' }>): Job | undefined {
		const { again, step = false } = command;
		const first = again === undefined ? undefined : this.executions.at(-1 - again);
		const plan = first?.plan ?? this.planOf(command);
		const data = newData(this.startedAt(), {
			...(this.settings.isCalled && !step && { source: 'integrated' as const }),
			// The editor has the data of the upstream nodes.
			...(step && first && { made: first.root.data.made }),
		});
		const called = this.settings.isCalled ? 'integrated' : 'trigger';
		const one = step ? { ...plan, steps: plan.steps.slice(-1) } : plan;
		const execution = this.add(data, one, this.workflow, step ? 'manual' : called);
		return async (incidents) => await run(this, execution, command, incidents);
	}

	private retry(command: Extract<Run, { do: 'retry' }>): Job | undefined {
		const offered = this.executions.filter(({ isRetriable }) => isRetriable).reverse();
		const parent = offered[(command.of ?? 0) % Math.max(1, offered.length)];
		if (parent === undefined) return undefined;
		const data = JSON.parse(parent.stored) as ExecutionData;
		// n8n has lost the start, and sets another one.
		if (data.establishedAt === 0)
			Object.assign(data, { establishedAt: this.startedAt(), source: 'retry' });
		const workflow = command.saved ? this.workflow : parent.workflow;
		const execution = this.add(data, parent.plan, workflow, 'retry', parent);
		return async (incidents) => await run(this, execution, command, incidents);
	}

	/** Calls a tool behind the MCP Server Trigger, without an execution. Nothing is stored between calls. */
	private callByMcp({ row = {} }: Extract<Run, { do: 'mcp' }>): Job | undefined {
		if (!this.settings.agent) return undefined;
		const plan: Plan = { steps: [], isAgent: true, atOnce: false };
		const data = newData(0, { made: this.makeAnew() });
		const execution = new Execution(`mcp-${++this.calls}`, data, plan, this.workflow, 'trigger');
		const step = { node: row.tool ?? 0, items: [itemOf(row, 0, 'call')] };
		return async (incidents) => void (await runNode(this, execution, step, incidents));
	}

	private planOf(command: Extract<Run, { do: 'start' }>): Plan {
		const { rows = [{}], rounds = 1, atOnce = false } = command;
		const isAgent = this.settings.agent === true;
		if (isAgent) {
			const steps = rows.map((row, at) => ({
				node: row.tool ?? 0,
				items: [itemOf(row, 0, String(at))],
				after: row.after,
			}));
			return { steps, isAgent, atOnce };
		}
		const steps = Array.from({ length: rounds }, (_, round) => ({
			node: 0,
			items: rows.map((row, index) =>
				itemOf({ ...row, row: (row.row ?? 0) + 4 * round }, index, `${round}.${index}`),
			),
		}));
		const [first] = steps;
		return {
			steps: this.workflow.length > 1 ? [...steps, { ...first!, node: 1 }] : steps,
			isAgent,
			atOnce,
		};
	}

	private edit({ node = 0, change }: Extract<Command, { do: 'edit' }>): void {
		this.workflow = this.workflow.map((setup, index) => {
			if (index !== node % this.workflow.length) return setup;
			const entries = Object.entries({ ...setup, ...change });
			return Object.fromEntries(entries.filter(([, value]) => value !== null)) as Setup;
		});
	}

	private setTarget(target: number): void {
		this.target = TARGETS[target % TARGETS.length]!;
	}

	/** Ends all processes and starts others. */
	private restart(): void {
		for (const { process } of this.processes) process.kill();
		this.processes = this.processes.map(() => this.newProcess());
	}

	private add(
		data: ExecutionData,
		plan: Plan,
		workflow: Setup[],
		mode: Execution['mode'],
		parent?: Execution,
	) {
		const execution = new Execution(String(++this.calls), data, plan, workflow, mode, parent);
		this.executions.push(execution);
		this.checks.log(`#${execution.id} ${parent ? `retries #${parent.id}` : mode}`);
		return execution;
	}

	/** Carries out runs until they end, or until their process is killed with all of its runs. */
	private async during(runs: Run[]): Promise<void> {
		const jobs = runs.flatMap((command) => {
			const job = this.jobOf(command);
			const { process } = this.processes[(command.process ?? 0) % this.processes.length]!;
			const edit = (target: number) => this.setTarget(target);
			return job ? [{ job, incidents: new Incidents(command, process, this.time, edit) }] : [];
		});
		const work = jobs.map(
			async ({ job, incidents }) =>
				await Promise.race([job(incidents), incidents.process.died.then(() => {})]),
		);
		await this.time.until(Promise.all(work));
		for (const { incidents } of jobs) if (incidents.defect !== undefined) throw incidents.defect;
		for (const [at, { process }] of this.processes.entries()) {
			if (process.alive) continue;
			for (const execution of this.executions) {
				if (execution.status === 'running' && execution.process === process) crash(execution);
			}
			this.checks.crashed(process);
			this.processes[at] = this.newProcess();
		}
	}
}

const newData = (establishedAt: number, more: Partial<ExecutionData>): ExecutionData => ({
	contexts: {},
	establishedAt,
	counts: {},
	step: 0,
	broken: false,
	...more,
});

const itemOf = (row: Row, index: number, name: string): Item => ({
	...row,
	name,
	index,
	row: row.row ?? 0,
	amount: row.amount ?? 1,
});
