import { CARD_EVENTS } from './cards';
import { COMPANY_ACTIVITY_EVENTS } from './companyActivity';
import { eventName, type EventDefinition } from './definition';
import { WALLET_EVENTS } from './wallets';

export { eventName, type EventDefinition } from './definition';

/** The rows of the catalog (§6.5), in its order. */
export const EVENTS: readonly EventDefinition[] = [
	...CARD_EVENTS,
	...WALLET_EVENTS,
	...COMPANY_ACTIVITY_EVENTS,
];

/** By name, so that a name such as `constructor.prototype` finds nothing. */
export const EVENTS_BY_NAME: ReadonlyMap<string, EventDefinition> = new Map(
	EVENTS.map((event) => [eventName(event), event]),
);

export const PRODUCTS: ReadonlySet<string> = new Set(EVENTS.map(({ product }) => product));

/** §6.2 */
export const EVENT_STATUSES: readonly string[] = [
	'pending',
	'success',
	'failed',
	'canceled',
	'time_canceled',
	'manual_check',
];

/** The one event whose answer decides (§6.3). */
export const AUTHORIZATION = 'cards.authorization';

/** Its data is the client record (§2.8). */
export const CLIENT_STATUS = 'company_activity.client_status';

/** Its `operation_id` is only the card, and receivers that filter must include it (§6.5). */
export const BLOCKED_BY_VELOCITY = 'cards.card_blocked_by_velocity';

/** The output for everything that is not chosen. */
export const OTHER = 'other';

/** The chosen events, each once, in the order chosen: one output per entry. Anything else in the list is left out. */
export function chosenEvents(parameter: unknown): string[] {
	const entries = Array.isArray(parameter) ? parameter : [];
	return [...new Set(entries.filter((entry): entry is string => typeof entry === 'string'))];
}

/**
 * The output of an event: its own, else that of `other`; undefined when it is not chosen at all.
 * @param name `<product>.<event_type>`, known or not; its point keeps it apart from `other`
 */
export function route(events: readonly string[], name: string): number | undefined {
	return [name, OTHER].map((entry) => events.indexOf(entry)).find((position) => position >= 0);
}

/** What the `X-Trace-Id` of a test run's sample begins with. */
export const SAMPLE_ID = 'sample-';

/** A sample of an event in its documented form (§6.5). */
export function sampleOf(
	{ product, event_type, sample }: EventDefinition,
	operationId: string,
	now: Date,
) {
	const { data, ...facts } = sample;
	const sampled: object = data(now.toISOString());
	return { product, event_type, operation_id: operationId, ...facts, data: sampled };
}
