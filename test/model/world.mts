import { createProcessState, run as runAction } from '../../nodes/CardTreasury/n8n/run.ts';
import { Checks } from './checks.mts';
import type { RunRecord } from './evidence.mts';
import { Execution, planOf, planOfCalls, type Plan } from './execution.mts';
import { fakeN8n } from './fakeN8n.mts';
import type { Command, Happenings, Setup, WorldSettings } from './history.mts';
import { hostOf } from './host.mts';
import { Incidents, Process } from './incidents.mts';
import { Ledger, TARGETS } from './ledger.mts';
import { Notes } from './notes.mts';
import { itemOfCall } from './parameters.mts';
import { VirtualTime } from './virtualTime.mts';

type Start = Extract<Command, { do: 'start' }>;
type Retry = Extract<Command, { do: 'retry' }>;
type Mcp = Extract<Command, { do: 'mcp' }>;

/** n8n, the service, and the people who use them: carries out one command after the other. */
export class World {
	readonly time = new VirtualTime();
	readonly ledger: Ledger<RunRecord>;
	readonly checks: Checks;
	readonly executions: Execution[] = [];
	readonly notes = new Notes();
	private process = new Process();
	private state = createProcessState(this.time.clockOf(this.process));
	private workflow: Setup[];
	/** Where the credential points to, as it is saved now. */
	target = TARGETS[0]!;
	private batch = 0;
	private calls = 0;

	constructor(private readonly settings: WorldSettings) {
		this.workflow = settings.nodes?.length ? settings.nodes : [{}];
		this.ledger = new Ledger(settings, () => this.time.date());
		this.checks = new Checks(this.ledger, this.promisedHours);
	}

	async carryOut(command: Command): Promise<void> {
		this.time.pass(1_000);
		switch (command.do) {
			case 'start':
				return await this.start(command);
			case 'retry':
				return await this.retry(command);
			case 'mcp':
				return await this.callByMcp(command);
			case 'edit':
				return this.edit(command);
			case 'credential':
				return this.setTarget(command.target ?? 0);
			case 'wait':
				return this.time.pass((command.minutes ?? 60) * 60_000);
			case 'restart':
				return this.restart();
		}
	}

	private async start(command: Start): Promise<void> {
		if (command.again !== true) this.batch += 1;
		const plan: Plan = this.settings.agent
			? planOfCalls(command.calls ?? [{}], itemOfCall, command.together === true)
			: planOf(this.workflow, {
					items: command.items ?? 1,
					rounds: command.rounds ?? 1,
					batch: this.batch,
					oneWallet: command.oneWallet === true,
				});
		const establishedAt = this.time.date();
		const data = { contexts: {}, establishedAt, counts: {}, step: 0, broken: false };
		const execution = this.add(data, plan, this.workflow);
		await this.during(command, async (incidents) => await this.run(execution, command, incidents));
	}

	private async retry(command: Retry): Promise<void> {
		const offered = this.executions.filter(({ isRetriable }) => isRetriable).reverse();
		const parent = offered[(command.of ?? 0) % Math.max(1, offered.length)];
		if (parent === undefined) return;
		const workflow = command.saved ? this.workflow : parent.workflow;
		const retries = Array.from({ length: command.twice ? 2 : 1 }, () => {
			const data = JSON.parse(parent.stored) as Execution['data'];
			parent.retries += 1;
			return this.add(data, parent.plan, workflow, parent);
		});
		await this.during(command, async (incidents) => {
			await Promise.all(
				retries.map(async (execution) => await this.run(execution, command, incidents)),
			);
		});
	}

	/** Behind the MCP Server Trigger there is no execution, and nothing is kept from one call to the next. */
	private async callByMcp(command: Mcp): Promise<void> {
		if (!this.settings.agent) return;
		const item = itemOfCall(command.call ?? {});
		const plan: Plan = { steps: [], isAgent: true, together: false };
		const data = { contexts: {}, establishedAt: 0, counts: {}, step: 0, broken: false };
		const execution = new Execution(`mcp-${++this.calls}`, data, plan, this.workflow);
		const node = (command.call?.tool ?? 0) % this.workflow.length;
		await this.during(command, async (incidents) => {
			await this.runNode(execution, { node, items: [item] }, incidents, false).catch(() => {});
		});
	}

