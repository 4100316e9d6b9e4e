import { randomUUID } from 'node:crypto';
import lodash from 'lodash';

import { eventDepartures, REGULAR_DELIVERY, type DescribedEvent } from '../description.mts';
import { EVENTS } from './catalog.mts';

export { EVENTS };

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
export const EVENT_NAMES: readonly string[] = EVENTS.map(eventName);

const definitionOf = (name: string) => EVENTS.find((known) => eventName(known) === name);

/** Delivery rules of an event (§6.4); an unknown event is a regular one. */
export const deliveryRules = (
	event: unknown,
): Pick<DescribedEvent, 'timeoutMs' | 'attempts' | 'decides'> =>
	definitionOf(eventName((event ?? {}) as EventEnvelope)) ?? REGULAR_DELIVERY;

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
	const sample = describedEvent(alignWithData(sampleOf(name, overrides.status), []));
	return alignWithData(merge(sample, overrides) as EventEnvelope, Object.keys(overrides));
}

/** Returns an event that fits the description. @throws Error for any other */
export function describedEvent(event: EventEnvelope): EventEnvelope {
	const wrong = eventDepartures(event);
	if (wrong.length > 0)
		throw new Error(`The event departs from its description: ${wrong.join('; ')}`);
	return event;
}

function sampleOf(name: string, givenStatus: string | undefined): EventEnvelope {
	const definition = definitionOf(name);
	if (!definition) throw new RangeError(`Unknown event: ${name}`);
	const { product, event_type, status, ofCard, failureData } = definition;
	const failed = (givenStatus ?? status) === 'failed';
	return {
		product,
		event_type,
		operation_id: randomUUID(),
		status,
		...(ofCard && { company_id: '' }),
		data: { ...definition.data(), ...(failed && failureData) },
	};
}

/**
 * Derives `operation_id` and `company_id` from the data, for `card_blocked_by_velocity` (§6.5).
 * @param given names of envelope fields to keep
 */
export function alignWithData(event: EventEnvelope, given: readonly string[]): EventEnvelope {
	if (!definitionOf(eventName(event))?.ofCard) return event;
	const { card_id, company_id } = event.data;
	const derived = { operation_id: String(card_id), company_id: String(company_id) };
	return Object.assign(event, lodash.omit(derived, given));
}

function merge(sample: object, overrides: object): object {
	const merged: Record<string, unknown> = { ...sample };
	for (const [name, value] of Object.entries(overrides)) {
		const below = merged[name];
		merged[name] =
			lodash.isPlainObject(below) && lodash.isPlainObject(value)
				? merge(below as object, value as object)
				: structuredClone(value);
	}
	return merged;
}
