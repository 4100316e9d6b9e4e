import { CARD_EVENTS } from './cards.mts';
import { COMPANY_ACTIVITY_EVENTS } from './companyActivity.mts';
import { REGULAR, type EventDefinition, type EventEnvelope } from './definition.mts';
import { TREASURY_EVENTS } from './treasury.mts';
import { VIRTUAL_WALLET_EVENTS } from './virtualWallets.mts';

/** The rows of the catalog (§6.5). */
export const EVENTS: readonly EventDefinition[] = [
	...CARD_EVENTS,
	...VIRTUAL_WALLET_EVENTS,
	...TREASURY_EVENTS,
	...COMPANY_ACTIVITY_EVENTS,
];

/** `<product>.<event_type>` of every event, in the order of the catalog. */
export const EVENT_NAMES: readonly string[] = EVENTS.map(eventName);

export function eventName({
	product,
	event_type,
}: {
	product: string;
	event_type: string;
}): string {
	return `${product}.${event_type}`;
}

/** How an event is delivered (§6.4); one that the catalog does not have is a regular one. */
export function deliveryRules(
	event: unknown,
): Pick<EventDefinition, 'timeoutMs' | 'attempts' | 'decides'> {
	const { product, event_type } = (event ?? {}) as Partial<EventEnvelope>;
	return (
		EVENTS.find((known) => known.product === product && known.event_type === event_type) ?? REGULAR
	);
}

/** Parts of an envelope that replace those of the sample; `data` is merged at every depth. */
export interface EventOverrides extends Partial<Omit<EventEnvelope, 'data'>> {
	data?: Record<string, unknown>;
	[field: string]: unknown;
}

/**
 * A realistic event with a fresh `operation_id`.
 * @param name `<product>.<event_type>`, one of `EVENT_NAMES`
 * @throws RangeError for any other name
 */
export function sampleEvent(name: string, overrides: EventOverrides = {}): EventEnvelope {
	const definition = EVENTS.find((known) => eventName(known) === name);
	if (!definition) throw new RangeError(`Unknown event: ${name}`);
	const { product, event_type } = definition;
	const sample = { product, event_type, ...definition.sample() };
	if ((overrides.status ?? sample.status) === 'failed')
		Object.assign(sample.data, definition.failureData);
	const event = merge(sample, overrides) as unknown as EventEnvelope;
	return alignWithData(event, Object.keys(overrides));
}

/**
 * Brings `operation_id` and `company_id` in line with the data they follow from (`card_blocked_by_velocity`, §6.5).
 * @param given names of envelope fields that stay as they are
 */
export function alignWithData(event: EventEnvelope, given: readonly string[]): EventEnvelope {
	const definition = EVENTS.find((known) => eventName(known) === eventName(event));
	if (definition?.operationId && !given.includes('operation_id'))
		event.operation_id = definition.operationId(event.data);
	if (event.company_id !== undefined && !given.includes('company_id'))
		event.company_id = String(event.data.company_id);
	return event;
}

function merge(sample: object, overrides: object): Record<string, unknown> {
	const merged: Record<string, unknown> = { ...sample };
	for (const [name, value] of Object.entries(overrides)) {
		const below = merged[name];
		merged[name] =
			isObject(below) && isObject(value) ? merge(below, value) : structuredClone(value);
	}
	return merged;
}

function isObject(value: unknown): value is object {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