	/** What the user has entered: never more than the service remembers. */
	get promisedHours(): number {
		const { promisedHours, windowHours } = this.settings;
		return promisedHours ?? Math.min(24, windowHours ?? 24);
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

	private restart(): void {
		this.process.kill();
		this.process = new Process();
		this.state = createProcessState(this.time.clockOf(this.process));
	}

	private add(data: Execution['data'], plan: Plan, workflow: Setup[], parent?: Execution) {
		const execution = new Execution(String(++this.calls), data, plan, workflow, parent);
		this.executions.push(execution);
		return execution;
	}

	/** Until the work is done, or the process is killed with everything that runs in it. */
	private async during(
		happenings: Happenings,
		work: (incidents: Incidents) => Promise<void>,
	): Promise<void> {
		const { process } = this;
		const incidents = new Incidents(happenings, process, this.time, (target) =>
			this.setTarget(target),
		);
		await this.time.until(Promise.race([work(incidents), process.died]));
		if (process.alive) return;
		for (const execution of this.executions) {
			if (execution.status === 'running') crash(execution);
		}
		this.restart();
	}

	private async run(
		execution: Execution,
		command: Start | Retry,
		incidents: Incidents,
	): Promise<void> {
		const { data, plan } = execution;
		if (plan.isAgent) await this.runAgent(execution, incidents);
		else await this.runNodes(execution, command, incidents);
		if (execution.status === 'running') {
			execution.status = command.agentFails && plan.isAgent ? 'failed' : 'success';
		}
		// n8n stores what has become of it; until then a crash loses that.
		await incidents.call(() => {}, true);
		if (plan.isAgent) data.step = 0;
		execution.stored = JSON.stringify(data);
		if (execution.status === 'success' && execution.parent) execution.parent.retried = true;
		if (!incidents.areTheServices) execution.hasTrouble = true;
		if (incidents.areNone) this.checks.ends(execution, this.time.date());
	}

	private async runNodes(
		execution: Execution,
		{ breaksAt }: Happenings,
		incidents: Incidents,
	): Promise<void> {
		const { data, plan } = execution;
		for (; data.step < plan.steps.length; data.step++) {
			if (breaksAt === data.step && !data.broken) {
				data.broken = true;
				execution.status = 'failed';
				return;
			}
			const wentWell = await this.runNode(execution, plan.steps[data.step]!, incidents, true);
			if (incidents.stop.signal.aborted) execution.status = 'stopped';
			else if (!wentWell) execution.status = 'failed';
			if (execution.status !== 'running') return;
		}
	}

	private async runAgent(execution: Execution, incidents: Incidents): Promise<void> {
		const { steps, together } = execution.plan;
		const call = async (step: Plan['steps'][number]) => {
			if (!incidents.stop.signal.aborted) await this.runNode(execution, step, incidents, false);
		};
		if (together) await Promise.all(steps.map(call));
		else for (const step of steps) await call(step);
		if (incidents.stop.signal.aborted) execution.status = 'stopped';
	}

	/** One node with its items, run again by Retry On Fail. @returns whether the execution goes on */
	private async runNode(
		execution: Execution,
		step: Plan['steps'][number],
		incidents: Incidents,
		mayRetry: boolean,
	): Promise<boolean> {
		const { data, workflow, id, plan, parent } = execution;
		const index = step.node % workflow.length;
		const setup = workflow[index] ?? {};
		const nodeName = `${plan.isAgent ? 'Tool' : 'Node'} ${'AB'[index]}`;
		const runIndex = data.counts[nodeName] ?? 0;
		// An agent's calls may be under way at the same time, each with a number of its own.
		if (plan.isAgent) data.counts[nodeName] = runIndex + 1;
		const tries = mayRetry ? (setup.tries ?? 1) : 1;
		let failed = true;
		for (let attempt = 0; attempt < tries; attempt++) {
			if (attempt > 0) await incidents.sleep(1_000);
			const executionId = id.startsWith('mcp') ? undefined : id;
			const isTool = plan.isAgent;
			const mode = parent ? ('retry' as const) : ('trigger' as const);
			const run = { executionId, data, mode, nodeName, setup, isTool, items: step.items, runIndex };
			const record = this.checks.begin(execution, run, this.target, this.time.date());
			const n8n = fakeN8n(run, hostOf(this, record, incidents));
			const told = await runAction(n8n, this.state).then(
				(items) => ({ items }),
				(error: Error & { description?: string | null }) => ({ error }),
			);
			// Whoever was killed tells nothing.
			await incidents.call(() => {}, true);
			this.checks.tells(record, told, incidents.stop.signal.aborted);
			failed = !('items' in told);
			const asksForMore = !('items' in told) || Boolean(told.items[0]?.json.error);
			if (!asksForMore || incidents.stop.signal.aborted) break;
		}
		if (!failed && !plan.isAgent) data.counts[nodeName] = runIndex + 1;
		return !failed || setup.continueOnFail === true;
	}
}

/** n8n has its data as they were when it began. From its log it knows which nodes had finished a round (n8n 2.41). */
function crash(execution: Execution): void {
	execution.status = 'crashed';
	const data = JSON.parse(execution.stored) as Execution['data'];
	for (const [name, count] of Object.entries(execution.data.counts)) {
		if (count > 0) data.counts[name] ??= 1;
	}
	execution.stored = JSON.stringify(data);
}
