/** Facts that were seen, each with its values: fields of a reply by its name, `HTTP` its status and code. */
export type Facts = Record<string, unknown[]>;

/** Rows of docs/not-shown.md that the probe can see, by a part of the question: what the page assumes of these facts. */
export const ROWS: Record<string, [asRead: RegExp, ...facts: string[]]> = {
	'idempotency key remembered': [/^ACTIVE$/, 'after repetition.status'],
	'a 4xx mean': [/^ACTIVE$/, 'after rejection.status'],
	'kept under its key': [/^200$/, 'freeze.HTTP'],
	'statuses and codes': [
		/^(200|302|40[0149]|412|429)( (WARNING|APP_ERROR|AUTH|NOT_FOUND|VAL))?$/,
		'HTTP',
	],
	'429 say how long': [/^([1-5]?\d|60|not_said)$/, 'retry-after'],
	'Which level do': [/ (200|401|403)/, 'levels'],
	'forms of addresses': [/^0x[0-9a-f]{40}$/i, 'tokens.address'],
	'`BLOCKED` a value': [/^(ACTIVE|FROZEN|INACTIVE|DELETED|EXPIRED|BLOCKED)$/, 'card.status'],
	'after freezing': [/^FROZEN$/, 'after freeze.status'],
	'transaction detail': [/^200$/, 'detail.HTTP'],
	'several `operations`': [
		/^(200|PURCHASE|WALLET_DEPOSIT)$/,
		...['two operations.HTTP', 'two operations.operation'],
	],
	'both dates': [/^4/, 'half a period.HTTP'],
	'`data_type`s': [/^[A-Z_]+$/, 'requests.data_type'],
	'`require_image`': [/^true$/, 'requests.require_image'],
	'statuses does a client': [/^\w+$/, 'company_activity.client_status.status'],
	'delivery signed': [/^(?!.*(sign|hmac|digest))/, 'event headers'],
	'form do countries': [
		/^([A-Z]{2,3}|\d+(\.\d+)?)$/,
		...['cards.authorization.country', 'cards.authorization.bill_amount'],
	],
	'`operation_id` alone': [/^own_key$/, 'event keys'],
	'statuses come with': [
		/^(pending|success|failed|canceled|time_canceled|manual_check)$/,
		'event.status',
	],
	'`reason`': [/^(?!\[object )/, 'virtual_wallets.withdraw.reason'],
	'carry `X-Trace-Id`': [/^with$/, 'event trace'],
};

/** Status, code or name of the service's vocabulary. Any other value could be personal: then its type. */
export const word = (value: unknown): string =>
	/^((level \d: )?\d{1,3}( [A-Z_]{2,40})?|[A-Z_]{2,40}|[a-z_-]{2,40})$/.test(String(value))
		? String(value)
		: `(${typeof value})`;

export function note(facts: Facts, name: string, ...values: unknown[]): void {
	(facts[name] ??= []).push(...values);
}

/** Notes every field of a value, at any depth. */
export function noteFields(facts: Facts, name: string, value: unknown): void {
	if (typeof value !== 'object' || value === null) return;
	for (const [field, child] of Object.entries(value)) {
		note(facts, `${name}.${field}`, child);
		noteFields(facts, name, child);
	}
}
