import lodash from 'lodash';

import {
	cardTreasuryTrigger,
	executions,
	publishTrigger,
	type TriggerWorkflow,
} from '../../harness/n8n/scenario.mts';
import { EVENT_NAMES, sampleEvent, type EventEnvelope } from '../../simulator/index.mts';
import type { Table } from '../measured.mts';
import { bareTrigger, behind, webhook } from './flow.mts';
import { ENGINE_LABELS, loadOf, withInstance, type Instance } from './instance.mts';
import {
	cellsOf,
	figuresOf,
	inTurns,
	measureThroughput,
	percent,
	sampleRate,
	warmUp,
	type Contender,
	type Figures,
	type Load,
} from './measure.mts';
import { fillMemory } from './storedMemory.mts';

interface Turns {
	rates: number[];
	/** Turns of one second at each rate. Short turns limit the backlog of a slow moment of the machine. */
	rounds: number;
}

/** Without lazy acquire, 10 deliveries per second use up n8n's processor time. */
const TURNS: Record<string, Turns> = {
	lazy: { rates: [20, 40], rounds: 16 },
	default: { rates: [5, 20], rounds: 6 },
};
/** Turns and seconds at full load. */
const FULL_LOAD = { rounds: 4, seconds: 3 } as const;

const EVENTS = EVENT_NAMES.filter((name) => name !== 'cards.authorization');

/** Samples of all events except the authorization, in turn. */
const inTurn = (index: number): EventEnvelope => {
	const name = EVENTS[index % EVENTS.length]!;
	// A block's operation_id is the card's ID, so blocks differ by their time.
	const blocked_at = new Date(Date.now() + index).toISOString();
	return sampleEvent(name, name.endsWith('by_velocity') ? { data: { blocked_at } } : {});
};

/** n8n's Switch with one rule and one output per event. */
const switchOn = (events: string[]) => ({
	name: 'Switch',
	type: 'n8n-nodes-base.switch',
	typeVersion: 3.2,
	parameters: {
		mode: 'rules',
		rules: {
			values: events.map((event) => ({
				conditions: {
					options: { caseSensitive: true, leftValue: '', typeValidation: 'strict', version: 2 },
					conditions: [
						{
							leftValue: "={{ $json.body.product + '.' + $json.body.event_type }}",
							rightValue: event,
							operator: { type: 'string', operation: 'equals' },
						},
					],
					combinator: 'and',
				},
			})),
		},
		options: {},
	},
});

const ours = async ({ n8n, credential }: Instance, events = EVENTS) =>
	await publishTrigger(
		n8n,
		cardTreasuryTrigger(credential, { events }),
		events.map(() => [behind]),
	);

const BARE = 'Bare trigger';
const TRIGGER = 'This trigger';
const NODES = 'n8n: Webhook → Switch';

/** Receivers of the same events. */
const RECEIVERS: Record<string, (instance: Instance) => Promise<TriggerWorkflow>> = {
	[BARE]: async ({ n8n }) => await publishTrigger(n8n, bareTrigger('store'), [[behind]]),
	[`${BARE} with a credential`]: async ({ n8n, headerKey }) =>
		await publishTrigger(n8n, bareTrigger('store', headerKey), [[behind]]),
	[TRIGGER]: ours,
	[`${TRIGGER}, a full memory`]: async (instance) => {
		const flow = await ours(instance);
		await fillMemory(instance.n8n, flow);
		return flow;
	},
	[NODES]: async ({ n8n, headerKey }) =>
		await publishTrigger(n8n, webhook(headerKey, 'onReceived'), [[switchOn(EVENTS)]]),
};

/** n8n's Webhook acknowledges with its own text. */
const expectedOf = (label: string) => (label === NODES ? { expected: 200 } : {});

