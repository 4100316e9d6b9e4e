import { seededRandom } from '../simulator/seededRandom.mts';
import type {
	Command,
	DatabaseFault,
	Fault,
	Happenings,
	History,
	Moment,
	Row,
	Run,
	Setup,
	WorldSettings,
} from './history.mts';

/** Random numbers from 0 to 1, the same ones for the same seed. */
export const chanceOf = (seed: number) => seededRandom(seed * 0x9e3779b1);

/** Makes a random history. Trouble is likelier than in reality, and commands have no fixed order. */
export const generate = (chance: () => number): History => new Generator(chance).history();

class Generator {
	private isAgent = false;

	constructor(private readonly chance: () => number) {}

	history(): History {
		this.isAgent = this.maybe(0.18);
		const commands = [this.start(), ...this.times(2 + this.below(10), () => this.command())];
		return { world: this.world(), commands };
	}

	private world(): WorldSettings {
		const windowHours = this.oneOf([undefined, 0.5, 24, 168]);
		// Empty, equal to the service's window, shorter, and sometimes longer.
		const promisedHours = this.oneOf([
			undefined,
			windowHours ?? 24,
			windowHours ?? 24,
			0.5,
			this.maybe(0.2) ? 168 : 0.5,
		]);
		return {
			nodes: this.times(this.maybe(0.3) ? 2 : 1, () => this.setup()),
			...(promisedHours !== undefined && { promisedHours }),
			...(windowHours !== undefined && { windowHours }),
			...(this.isAgent && { agent: true }),
			...(this.maybe(0.3) && { keepsRejections: true }),
			...(this.maybe(0.25) && { savesProgress: true }),
			...(this.maybe(0.15) && !this.isAgent && { isCalled: true }),
			...(this.maybe(0.1) && !this.isAgent && { shifts: true }),
			...(this.maybe(0.08) && { bound: 6 + this.below(24) }),
			partSize: this.oneOf([1, 2, 5]),
			partsInFlight: 1 + this.below(3),
			...(this.maybe(0.5) && { keysPerApiKey: true }),
			...(this.maybe(0.1) && { twoProcesses: true }),
		};
	}

	private setup(): Setup {
		const kind = this.oneOf<Setup['kind']>([
			...(Array(7).fill(undefined) as undefined[]),
			'sweep',
			'request',
			'keyed request',
		]);
		const naming = this.naming();
		return {
			...(kind && { kind }),
			...(naming && { naming }),
			...(this.maybe(0.4) && !this.isAgent && { continueOnFail: true }),
			...(this.maybe(0.2) && !this.isAgent && { tries: 2 }),
			...(this.maybe(0.3) && { attempts: 2 }),
			...(this.maybe(0.04) && { dryRun: true }),
			...(this.maybe(0.2) && this.guard()),
		};
	}

	private naming(): Setup['naming'] {
		const naming = this.oneOf([undefined, undefined, 'shared', 'anew', 'everyTry', 'day'] as const);
		// The same reference names the same call of an agent.
		return this.isAgent && naming === 'everyTry' ? undefined : naming;
	}

	private guard(): Setup {
		return this.oneOf<Setup>([
			{ maximumAmount: 1 + this.below(2) },
			{ maximumTotal: 1 + this.below(5) },
			{ maximumTransfers: 1 + this.below(2) },
			{ onlyInEnvironment: this.oneOf(['sandbox', 'production']) },
		]);
	}

	private command(): Command {
		const kind = this.below(100);
		if (kind < 18) return this.start();
		if (kind < 54) return this.retry();
		if (kind < 62) return { do: 'together', runs: this.times(2 + this.below(2), () => this.run()) };
		if (kind < 78) return { do: 'edit', node: this.below(2), change: this.change() };
		if (kind < 82) return { do: 'credential', target: this.below(5) };
		if (kind < 92) return { do: 'wait', minutes: this.oneOf([5, 20, 60, 1_200, 1_440, 10_080]) };
		if (kind < 95 || !this.isAgent) return { do: 'restart' };
		return this.mcp();
	}

	private run(): Run {
		if (this.isAgent && this.maybe(0.2)) return this.mcp();
		return this.maybe(0.5) ? this.start() : this.retry();
	}

	private mcp(): Run {
		return { do: 'mcp', row: this.row(), ...this.happenings(0.3) };
	}

