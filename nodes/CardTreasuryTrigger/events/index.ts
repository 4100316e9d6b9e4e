import { CARD_EVENTS } from './cards';
import { COMPANY_ACTIVITY_EVENTS } from './companyActivity';
import { eventName, type EventDefinition } from './definition';
import { WALLET_EVENTS } from './wallets';

export { eventName, type EventDefinition } from './definition';

/** All events, in the order of the catalog (§6.5). */
export const EVENTS: readonly EventDefinition[] = [
	...CARD_EVENTS,
	...WALLET_EVENTS,
	...COMPANY_ACTIVITY_EVENTS,
];

/** Events by name. A map, because an object would find inherited names such as `constructor`. */
export const EVENTS_BY_NAME: ReadonlyMap<string, EventDefinition> = new Map(
	EVENTS.map((event) => [eventName(event), event]),
);

export const PRODUCTS: ReadonlySet<string> = new Set(EVENTS.map(({ product }) => product));

/** Documented statuses (§6.2). */
export const EVENT_STATUSES: readonly string[] = [
	'pending',
	'success',
	'failed',
	'canceled',
	'time_canceled',
	'manual_check',
];

/** Event that needs a decision. All other events need only an acknowledgement (§6.3). */
export const AUTHORIZATION = 'cards.authorization';

/** Event whose data is the client record (§2.8). */
export const CLIENT_STATUS = 'company_activity.client_status';

/**
 * Event of a card that a velocity rule blocked. The `operation_id` is only the card. Receivers that filter events must
 * accept this one (§6.5).
 */
export const BLOCKED_BY_VELOCITY = 'cards.card_blocked_by_velocity';

/** Name of the output for all events that are not chosen. */
export const OTHER = 'other';

/** Chosen events in order, without repetitions. Entries that are not text are dropped. */
export function chosenEvents(parameter: unknown): string[] {
	const entries = Array.isArray(parameter) ? parameter : [];
	return [...new Set(entries.filter((entry): entry is string => typeof entry === 'string'))];
}

/**
 * Returns the position of an event's output. An event that is not chosen uses the output `other`. Undefined if that is
 * not chosen either.
 * @param name `<product>.<event_type>`, documented or not
 */
export function route(events: readonly string[], name: string): number | undefined {
	return [name, OTHER].map((entry) => events.indexOf(entry)).find((position) => position >= 0);
}

/** Prefix of the trace ID of samples in a test run. */
export const SAMPLE_ID = 'sample-';

/** Builds the sample of an event in the documented form (§6.5). */
export function sampleOf(
	{ product, event_type, sample }: EventDefinition,
	operationId: string,
	now: Date,
) {
	const { data, ...facts } = sample;
	const sampled: object = data(now.toISOString());
	return { product, event_type, operation_id: operationId, ...facts, data: sampled };
}
