import { createHash } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';

import { quote } from '../../shared/fields/invalidField';
import { isObject } from '../../shared/isObject';
import {
	BLOCKED_BY_VELOCITY,
	EVENT_STATUSES,
	eventName,
	EVENTS_BY_NAME,
	PRODUCTS,
} from '../events';

/** Envelope of an event (§6.2) as received, including additional fields. */
export interface Envelope extends IDataObject {
	product: string;
	event_type: string;
	operation_id: string | number;
	data: IDataObject;
}

export type Parsed =
	| { ok: true; envelope: Envelope; issues: string[] }
	/** Body that is not an envelope. The message names the wrong field. */
	| { ok: false; message: string };

/** Maximum nesting. Far deeper than any documented payload (§6.5), but shallow enough for n8n to store and show. */
const MAX_DEPTH = 100;

/** Maximum number of issues, because a hostile body could have thousands. */
const MAX_ISSUES = 20;

/** Limit in characters. The digest replaces a longer key, because n8n stores thousands of keys. */
const MAX_KEY_LENGTH = 250;

/**
 * Reads the body of a delivery. Refuses only a body that is not an envelope (§6.2). Any other deviation becomes an
 * issue, so that an event with a new field or value is not lost.
 * @param body as n8n parsed it, of any type
 */
export function parse(body: unknown): Parsed {
	if (!isObject(body)) {
		return notAnEnvelope('The body must be a JSON object, sent as application/json');
	}
	const removed = makeSafe(body);
	if (removed === 'too deep')
		return notAnEnvelope(`The body is nested deeper than ${MAX_DEPTH} levels`);
	if (!isEnvelope(body)) return notAnEnvelope(missing(body));
	const issues = [
		...(removed > 0
			? [`__proto__: ${removed} key(s) of this name were removed as unsafe to copy`]
			: []),
		...envelopeIssues(body),
		...dataIssues(body),
		...(EVENTS_BY_NAME.get(eventName(body))?.deviations?.(body) ?? []),
	];
	return { ok: true, envelope: body, issues: atMost(issues) };
}

function isEnvelope(body: Record<string, unknown>): body is Envelope {
	return (
		isFilled(body.product) &&
		isFilled(body.event_type) &&
		isId(body.operation_id) &&
		isObject(body.data)
	);
}

function missing(body: Record<string, unknown>): string {
	const field = ['product', 'event_type'].find((name) => !isFilled(body[name]));
	if (field !== undefined) return `"${field}" must be a string that is not empty`;
	return isId(body.operation_id)
		? '"data" must be an object'
		: '"operation_id" must be a string that is not empty, or a number';
}

function envelopeIssues(envelope: Envelope): string[] {
	const { product, event_type, operation_id, status, company_id } = envelope;
	const issues: string[] = [];
	if (typeof operation_id !== 'string') issues.push('operation_id: must be a string');
	if (!PRODUCTS.has(product))
		issues.push(`product: ${describeValue(product)} is not a documented product`);
	else if (!EVENTS_BY_NAME.has(eventName({ product, event_type }))) {
		issues.push(
			`event_type: ${describeValue(event_type)} is not a documented event of ${product}, so its data was not checked`,
		);
	}
	if (typeof status !== 'string' || !EVENT_STATUSES.includes(status)) {
		issues.push(
			status === undefined
				? 'status: is missing'
				: `status: ${describeValue(status)} is not a documented status`,
		);
	}
	if (company_id === undefined) {
		if (eventName(envelope) === BLOCKED_BY_VELOCITY) issues.push('company_id: is missing');
	} else if (typeof company_id !== 'string') issues.push('company_id: must be a string');
	return issues;
}

function dataIssues(envelope: Envelope): string[] {
	const checked = EVENTS_BY_NAME.get(eventName(envelope))?.data.safeParse(envelope.data);
	if (checked === undefined || checked.success) return [];
	return checked.error.issues.map(
		({ path, message }) =>
			`data.${path.join('.')}: ${at(envelope.data, path) === undefined ? 'is missing' : message}`,
	);
}

function at(data: unknown, path: readonly PropertyKey[]): unknown {
	return path.reduce<unknown>(
		(value, key) => (isObject(value) ? Reflect.get(value, key) : undefined),
		data,
	);
}

function atMost(issues: string[]): string[] {
	if (issues.length <= MAX_ISSUES) return issues;
	return [...issues.slice(0, MAX_ISSUES), `and ${issues.length - MAX_ISSUES} more`];
}

function isId(value: unknown): value is string | number {
	return typeof value === 'number' || isFilled(value);
}

function isFilled(value: unknown): value is string {
	return typeof value === 'string' && value.trim() !== '';
}

/** Describes a value from the sender, shortened for a message. */
function describeValue(value: unknown): string {
	if (typeof value !== 'string')
		return `a value of type ${Array.isArray(value) ? 'list' : typeof value}`;
	return quote(value);
}

function notAnEnvelope(message: string): Parsed {
	return { ok: false, message };
}

/**
 * Removes every `__proto__` key from a parsed body, in place. Such a key would become the prototype of a copy. Works
 * without recursion, so that deep nesting cannot exhaust the stack.
 * @returns number of removed keys, or that the body is nested too deeply for n8n to store
 */
function makeSafe(body: object): number | 'too deep' {
	let removed = 0;
	let level: object[] = [body];
	for (let depth = 1; level.length > 0; depth++) {
		if (depth > MAX_DEPTH) return 'too deep';
		const below: object[] = [];
		for (const value of level) {
			if (Object.hasOwn(value, '__proto__')) {
				Reflect.deleteProperty(value, '__proto__');
				removed++;
			}
			for (const child of Object.values(value)) {
				if (typeof child === 'object' && child !== null) below.push(child);
			}
		}
		level = below;
	}
	return removed;
}

/**
 * Returns the key by which duplicates of an event are recognized. The status is part of the key, because a `success`
 * after a `pending` is another event (§6.2). The `operation_id` of `card_blocked_by_velocity` is only the card (§6.5),
 * so that event is recognized by company, card and time, or by its whole data if one of these is missing.
 */
export function deliveryKey(envelope: Envelope): string {
	const { product, event_type, operation_id, status, data } = envelope;
	const parts: unknown[] = [product, event_type];
	if (eventName(envelope) !== BLOCKED_BY_VELOCITY) {
		parts.push(operation_id, status);
		// JSON.parse has rounded this number, so other events may have the same one.
		if (typeof operation_id === 'number' && !Number.isSafeInteger(operation_id))
			parts.push(digest(JSON.stringify(data)));
	} else {
		const block = [data.company_id ?? envelope.company_id, data.card_id, data.blocked_at];
		if (block.every(isNotEmpty)) parts.push(...block);
		else parts.push(operation_id, digest(JSON.stringify(data)));
	}
	const key = parts.map(partOf).join(':');
	return key.length > MAX_KEY_LENGTH ? digest(key) : key;
}

function isNotEmpty(value: unknown): value is string {
	return typeof value === 'string' && value !== '';
}

/** Encodes a part of a key. A colon inside a part is escaped, and the text "null" differs from null. */
function partOf(value: unknown): string {
	if (value === undefined) return '';
	return isNotEmpty(value) ? escape(value) : `%${escape(JSON.stringify(value))}`;
}

function escape(text: string): string {
	return text.replace(/[%:]/g, (sign) => (sign === '%' ? '%25' : '%3A'));
}

export function digest(text: string): string {
	return `sha256-${createHash('sha256').update(text).digest('hex')}`;
}
