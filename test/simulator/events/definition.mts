/** An event as it is pushed (§6.2). */
export interface EventEnvelope {
	product: string;
	event_type: string;
	operation_id: string;
	status: string;
	/** At this level on `card_blocked_by_velocity` only. */
	company_id?: string;
	data: Record<string, unknown>;
}

/** A row of the catalog (§6.5) as a value. */
export interface EventDefinition {
	product: 'cards' | 'virtual_wallets' | 'treasury' | 'company_activity';
	event_type: string;
	/** Time for the full response, in milliseconds (§6.4). */
	timeoutMs: number;
	/** Maximum number of attempts, the first one included (§6.4). */
	attempts: number;
	/** Whether the answer's `response_code` decides, instead of acknowledging (§6.3). */
	decides?: true;
	/** A realistic event. Amounts are decimal strings, blockchains lowercase (§1.3, §6.5). */
	sample(): Omit<EventEnvelope, 'product' | 'event_type'>;
	/** What the data has in addition when the event's status is `failed`. */
	failureData?: Record<string, unknown>;
	/** The `operation_id` where it follows from the data; otherwise it is unique per event. */
	operationId?(data: Record<string, unknown>): string;
}

/** §6.4: regular events. */
export const REGULAR = { timeoutMs: 30_000, attempts: 10 };
/** §6.4: non-retriable informational events. */
export const INFORMATIONAL = { timeoutMs: 30_000, attempts: 1 };
/** §6.4: the card authorization path. */
export const AUTHORIZATION = { timeoutMs: 1_200, attempts: 1 };