/** Measures events without a decision, acknowledged after n8n has stored them. */
export async function deliveries(engine: string): Promise<Table[]> {
	const turns = TURNS[engine]!;
	return await withInstance(engine, async (instance) => [
		{
			caption: `Delivered events, ${ENGINE_LABELS[engine]}`,
			rows: await deliveredEvents(instance, turns),
		},
		{
			caption: `What should cost little, ${ENGINE_LABELS[engine]}, ${turns.rates[0]}/s`,
			rows: await kindsOfDeliveries(instance, turns),
		},
	]);
}

async function deliveredEvents(instance: Instance, { rates, rounds }: Turns) {
	const contenders: Contender[] = [];
	for (const [label, publish] of Object.entries(RECEIVERS)) {
		const load = loadOf(instance, await publish(instance), {
			event: inTurn,
			...expectedOf(label),
		});
		await warmUp(load);
		contenders.push({ label, load, figures: [] });
	}
	for (const rate of rates) {
		const sampled = await inTurns(
			contenders,
			rounds,
			async ({ load }) => await sampleRate(load, rate, 1),
		);
		for (const [{ label, figures }, samples] of sampled) {
			figures.push(figuresOf(rate, samples));
			console.log(label, cellsOf(figures.at(-1)!));
		}
	}
	const fullLoad = await inTurns(
		contenders,
		FULL_LOAD.rounds,
		async ({ load }) => await measureThroughput(load, FULL_LOAD.seconds),
	);
	const bare = contenders[0]!.figures;
	return [...fullLoad].flatMap(([{ label, figures }, turns]) => {
		const perSecond = (1_000 * lodash.sumBy(turns, 'count')) / lodash.sumBy(turns, 'ms');
		return figures.map((at, index) => ({
			Receiver: label,
			...cellsOf(at),
			'p50 × bare': (at.p50 / bare[index]!.p50).toFixed(2),
			'Events/s at most': perSecond.toFixed(1),
		}));
	});
}

/** Measures repetitions, events that are not chosen and forged ones, besides those delivered. */
async function kindsOfDeliveries(instance: Instance, { rates, rounds }: Turns) {
	const chosen = ['cards.cleared'];
	const same = sampleEvent('cards.cleared');
	let delivered: Figures | undefined;
	const rows: Table['rows'] = [];
	for (const label of [TRIGGER, NODES]) {
		const flow =
			label === TRIGGER
				? await ours(instance, chosen)
				: await publishTrigger(instance.n8n, webhook(instance.headerKey, 'onReceived'), [
						[switchOn(chosen), behind],
					]);
		const event = () => sampleEvent('cards.cleared');
		const load = loadOf(instance, flow, { event, ...expectedOf(label) });
		await warmUp(load);
		const kinds: Array<[string, Load]> = [
			['Delivered', load],
			['Repetition', { ...load, event: () => same }],
			['Not chosen', { ...load, event: () => sampleEvent('cards.refund') }],
			['Forged', { ...load, webhookKey: 'forged-key', expected: label === NODES ? 403 : 401 }],
		];
		const measured = await inTurns(kinds, rounds, async ([, kindLoad]) => {
			const before = await newestExecution(instance, flow);
			const sample = await sampleRate(kindLoad, rates[0]!, 1);
			return { sample, started: (await newestExecution(instance, flow)) - before };
		});
		for (const [[kind], turns] of measured) {
			const samples = turns.map(({ sample }) => sample);
			const figures = figuresOf(rates[0]!, samples);
			delivered ??= figures;
			rows.push({
				Delivery: kind,
				Receiver: label,
				...lodash.omit(cellsOf(figures), ['Per second', 'p95 ms', 'Within 1,200 ms']),
				'Of a delivered one': percent(figures.cpuMsPerEvent! / delivered.cpuMsPerEvent!),
				Executions: `${lodash.sumBy(turns, 'started')} of ${figures.count}`,
			});
		}
	}
	return rows;
}

/** Valid because IDs are consecutive and nothing else runs. */
async function newestExecution({ n8n }: Instance, flow: TriggerWorkflow): Promise<number> {
	const rows = await executions(n8n, flow);
	return Number(rows.at(-1)?.id ?? 0);
}
