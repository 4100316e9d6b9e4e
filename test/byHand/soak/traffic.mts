import {
	DEFAULT_WEBHOOK_KEY,
	EVENT_NAMES,
	sampleEvent,
	type EventEnvelope,
} from '../../simulator/index.mts';

export type Kind = 'event' | 'authorization' | 'duplicate' | 'forged' | 'malformed';

/** Request to the webhook URL. */
export interface Planned {
	kind: Kind;
	/** Envelope, or a text that is not one. */
	body: EventEnvelope | string;
	webhookKey: string;
}

/** Share of each kind; the rest are events, all 17 in turn. */
const SHARES: Array<[Exclude<Kind, 'event'>, number]> = [
	['duplicate', 0.2],
	['authorization', 0.1],
	['forged', 0.03],
	['malformed', 0.02],
];

/** Number of requests after which an event is no longer repeated. */
const RECENT = 300;

const MALFORMED = [
	'{"product":"cards",',
	'[]',
	'{}',
	'{"product":"cards","event_type":"cleared","operation_id":"","data":{}}',
	'null',
	'{"product":"cards","event_type":"cleared","operation_id":"x","data":"text"}',
];

/** Plans the traffic. The same seed gives the same kinds in the same order, with new identifiers. */
export function planTraffic(count: number, random: () => number): Planned[] {
	const planned: Planned[] = [];
	const genuine: EventEnvelope[] = [];
	for (let index = 0; index < count; index++) {
		const kind = genuine.length === 0 ? 'event' : kindOf(random());
		const body = bodyOf(kind, index, genuine, random);
		if (kind === 'event' || kind === 'authorization') genuine.push(body as EventEnvelope);
		planned.push({
			kind,
			body,
			webhookKey: kind === 'forged' ? 'forged-webhook-key' : DEFAULT_WEBHOOK_KEY,
		});
	}
	return planned;
}

function kindOf(chance: number): Kind {
	let below = 0;
	for (const [kind, share] of SHARES) {
		below += share;
		if (chance < below) return kind;
	}
	return 'event';
}

function bodyOf(
	kind: Kind,
	index: number,
	genuine: EventEnvelope[],
	random: () => number,
): EventEnvelope | string {
	switch (kind) {
		case 'malformed':
			return MALFORMED[index % MALFORMED.length]!;
		case 'duplicate': {
			const recent = genuine.slice(-RECENT);
			return recent[Math.floor(random() * recent.length)]!;
		}
		case 'authorization':
			return sampleEvent('cards.authorization');
		default: {
			const name = EVENT_NAMES[index % EVENT_NAMES.length]!;
			// A block's operation_id is the card's ID (§6.5), so blocks differ by their time.
			const blocked = name === 'cards.card_blocked_by_velocity';
			return sampleEvent(
				name,
				blocked ? { data: { blocked_at: new Date(Date.now() + index).toISOString() } } : {},
			);
		}
	}
}
