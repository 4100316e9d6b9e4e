import { randomUUID } from 'node:crypto';
import lodash from 'lodash';

import { DESCRIBED_EVENTS, eventDepartures, REGULAR_DELIVERY } from '../description.mts';
import { SAMPLES } from './catalog.mts';

/** Event as the service sends it (§6.2). */
export interface EventEnvelope {
	product: string;
	event_type: string;
	operation_id: string;
	status: string;
	/** Set on `card_blocked_by_velocity` only. */
	company_id?: string;
	data: Record<string, unknown>;
}

export const eventName = ({
	product,
	event_type,
}: Pick<EventEnvelope, 'product' | 'event_type'>): string => `${product}.${event_type}`;

/** `<product>.<event_type>` of every event, in the order of the catalog. */
export const EVENT_NAMES: readonly string[] = DESCRIBED_EVENTS.map(({ name }) => name);

/** Delivery rules of an event (§6.4); an unknown event is a regular one. */
export const deliveryRules = (event: unknown): typeof REGULAR_DELIVERY =>
	DESCRIBED_EVENTS.find(({ name }) => name === eventName((event ?? {}) as EventEnvelope)) ??
	REGULAR_DELIVERY;

/** Replacements for parts of the sample's envelope; `data` is merged deeply. */
export interface EventOverrides extends Partial<EventEnvelope> {
	[field: string]: unknown;
}

/**
 * Creates a realistic event with a fresh `operation_id`. It fits the description; the overrides need not.
 * @param name `<product>.<event_type>`, one of `EVENT_NAMES`
 * @throws RangeError for any other name
 */
export function sampleEvent(name: string, overrides: EventOverrides = {}): EventEnvelope {
	const sample = SAMPLES[name];
	if (!sample) throw new RangeError(`Unknown event: ${name}`);
	const [product = '', event_type = ''] = name.split('.');
	const failed = (overrides.status ?? sample.status) === 'failed';
	const event = describedEvent(
		aligned({
			...{ product, event_type, operation_id: randomUUID(), status: sample.status ?? 'success' },
			data: { ...sample.data(), ...(failed && sample.failureData) },
		}),
	);
	const changed = lodash.mergeWith(event, structuredClone(overrides), replaced) as EventEnvelope;
	return aligned(changed, Object.keys(overrides));
}

/** Merges records only. */
const replaced = (_before: unknown, value: unknown) =>
	lodash.isPlainObject(value) ? undefined : value;

/** Returns an event that fits the description. @throws Error for any other */
export function describedEvent(event: EventEnvelope): EventEnvelope {
	const wrong = eventDepartures(event);
	if (wrong.length === 0) return event;
	throw new Error(`The event departs from its description: ${wrong.join('; ')}`);
}

/**
 * Derives the ID of the operation and the company of `card_blocked_by_velocity` from its data (§6.5).
 * @param given names of envelope fields to keep
 */
function aligned(event: EventEnvelope, given: readonly string[] = []): EventEnvelope {
	if (event.event_type !== 'card_blocked_by_velocity') return event;
	const { card_id, company_id } = event.data;
	const { data, ...envelope } = event;
	const derived = { operation_id: String(card_id), company_id: String(company_id) };
	return { ...envelope, ...lodash.omit(derived, given), data };
}
