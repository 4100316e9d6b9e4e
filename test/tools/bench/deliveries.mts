import { executions } from '../../harness/n8n/scenario.mts';
import { sampleEvent } from '../../simulator/index.mts';
import type { Benchmark, RunOptions, Table } from './benchmark.mts';
import { BARE, CONTENDERS, loadOf, NODES, switchOn, TRIGGER } from './contenders.mts';
import { cardTreasuryTrigger, noOp, publishFlow, webhook, type Flow } from './flow.mts';
import { ENGINE_LABELS, ENGINES, withInstance, type Instance } from './instance.mts';
import { milliseconds, percent } from './ladder.mts';
import {
	eventsPerSecond,
	figuresOf,
	inTurns,
	measureThroughput,
	sampleRate,
	warmUp,
	type Figures,
	type Load,
	type Sample,
} from './measure.mts';

interface Turns {
	/** Deliveries per second. */
	rates: number[];
	/** Turns of each receiver at a rate, so that a slow moment of the machine does not hit one alone. */
	rounds: number;
	/** Of each turn: a backlog that a slow moment of the machine leaves ends with it. */
	seconds: number;
}

/** Without lazy acquire n8n has no processor time left at 10 per second, and everything takes long. */
const TURNS: Record<string, Turns> = {
	lazy: { rates: [20, 40], rounds: 16, seconds: 1 },
	default: { rates: [5, 20], rounds: 6, seconds: 1 },
};
/** At 20 events a second: n8n's code is compiled by use. */
const WARM_UP_SECONDS = 5;
/** Turns of each receiver under as much load as it takes, and how long each lasts. */
const FULL_LOAD = { rounds: 4, seconds: 3 } as const;

interface Delivered {
	contender: string;
	figures: Figures[];
	eventsPerSecond: number;
}

interface Kind {
	kind: string;
	contender: string;
	figures: Figures;
	executions: number;
}

interface Measured {
	delivered: Delivered[];
	kinds: Kind[];
}

/** Events that need no decision: acknowledged after n8n has stored them. */
export const deliveries: Benchmark<Measured> = {
	name: 'deliveries',
	title: 'Deliveries: events per second, and what each costs',
	parts: ENGINES,
	async measure(engine, options) {
		return await withInstance(engine, async (instance) => ({
			delivered: await deliveredEvents(instance, {
				fullLoadSeconds: options.seconds ?? FULL_LOAD.seconds,
				...TURNS[engine]!,
				...options,
			}),
			kinds: await kindsOfDeliveries(instance, { ...TURNS[engine]!, ...options }),
		}));
	},
	present: (measured) => ({
		inShort: ENGINES.flatMap((engine) =>
			measured[engine] ? [inShort(ENGINE_LABELS[engine]!, measured[engine])] : [],
		).join(' '),
		text: [
			`An event is acknowledged when n8n has stored its execution. Samples of all events but the authorization arrive in turn. Receivers take turns too, ${TURNS.lazy!.rounds} times ${TURNS.lazy!.seconds} s at each rate (${TURNS.default!.rounds} times without lazy acquire), a different one begins each round, and n8n is idle again before each turn. The same single node follows each trigger. The bare trigger is the least that a community node can do; n8n does some more for it when its workflow names a credential. *A full memory* is the trigger with as many delivery keys stored as it keeps. Where *CPU ms each* times *per second* comes near 1,000, n8n has no processor time left on this machine: a backlog grows, and a small difference in cost becomes a large one in latency. CPU is the processor time of n8n, from the first delivery until the last execution has ended. Events per second: 32 deliveries are kept under way for ${FULL_LOAD.seconds} seconds, ${FULL_LOAD.rounds} times in turn; counted until the last execution has ended.`,
			'Duplicates, events that are not chosen and forged ones (with a wrong key) should cost next to nothing: a sender repeats what it has sent when an answer is late, which is when n8n is busy. Without lazy acquire none can: n8n builds an expression engine for each request before it asks the trigger, and a second one where the trigger has to read its credential (once a second, and for most forged deliveries).',
		],
		tables: ENGINES.flatMap((engine) =>
			measured[engine] ? tables(ENGINE_LABELS[engine]!, measured[engine]) : [],
		),
	}),
};

async function deliveredEvents(
	instance: Instance,
	options: RunOptions & Turns & { fullLoadSeconds: number },
): Promise<Delivered[]> {
	const { say, seconds, rates, rounds, fullLoadSeconds } = options;
	const runners: Array<{ contender: string; load: Load; figures: Figures[] }> = [];
	for (const { label, publish } of CONTENDERS) {
		const load = loadOf(instance, label, await publish(instance));
		await warmUp(load, WARM_UP_SECONDS);
		runners.push({ contender: label, load, figures: [] });
	}
	for (const rate of rates) {
		const sampled = await inTurns(
			runners,
			rounds,
			async ({ load }) => await sampleRate(load, rate, seconds),
		);
		for (const [{ contender, figures }, samples] of sampled) {
			const at = figuresOf(rate, samples);
			figures.push(at);
			say(
				`  ${contender}, ${rate}/s: p50 ${at.p50}, p99 ${at.p99} ms, ${at.cpuMsPerEvent} ms CPU each`,
			);
		}
	}
	const fullLoad = await inTurns(
		runners,
		FULL_LOAD.rounds,
		async ({ load }) => await measureThroughput(load, fullLoadSeconds),
	);
	return [...fullLoad].map(([{ contender, figures }, turns]) => {
		const atMost = eventsPerSecond(turns);
		say(`  ${contender}: ${atMost} events/s`);
		return { contender, figures, eventsPerSecond: atMost };
	});
}

