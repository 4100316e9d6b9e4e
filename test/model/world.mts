import { createProcessState, run as runAction } from '../../nodes/CardTreasury/n8n/run.ts';
import { Checks } from './checks.mts';
import { crash, run, runNode, type Action } from './engine.mts';
import type { RunRecord } from './evidence.mts';
import { Execution, planOf, planOfCalls, type Plan } from './execution.mts';
import type { Command, Happenings, Setup, WorldSettings } from './history.mts';
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
	/** What the node keeps for the process. */
	state = createProcessState(this.time.clockOf(this.process));
	private workflow: Setup[];
	/** Where the credential points to, as it is saved now. */
	target = TARGETS[0]!;
	private batch = 0;
	private calls = 0;

	constructor(
		private readonly settings: WorldSettings,
		readonly action: Action = runAction,
	) {
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
		const data = {
			contexts: {},
			establishedAt,
			// One execution calls it again and again.
			...(this.settings.isCalled && { parentExecutionId: 'parent', source: 'integrated' as const }),
			counts: {},
			step: 0,
			broken: false,
		};
		const execution = this.add(data, plan, this.workflow);
		await this.during(command, async (incidents) => await run(this, execution, command, incidents));
	}

	private async retry(command: Retry): Promise<void> {
		const offered = this.executions.filter(({ isRetriable }) => isRetriable).reverse();
		const parent = offered[(command.of ?? 0) % Math.max(1, offered.length)];
		if (parent === undefined) return;
		const workflow = command.saved ? this.workflow : parent.workflow;
		if (this.isWarnedOf(parent, workflow)) return;
		const retries = Array.from({ length: command.twice ? 2 : 1 }, () => {
			const data = JSON.parse(parent.stored) as Execution['data'];
			// n8n has lost it, and makes it anew.
			if (data.establishedAt === undefined)
				Object.assign(data, { establishedAt: this.time.date(), source: 'retry' });
			parent.retries += 1;
			return this.add(data, parent.plan, workflow, parent);
		});
		await this.during(command, async (incidents) => {
			await Promise.all(
				retries.map(async (execution) => await run(this, execution, command, incidents)),
			);
		});
	}

	/**
	 * n8n keeps the notes with the node, so that its copy has none: the docs say not to replace a node by its copy before
	 * such a retry.
	 */
	private isWarnedOf(parent: Execution, workflow: Setup[]): boolean {
		const copies = (nodes: Setup[]) => JSON.stringify(nodes.map(({ copied }) => copied ?? -1));
		const family = this.executions.filter(({ root }) => root === parent.root);
		const needsNotes =
			parent.retries > 0 ||
			family.some(({ status, retries }) => status === 'crashed' || retries > 1);
		return needsNotes && family.some((other) => copies(other.workflow) !== copies(workflow));
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
			await runNode(this, execution, { node, items: [item] }, incidents);
		});
	}

	get savesProgress(): boolean {
		return this.settings.savesProgress === true;
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
		if (incidents.defect !== undefined) throw incidents.defect;
		if (process.alive) return;
		for (const execution of this.executions) {
			if (execution.status === 'running') crash(execution);
		}
		this.restart();
	}
}
