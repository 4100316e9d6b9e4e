import type {
	Call,
	Command,
	Fault,
	Happenings,
	History,
	KeyKind,
	Moment,
	Setup,
} from './history.mts';

/** A number from 0 to 1, the same ones for the same seed (mulberry32). */
export function chanceOf(seed: number): () => number {
	let state = (seed * 0x9e3779b1) >>> 0;
	return () => {
		state = (state + 0x6d2b79f5) >>> 0;
		let mixed = Math.imul(state ^ (state >>> 15), state | 1);
		mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
	};
}

/** Makes histories by chance. What leads into trouble is likelier than in life, and no order of commands is given. */
export function generate(chance: () => number): History {
	const make = new Generator(chance);
	return make.history();
}

class Generator {
	constructor(private readonly chance: () => number) {}

	history(): History {
		const agent = this.maybe(0.2);
		const windowHours = this.oneOf([undefined, undefined, 0.5, 24, 168]);
		const promisedHours = this.oneOf(
			[0.5, 24, 168].filter((hours) => hours <= (windowHours ?? Infinity)),
		);
		const setups = this.times(this.maybe(0.3) ? 2 : 1, () => this.setup(agent));
		const count = 3 + this.below(10);
		return {
			world: {
				nodes: setups,
				promisedHours,
				...(agent && { agent }),
				...(windowHours !== undefined && { windowHours }),
				...(this.maybe(0.3) && { conflicts: true }),
				...(this.maybe(0.2) && { keepsRejections: true }),
				...(this.maybe(0.3) && { savesProgress: true }),
				...(this.maybe(0.15) && { isCalled: true }),
			},
			commands: [this.start(agent), ...this.times(count - 1, () => this.command(agent))],
		};
	}

	private setup(agent: boolean): Setup {
		const kind = this.oneOf<Setup['kind']>([
			undefined,
			undefined,
			undefined,
			undefined,
			undefined,
			'request',
			'request',
			'freeze',
			'unfreeze',
			agent ? undefined : 'sweep',
		]);
		const key = this.key(agent);
		const guards = this.maybe(0.25) ? this.guard() : {};
		return {
			...(kind && { kind }),
			...(key && { key }),
			...(this.maybe(0.1) && { fromClock: true }),
			...(this.maybe(0.2) && !agent && { continueOnFail: true }),
			...(this.maybe(0.2) && !agent && { tries: 2 }),
			...(this.maybe(0.3) && { attempts: 2 }),
			...(this.maybe(0.04) && { dryRun: true }),
			...guards,
			// Without it, an agent may not move money.
			...(agent && { maximumAmount: 2 }),
		};
	}

	private key(agent: boolean): KeyKind | undefined {
		if (agent) return this.oneOf([undefined, undefined, 'agent']);
		return this.oneOf<KeyKind | undefined>([
			undefined,
			undefined,
			undefined,
			undefined,
			'payment',
			'payment',
			'day',
			'execution',
			'round',
			'node',
		]);
	}

	private guard(): Setup {
		return this.oneOf<Setup>([
			{ maximumAmount: 1 },
			{ maximumAmount: 2 },
			{ maximumTotal: 1 + this.below(5) },
			{ maximumTransfers: 1 + this.below(2) },
			{ onlyInEnvironment: 'sandbox' },
			{ onlyInEnvironment: 'production' },
		]);
	}

	private command(agent: boolean): Command {
		const kind = this.below(100);
		if (kind < 18) return this.start(agent);
		if (kind < 60) {
			return {
				do: 'retry',
				...(this.maybe(0.4) && { of: this.below(4) }),
				...(this.maybe(0.5) && { saved: true }),
				...(this.maybe(0.12) && { twice: true }),
				...(agent && this.maybe(0.5) && { agentFails: true }),
				...this.happenings(0.45),
			};
		}
		if (kind < 76) return { do: 'edit', node: this.below(2), change: this.change(agent) };
		if (kind < 82) return { do: 'credential', target: this.below(4) };
		if (kind < 94) return { do: 'wait', minutes: this.oneOf([20, 60, 1_200, 1_440, 10_080]) };
		if (kind < 97 || !agent) return { do: 'restart' };
		return { do: 'mcp', call: this.call(), ...this.happenings(0.3) };
	}

	private start(agent: boolean): Command {
		const what = agent
			? {
					calls: this.times(1 + this.below(4), () => this.call()),
					...(this.maybe(0.2) && { together: true }),
					...(this.maybe(0.5) && { agentFails: true }),
				}
			: {
					items: 1 + this.below(this.maybe(0.2) ? 6 : 3),
					...(this.maybe(0.3) && { rounds: 2 + this.below(2) }),
					...(this.maybe(0.3) && { oneWallet: true }),
				};
		return {
			do: 'start',
			...what,
			...(this.maybe(0.3) && { again: true }),
			...this.happenings(0.75),
		};
	}

	private change(agent: boolean): Extract<Command, { do: 'edit' }>['change'] {
		const kind = this.chance() * 11;
		if (kind < 3) return this.guard();
		if (kind < 5) return { key: this.key(agent) ?? null };
		if (kind < 6) return { keyVersion: 1 + this.below(2) };
		if (kind < 7) return { valueVersion: this.below(3) };
		if (kind < 8) return { copied: 1 + this.below(2) };
		if (kind < 9.5) return { dryRun: this.oneOf([true, null]) };
		if (agent) return {};
		return this.maybe(0.5)
			? { continueOnFail: this.oneOf([true, null]) }
			: { tries: this.oneOf([null, 2, 3]) };
	}

	private call(): Call {
		return {
			tool: this.below(2),
			to: this.below(2),
			amount: 1 + this.below(3),
			key: this.below(3),
		};
	}

	private happenings(probability: number): Happenings {
		if (!this.maybe(probability)) return {};
		const kind = this.below(20);
		const faults = this.times(1 + this.below(2), () => this.fault());
		if (kind < 9) return { faults };
		if (kind < 13) return { crash: this.moment() };
		if (kind < 14) return { faults, crash: this.moment() };
		if (kind < 15) return { stop: this.moment() };
		if (kind < 16) return { noCredential: true };
		if (kind < 17) return { edited: { at: this.below(6), target: this.below(4) } };
		if (kind < 18) return { breaksAt: this.below(3) };
		const hangs = this.maybe(0.3) ? { hangs: true } : {};
		const notes = [{ ...this.moment(), at: this.below(3), times: 1 + this.below(2), ...hangs }];
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
			'500',
			'503',
			'404',
			'404',
			'429',
			'refused',
			'302',
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

	private oneOf<Value>(values: Value[]): Value {
		return values[this.below(values.length)]!;
	}

	private times<Value>(count: number, make: () => Value): Value[] {
		return Array.from({ length: count }, make);
	}
}
