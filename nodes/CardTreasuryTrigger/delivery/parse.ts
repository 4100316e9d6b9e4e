import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../../service/isObject';
import { inspectBody } from './body';
import { EVENTS_BY_NAME, EVENT_STATUSES, PRODUCTS, eventName } from '../events';

/** The envelope of §6.2 as it came; what it has beyond these fields stays on it. */
export interface Envelope extends IDataObject {
	product: string;
	event_type: string;
	operation_id: string;
	data: IDataObject;
}

export type Parsed =
	| { ok: true; envelope: Envelope; issues: string[] }
	/** Not an envelope; the message names the field. */
	| { ok: false; message: string };

/** A hostile body could have thousands. */
const MAX_ISSUES = 20;

/**
 * Reads a delivery's body. It is rejected only when it is not an envelope (§6.2); every departure of `data`, `status` or
 * `product` from §6.5 becomes an issue, so that an event with a new field or value is never lost.
 * @param body what n8n made of the request; any value at all
 */
export function parse(body: unknown): Parsed {
	if (!isObject(body)) {
		return unreadable('The body must be a JSON object, sent as application/json');
	}
	const inspection = inspectBody(body);
	if (!inspection.ok) return unreadable(inspection.message);
	if (!isEnvelope(body)) return unreadable(missing(body));
	const issues = [
		...(inspection.removed > 0
			? [`__proto__: ${inspection.removed} key(s) of this name were removed as unsafe to copy`]
			: []),
		...envelopeIssues(body),
		...dataIssues(body),
	];
	return { ok: true, envelope: body, issues: atMost(issues) };
}

function isEnvelope(body: Record<string, unknown>): body is Envelope {
	return (
		isText(body.product) &&
		isText(body.event_type) &&
		isText(body.operation_id) &&
		isObject(body.data)
	);
}

function missing(body: Record<string, unknown>): string {
	const field = ['product', 'event_type', 'operation_id'].find((name) => !isText(body[name]));
	return field === undefined
		? '"data" must be an object'
		: `"${field}" must be a string that is not empty`;
}

function envelopeIssues({ product, event_type, status, company_id }: Envelope): string[] {
	const issues: string[] = [];
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
	if (company_id !== undefined && typeof company_id !== 'string')
		issues.push('company_id: must be a string');
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

function isText(value: unknown): value is string {
	return typeof value === 'string' && value.trim() !== '';
}

/** A value from outside, shortened for a message. */
function describeValue(value: unknown): string {
	if (typeof value !== 'string')
		return `a value of type ${Array.isArray(value) ? 'list' : typeof value}`;
	return JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value);
}

function unreadable(message: string): Parsed {
	return { ok: false, message };
}
