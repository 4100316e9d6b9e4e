import { cardTreasuryTrigger, noOp, respond } from '../../harness/n8n/nodes.mts';
import { publish, publishTrigger, type TriggerWorkflow } from '../../harness/n8n/workflows.mts';
import { writeTable } from '../../harness/workflows/dataTables.mts';
import {
	importWorkflow,
	readWorkflow,
	withCredentials,
} from '../../harness/workflows/workflowFiles.mts';
import { sampleEvent, type EventEnvelope } from '../../simulator/index.mts';
import type { Table } from '../measured.mts';
import { ENGINE_LABELS, loadOf, withInstance, type Instance } from './instance.mts';
import { figuresOf, inTurns, sampleRate, warmUp, type Figures, type Load } from './measure.mts';

const RATES = [5, 10, 20, 50, 80, 100, 150, 200];
/** Turns of each receiver at a rate, and seconds per turn. */
const ROUNDS = 3;
const SECONDS = 5;

const EVENTS = ['cards.authorization'];
const RULES = [
	{ name: 'No cash', decision: 'decline', conditions: { mccCodes: '6010-6012' } },
	{ name: 'Small', decision: 'approve', conditions: { amountTo: '1000', currencies: 'USD' } },
];

/** Asks about one of twenty purchases. */
const LARGE = {
	name: 'Large',
	decision: 'ask',
	conditions: { amountFrom: '150', currencies: 'USD' },
};

/** Returns purchases, of which one in twenty is large. */
export function purchases(): () => EventEnvelope {
	let count = 0;
	return () =>
		sampleEvent('cards.authorization', {
			data: { bill_amount: ++count % 20 === 0 ? '200.00' : '52.35' },
		});
}

/** Answer to a purchase that is not declined. */
export const APPROVED = '{"response_code":"00"}';

/** Publishes rules that approve the purchases. */
export const byRules =
	(runWorkflowFor: 'none' | 'all') =>
	async ({ n8n, credential }: Instance) =>
		await publishTrigger(
			n8n,
			cardTreasuryTrigger(credential, {
				events: EVENTS,
				rules: { rule: RULES },
				options: { runWorkflowFor },
			}),
			[[noOp('Behind')]],
		);

/** The trigger's rules and questions. */
const RECEIVERS: Record<string, (instance: Instance) => Promise<TriggerWorkflow>> = {
	'Rules, no run': byRules('none'),
	'Rules, a run for each': byRules('all'),
	'Rules, 5 % asked': async ({ n8n, credential }) =>
		await publishTrigger(
			n8n,
			cardTreasuryTrigger(credential, {
				events: EVENTS,
				rules: { rule: [RULES[0], LARGE, RULES[1]] },
				options: { runWorkflowFor: 'none' },
			}),
			[[respond(credential)]],
		),
	'Workflow with Respond': async ({ n8n, credential }) =>
		await publishTrigger(
			n8n,
			// The fallback declines, so an answer at the deadline differs from the workflow's.
			cardTreasuryTrigger(credential, { events: EVENTS, defaultDecision: 'ask' }),
			[[respond(credential)]],
		),
	'Decide purchases by a table': async ({ n8n, credential }) => {
		await writeTable(n8n, 'Card decisions', [
			{ card_or_merchant: 'everything else', decision: 'approve' },
		]);
		await writeTable(n8n, 'Card purchases', []);
		const read = readWorkflow('decide-purchases.json');
		const file = withCredentials(read, { cardTreasuryApi: credential });
		const workflow = await importWorkflow(n8n, file);
		await publish(n8n, workflow);
		return workflow;
	},
};

interface Contender {
	label: string;
	load: Load;
	/** Results at each rate. */
	figures: Figures[];
}

/**
 * Measures card authorizations at rising rates, in turns. A receiver stops after the first rate that it cannot sustain,
 * because beyond that only its queue grows.
 */
export async function authorization(engine: string): Promise<Table[]> {
	return await withInstance(engine, async (instance) => {
		const contenders: Contender[] = [];
		for (const [label, publish] of Object.entries(RECEIVERS)) {
			const event = purchases();
			const load = loadOf(instance, await publish(instance), { event, expected: APPROVED });
			contenders.push({ label, load, figures: [] });
		}
		for (const { load } of contenders) await warmUp(load, 4);
		let climbing = contenders;
		for (const rate of RATES) {
			const sampled = await inTurns(
				climbing,
				ROUNDS,
				async ({ load }) => await sampleRate(load, rate, SECONDS),
			);
			for (const [{ label, figures }, samples] of sampled) {
				figures.push(figuresOf(rate, samples));
				console.log(label, cellsOf(figures.at(-1)!));
			}
			climbing = climbing.filter(({ figures }) => keepsUp(figures.at(-1)!));
		}
		return [
			{
				caption: `Authorizations, ${ENGINE_LABELS[engine]}`,
				rows: contenders.flatMap(({ label, figures }) =>
					figures.map((at) => ({ Receiver: label, ...cellsOf(at) })),
				),
			},
		];
	});
}

const keepsUp = ({ inTime, asExpected }: Figures) => inTime >= 0.99 && asExpected >= 0.99;

const cellsOf = ({ ratePerSecond, inTime, asExpected, cpuMsPerEvent }: Figures) => ({
	'Per second': ratePerSecond,
	'Within 1,200 ms': percent(inTime),
	'Answered as expected': percent(asExpected),
	'CPU ms each': cpuMsPerEvent?.toFixed(1) ?? 'not read',
});

const percent = (share: number): string => `${Math.floor(share * 1_000) / 10} %`;
