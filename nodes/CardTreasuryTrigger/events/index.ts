import { CARD_EVENTS } from './cards';
import { COMPANY_ACTIVITY_EVENTS } from './companyActivity';
import { eventName, type EventDefinition } from './definition';
import { WALLET_EVENTS } from './wallets';

export { eventName, type EventDefinition } from './definition';

/** Rows of the catalog (§6.5), in its order. */
export const EVENTS: readonly EventDefinition[] = [
	...CARD_EVENTS,
	...WALLET_EVENTS,
	...COMPANY_ACTIVITY_EVENTS,
];

/** Rows by name. A map, so that a name such as `constructor.prototype` finds nothing. */
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

/** The only event whose answer is a decision (§6.3). */
export const AUTHORIZATION = 'cards.authorization';

/** Event whose data is the client record (§2.8). */
export const CLIENT_STATUS = 'company_activity.client_status';

/** Event whose `operation_id` is only the card. Receivers that filter must include it (§6.5). */
export const BLOCKED_BY_VELOCITY = 'cards.card_blocked_by_velocity';

/** Name of the output for events that are not chosen. */
export const OTHER = 'other';

/** Chosen events in order, without repetitions, because each has one output. Entries that are not text are dropped. */
export function chosenEvents(parameter: unknown): string[] {
	const entries = Array.isArray(parameter) ? parameter : [];
	return [...new Set(entries.filter((entry): entry is string => typeof entry === 'string'))];
}

/**
 * Position of an event's output: its own, else that of `other`; undefined if it has none.
 * @param name `<product>.<event_type>`, documented or not; its dot distinguishes it from `other`
 */
export function route(events: readonly string[], name: string): number | undefined {
	return [name, OTHER].map((entry) => events.indexOf(entry)).find((position) => position >= 0);
}

/** Prefix of the `X-Trace-Id` of a test run's sample. */
export const SAMPLE_ID = 'sample-';

/** Sample of an event in its documented form (§6.5). */
export function sampleOf(
	{ product, event_type, sample }: EventDefinition,
	operationId: string,
	now: Date,
) {
	const { data, ...facts } = sample;
	const sampled: object = data(now.toISOString());
	return { product, event_type, operation_id: operationId, ...facts, data: sampled };
}