async function kindsOfDeliveries(instance: Instance, options: RunOptions & Turns): Promise<Kind[]> {
	const { say, seconds, rates, rounds } = options;
	const kinds: Kind[] = [];
	for (const contender of [TRIGGER, NODES]) {
		const chosen = ['cards.cleared'];
		const flow =
			contender === TRIGGER
				? await publishFlow(
						instance.n8n,
						cardTreasuryTrigger(instance.credential, { events: chosen }),
						[[noOp]],
					)
				: await publishFlow(instance.n8n, webhook(instance.headerKey, 'onReceived'), [
						[switchOn(chosen), noOp],
					]);
		const same = sampleEvent('cards.cleared');
		const load = loadOf(instance, contender, flow, () => sampleEvent('cards.cleared'));
		await warmUp(load, WARM_UP_SECONDS);
		const loads: Array<[string, Load]> = [
			['Delivered', load],
			['Duplicate', { ...load, event: () => same }],
			['Not chosen', { ...load, event: () => sampleEvent('cards.refund') }],
			['Forged', { ...load, webhookKey: 'forged-key', expected: contender === NODES ? 403 : 401 }],
		];
		const rate = Math.min(...rates);
		const samples = loads.map((): Sample[] => []);
		const started = loads.map(() => 0);
		for (let round = 0; round < rounds; round++) {
			for (const [place, [, kindLoad]] of loads.entries()) {
				const before = await newestExecution(instance, flow);
				samples[place]!.push(await sampleRate(kindLoad, rate, seconds));
				started[place]! += (await newestExecution(instance, flow)) - before;
			}
		}
		for (const [place, [kind]] of loads.entries()) {
			const figures = figuresOf(rate, samples[place]!);
			say(
				`  ${contender}, ${kind}: ${figures.cpuMsPerEvent} ms CPU each, ${started[place]} executions`,
			);
			kinds.push({ kind, contender, figures, executions: started[place]! });
		}
	}
	return kinds;
}

/** Ids are consecutive, and nothing else runs meanwhile. */
async function newestExecution({ n8n }: Instance, flow: Flow): Promise<number> {
	const rows = await executions(n8n, flow);
	return Number(rows.at(-1)?.id ?? 0);
}

/** What an event costs, and what one that nobody wants does. */
function inShort(label: string, { delivered, kinds }: Measured): string {
	const of = (name: string) => delivered.find(({ contender }) => contender === name);
	const cpu = (name: string) => milliseconds(of(name)?.figures[0]?.cpuMsPerEvent ?? null);
	const atMost = (name: string) => of(name)?.eventsPerSecond.toFixed(1);
	const ours = kinds.filter(({ contender }) => contender === TRIGGER);
	const base = ours.find(({ kind }) => kind === 'Delivered')?.figures.cpuMsPerEvent;
	const shares = ours.flatMap(({ kind, figures: { cpuMsPerEvent } }) =>
		kind !== 'Delivered' && cpuMsPerEvent && base
			? [`${kind.toLowerCase()} ${percent(cpuMsPerEvent / base)}`]
			: [],
	);
	return `With ${label}, at ${of(TRIGGER)?.figures[0]?.ratePerSecond} events per second, one event takes ${cpu(TRIGGER)} ms of processor time; a bare trigger takes ${cpu(BARE)} ms, n8n's Webhook and Switch ${cpu(NODES)} ms. At most, they take ${atMost(TRIGGER)}, ${atMost(BARE)} and ${atMost(NODES)} events per second. Of the cost of a delivered event, an unwanted one takes: ${shares.join(', ')}.`;
}

function tables(label: string, { delivered, kinds }: Measured): Table[] {
	const bare = delivered.find(({ contender }) => contender === BARE);
	const base = kinds.find(({ kind, contender }) => kind === 'Delivered' && contender === TRIGGER);
	return [
		{
			caption: `Delivered events, ${label}`,
			headings: [
				'Receiver',
				'Per second',
				'p50 ms',
				'× bare',
				'p95 ms',
				'p99 ms',
				'Answered as expected',
				'CPU ms each',
				'Events/s at most',
			],
			rows: delivered.flatMap(({ contender, figures, eventsPerSecond: atMost }) =>
				figures.map((at, index) => [
					index === 0 ? contender : '',
					String(at.ratePerSecond),
					milliseconds(at.p50),
					bare ? (at.p50 / bare.figures[index]!.p50).toFixed(2) : '',
					milliseconds(at.p95),
					milliseconds(at.p99),
					percent(at.asExpected),
					milliseconds(at.cpuMsPerEvent),
					index === 0 ? atMost.toFixed(1) : '',
				]),
			),
		},
		{
			caption: `What should cost nothing, ${label}, ${kinds[0]?.figures.ratePerSecond}/s`,
			headings: [
				'Delivery',
				'Receiver',
				'CPU ms each',
				'Of a delivered one',
				'Executions',
				'p50 ms',
				'p99 ms',
				'Answered as expected',
			],
			rows: kinds.map(({ kind, contender, figures, executions: started }) => [
				kind,
				contender,
				milliseconds(figures.cpuMsPerEvent),
				figures.cpuMsPerEvent && base?.figures.cpuMsPerEvent
					? percent(figures.cpuMsPerEvent / base.figures.cpuMsPerEvent)
					: '',
				`${started} of ${figures.count}`,
				milliseconds(figures.p50),
				milliseconds(figures.p99),
				percent(figures.asExpected),
			]),
		},
	];
}
