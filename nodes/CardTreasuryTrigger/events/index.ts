import { isObject } from '../../shared/isObject';
import { harmless, summaryLine, textOf } from '../../shared/plainLine';
import { CARD_EVENTS } from './cards';
import { COMPANY_ACTIVITY_EVENTS } from './companyActivity';
import { eventName, STATUS_IN_WORDS, type EventDefinition, type Part } from './definition';
import { WALLET_EVENTS } from './wallets';

export { eventName, STATUS_IN_WORDS, type EventDefinition } from './definition';

/** All events, in the order of the catalog (§6.5). */
export const EVENTS: readonly EventDefinition[] = [
	...CARD_EVENTS,
	...WALLET_EVENTS,
	...COMPANY_ACTIVITY_EVENTS,
];

/** Entry of the parameter *Events*: an event, or a part of an event. */
export interface Entry extends Pick<Part, 'label' | 'output' | 'action' | 'when'> {
	name: string;
	event: EventDefinition;
	part?: Part;
}

/** All entries, each part below its event. */
export const ENTRIES: readonly Entry[] = EVENTS.flatMap((event) => {
	const name = eventName(event);
	const { part } = event;
	const entry = { ...event, name, event, part: undefined };
	return part ? [entry, { ...part, name: `${name}.${part.suffix}`, event, part }] : [entry];
});

export const ENTRIES_BY_NAME: ReadonlyMap<string, Entry> = new Map(
	ENTRIES.map((entry) => [entry.name, entry]),
);

/** Events by name. A map, because an object would find inherited names such as `constructor`. */
export const EVENTS_BY_NAME: ReadonlyMap<string, EventDefinition> = new Map(
	EVENTS.map((event) => [eventName(event), event]),
);

export const PRODUCTS: ReadonlySet<string> = new Set(EVENTS.map(({ product }) => product));

/** Documented statuses (§6.2). */
export const EVENT_STATUSES: readonly string[] = [...STATUS_IN_WORDS.keys()];

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

/** Facts of an envelope that decide which entry takes the event. */
interface Routed {
	product: unknown;
	event_type: unknown;
	status?: unknown;
	data?: unknown;
}

/**
 * Returns the position of an event's output: of the most specific chosen entry. An event that no entry takes uses the
 * output `other`. Undefined if that is not chosen either.
 */
export function route(events: readonly string[], envelope: Routed): number | undefined {
	const { status, data } = envelope;
	const name = eventName(envelope);
	const part = EVENTS_BY_NAME.get(name)?.part;
	const takesPart = part?.takes(status, isObject(data) ? data : {}) === true;
	// An event type such as `transfer.failed` is not documented, and must not pass for the entry of this name.
	const isNameOfPart = ENTRIES_BY_NAME.has(name) && !EVENTS_BY_NAME.has(name);
	const entries = [takesPart && `${name}.${part.suffix}`, !isNameOfPart && name, OTHER];
	return entries
		.filter((entry) => entry !== false)
		.map((entry) => events.indexOf(entry))
		.find((position) => position >= 0);
}

/** Prefix of the trace ID of samples in a test run. */
export const SAMPLE_ID = 'sample-';

/**
 * Builds the sample of an entry in the documented form (§6.5).
 * @param status status instead of the usual one
 */
export function sampleOf({ event, part }: Entry, operationId: string, now: Date, status?: string) {
	const { product, event_type, sample } = event;
	const { data, ...facts } = sample;
	const documented = data(now.toISOString()) as Record<string, unknown>;
	const other = status ?? part?.sample.status;
	const isPart = event.part?.takes(other ?? facts.status, documented) === true;
	const sampled: object = { ...documented, ...(isPart && event.part?.sample.data) };
	return {
		product,
		event_type,
		operation_id: operationId,
		...facts,
		...(other !== undefined && { status: other }),
		data: sampled,
	};
}

/** Returns the summary of an event: one harmless line that can be put into a message. */
export function summaryOf(envelope: Routed, news?: string): string {
	const { product, event_type, status, data } = envelope;
	const of = (path: string, missing = '?') => {
		const value = path
			.split('.')
			.reduce<unknown>(
				(at, key) => (isObject(at) && Object.hasOwn(at, key) ? at[key] : undefined),
				data,
			);
		return typeof value === 'string' || typeof value === 'number'
			? harmless(String(value), 60) || missing
			: missing;
	};
	const [usual, about] = EVENTS_BY_NAME.get(eventName(envelope))?.tell(of, textOf(status)) ?? [
		'Event',
		`${textOf(product)}.${textOf(event_type)}, ${textOf(status)}`,
	];
	return summaryLine(`${news ?? usual}: ${about}`);
}
