import { randomBytes, randomUUID } from 'node:crypto';
import lodash from 'lodash';

import { EVENT_NAMES, eventDepartures, eventExample } from './description.mts';

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

/** Replacements for parts of the sample's envelope; `data` is merged deeply. */
export interface EventOverrides extends Partial<EventEnvelope> {
	[field: string]: unknown;
}

/** Data of a failure. The document does not show the type of `reason`. */
const FAILURES: Record<string, object> = {
	'virtual_wallets.withdraw': { reason: 'Insufficient balance for the network fee' },
};

/**
 * Creates an event from the examples of the description, with a fresh `operation_id` and hash. It fits the description;
 * the overrides need not.
 * @param name `<product>.<event_type>`, one of `EVENT_NAMES`
 * @throws RangeError for any other name
 */
export function sampleEvent(name: string, overrides: EventOverrides = {}): EventEnvelope {
	if (!EVENT_NAMES.includes(name)) throw new RangeError(`Unknown event: ${name}`);
	const [product, event_type] = name.split('.');
	const event = eventExample(name) as EventEnvelope;
	Object.assign(event, { product, event_type, operation_id: randomUUID() });
	if ((overrides.status ?? event.status) === 'failed') Object.assign(event.data, FAILURES[name]);
	if ('transaction_hash' in event.data)
		event.data.transaction_hash = `0x${randomBytes(32).toString('hex')}`;
	describedEvent(aligned(event));
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
	const derived = { operation_id: String(card_id), company_id: String(company_id) };
	return Object.assign(event, lodash.omit(derived, given));
}
