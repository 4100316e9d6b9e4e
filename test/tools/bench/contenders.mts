import type { ChainNode } from '../../harness/n8n/chain.mts';
import {
	DEFAULT_WEBHOOK_KEY,
	EVENT_NAMES,
	sampleEvent,
	type EventEnvelope,
} from '../../simulator/index.mts';
import {
	bareTrigger,
	cardTreasuryTrigger,
	noOp,
	publishFlow,
	webhook,
	type Flow,
} from './flow.mts';
import type { Instance } from './instance.mts';
import type { Load } from './measure.mts';
import { fillMemory } from './storedMemory.mts';

const EVENTS = EVENT_NAMES.filter((name) => name !== 'cards.authorization');
const inTurn = (index: number): EventEnvelope =>
	sampleEvent(EVENTS[index % EVENTS.length]!, unique(index));
/** The operation_id of a block is only the card; blocks differ by their time. */
const unique = (index: number) =>
	EVENTS[index % EVENTS.length] === 'cards.card_blocked_by_velocity'
		? { data: { blocked_at: new Date(Date.now() + index).toISOString() } }
		: {};

interface Contender {
	label: string;
	publish(instance: Instance): Promise<Flow>;
}

const ours = async ({ n8n, credential }: Instance) =>
	await publishFlow(
		n8n,
		cardTreasuryTrigger(credential, { events: EVENTS }),
		EVENTS.map(() => [noOp]),
	);

/** n8n's Switch with one rule, and one output, per event. */
export const switchOn = (events: string[]): ChainNode => ({
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
const switched = async ({ n8n, headerKey }: Instance) =>
	await publishFlow(n8n, webhook(headerKey, 'onReceived'), [[switchOn(EVENTS)]]);

export const TRIGGER = 'This trigger';
const FULL = 'This trigger, a full memory';
export const BARE = 'Bare trigger';
export const NODES = 'n8n: Webhook → Switch';

/** What takes the same events. */
export const CONTENDERS: Contender[] = [
	{
		label: BARE,
		publish: async ({ n8n }) => await publishFlow(n8n, bareTrigger('store'), [[noOp]]),
	},
	{
		label: `${BARE} with a credential`,
		publish: async ({ n8n, headerKey }) =>
			await publishFlow(n8n, bareTrigger('store', headerKey), [[noOp]]),
	},
	{ label: TRIGGER, publish: ours },
	{
		label: FULL,
		async publish(instance) {
			const flow = await ours(instance);
			await fillMemory(instance.n8n, flow);
			return flow;
		},
	},
	{ label: NODES, publish: switched },
];

/** The samples of all events but the authorization in turn, unless another `event` is given. */
export const loadOf = (
	instance: Instance,
	label: string,
	{ url }: Flow,
	event: Load['event'] = inTurn,
): Load => ({
	url,
	webhookKey: DEFAULT_WEBHOOK_KEY,
	event,
	pid: instance.n8n.pid,
	// What n8n's Webhook answers when it has stored the execution is a text of its own.
	...(label === NODES && { expected: 200 }),
});
