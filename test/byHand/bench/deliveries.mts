import lodash from 'lodash';

import { cardTreasuryTrigger } from '../../harness/n8n/nodes.mts';
import { publishTrigger, type TriggerWorkflow } from '../../harness/n8n/workflows.mts';
import { EVENT_NAMES, sampleEvent, type EventEnvelope } from '../../simulator/index.mts';
import type { Table } from '../measured.mts';
import { bareTrigger, behind, webhook } from './flow.mts';
import { ENGINE_LABELS, loadOf, withInstance, type Instance } from './instance.mts';
import { inTurns, measureThroughput, warmUp } from './measure.mts';

/** Turns of each receiver, and seconds per turn. */
const ROUNDS = 4;
const SECONDS = 3;

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

/** Receivers of the same events. */
const RECEIVERS: Record<string, (instance: Instance) => Promise<TriggerWorkflow>> = {
	'Bare trigger': async ({ n8n }) => await publishTrigger(n8n, bareTrigger('store'), [[behind]]),
	'This trigger': async ({ n8n, credential }) =>
		await publishTrigger(
			n8n,
			cardTreasuryTrigger(credential, { events: EVENTS }),
			EVENTS.map(() => [behind]),
		),
	'n8n: Webhook → Switch': async ({ n8n, headerKey }) =>
		await publishTrigger(n8n, webhook(headerKey, 'onReceived'), [[switchOn(EVENTS)]]),
};

/** Measures events without a decision, acknowledged after n8n has stored them, at full load. */
export async function deliveries(engine: string): Promise<Table[]> {
	return await withInstance(engine, async (instance) => {
		const contenders = Object.entries(RECEIVERS).map(async ([label, publish]) => {
			const load = loadOf(instance, await publish(instance), { event: inTurn });
			return { label, load };
		});
		const published = await Promise.all(contenders);
		for (const { load } of published) await warmUp(load);
		const measured = await inTurns(
			published,
			ROUNDS,
			async ({ load }) => await measureThroughput(load, SECONDS),
		);
		const rows = [...measured].map(([{ label }, turns]) => {
			const perSecond = (1_000 * lodash.sumBy(turns, 'count')) / lodash.sumBy(turns, 'ms');
			return { Receiver: label, 'Events/s at most': perSecond.toFixed(1) };
		});
		return [{ caption: `Delivered events, ${ENGINE_LABELS[engine]}`, rows }];
	});
}
