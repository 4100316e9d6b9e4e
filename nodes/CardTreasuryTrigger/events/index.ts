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

/** Event statuses of §6.2. */
export const STATUSES = [
	'pending',
	'success',
	'failed',
	'canceled',
	'time_canceled',
	'manual_check',
] as const;

/** The one event whose answer decides (§6.3). */
export const AUTHORIZATION = 'cards.authorization';

/** Its data is the client record (§2.8). */
export const CLIENT_STATUS = 'company_activity.client_status';

/** Its `operation_id` is only the card, and receivers that filter must include it (§6.5). */
export const BLOCKED_BY_VELOCITY = 'cards.card_blocked_by_velocity';

/** The output for everything that is not chosen. */
export const OTHER = 'other';