	private retry(): Run {
		return {
			do: 'retry',
			...(this.maybe(0.4) && { of: this.below(4) }),
			...(this.maybe(0.6) && { saved: true }),
			...(this.isAgent && this.maybe(0.5) && { agentFails: true }),
			...this.happenings(0.45),
		};
	}

	private start(): Run {
		const rows = this.times(1 + this.below(this.maybe(0.3) ? 7 : 3), () => this.row());
		// Rows of a run have different wallets, except for an occasional mistake.
		const isMistaken = this.maybe(0.1);
		for (const [at, row] of this.isAgent ? [] : rows.entries())
			Object.assign(row, isMistaken ? { amount: 10 * at + 1 } : { row: at });
		return {
			do: 'start',
			rows,
			...(this.maybe(0.25) && !this.isAgent && { rounds: 2 + this.below(2) }),
			...(this.maybe(0.4) && { again: this.below(3) }),
			...(this.maybe(0.15) && { step: true }),
			...(this.isAgent && this.maybe(0.25) && { atOnce: true }),
			...(this.isAgent && this.maybe(0.5) && { agentFails: true }),
			...this.happenings(0.7),
		};
	}

	private row(): Row {
		return {
			row: this.below(3),
			amount: 1 + this.below(2),
			...(this.maybe(0.06) && { bad: true }),
			...(this.isAgent && { tool: this.below(2), reference: this.below(3) }),
			...(this.isAgent && this.maybe(0.3) && { after: 100 * this.below(10) }),
		};
	}

	private change(): Extract<Command, { do: 'edit' }>['change'] {
		const kind = this.chance() * 12;
		const only = this.oneOf([null, null, 0, 1]);
		if (kind < 1.5) return this.guard();
		if (kind < 2.5) return { naming: this.naming() ?? null };
		if (kind < 4.5) return { referenceVersion: this.below(3), only };
		if (kind < 6.5) return { amountPlus: this.below(3), only };
		if (kind < 7.5) return { repaired: true, only };
		if (kind < 8.3) return { copied: 1 + this.below(2) };
		if (kind < 9.3) return { dryRun: this.oneOf([true, null, null]) };
		if (kind < 10) return { maximumTotal: null, maximumAmount: null, maximumTransfers: null };
		if (this.isAgent) return {};
		return this.maybe(0.5)
			? { continueOnFail: this.oneOf([true, null]) }
			: { tries: this.oneOf([null, 2, 3]) };
	}

	private happenings(probability: number): Happenings {
		return { ...(this.maybe(0.5) && { process: 1 }), ...this.trouble(probability) };
	}

	private trouble(probability: number): Happenings {
		if (!this.maybe(probability)) return {};
		const kind = this.below(20);
		const faults = this.times(1 + this.below(2), () => this.fault());
		if (kind < 9) return { faults };
		if (kind < 13) return { crash: this.moment() };
		if (kind < 14) return { faults, crash: this.moment() };
		if (kind < 15) return { stop: this.moment() };
		if (kind < 16) return { noCredential: true };
		if (kind < 17) return { edited: { at: this.below(6), target: this.below(5) } };
		if (kind < 18) return { breaksAt: this.below(3) };
		const silence = this.oneOf<DatabaseFault['silence']>([undefined, undefined, 'hangs', 'slow']);
		const notes = [
			{
				...this.moment(),
				at: this.below(3),
				times: 1 + this.below(2),
				...(silence && { silence }),
			},
		];
		return kind < 19 ? { notes, faults } : { notes, crash: this.moment() };
	}

	private moment(): Moment {
		return { at: this.below(this.maybe(0.8) ? 12 : 40), ...(this.maybe(0.5) && { after: true }) };
	}

	private fault(): Fault {
		const kind = this.oneOf<Fault['kind']>([
			'lost',
			'lost',
			'timeout',
			'late',
			'500',
			'503',
			'404',
			'404',
			'404',
			'429',
			'refused',
			'302',
			'FAILED',
		]);
		const times = this.oneOf([1, 1, 2, 2, 10]);
		return { kind, at: this.below(5), times, ...(this.maybe(0.5) && { after: true }) };
	}

	private below(count: number): number {
		return Math.floor(this.chance() * count);
	}

	private maybe(probability: number): boolean {
		return this.chance() < probability;
	}

	private oneOf<Value>(values: readonly Value[]): Value {
		return values[this.below(values.length)]!;
	}

	private times<Value>(count: number, make: () => Value): Value[] {
		return Array.from({ length: count }, make);
	}
}
