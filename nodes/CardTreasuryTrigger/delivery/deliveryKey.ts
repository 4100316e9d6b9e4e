import { createHash } from 'node:crypto';

import { BLOCKED_BY_VELOCITY, eventName } from '../events';
import type { Envelope } from './parse';

/** In characters. Thousands of keys are stored, and n8n shows them: a longer one is replaced by its digest. */
const MAX_LENGTH = 250;

/**
 * Identifies an event, so that copies of it are recognized: `operation_id` within product, event type and status (a
 * `success` that follows a `pending` is another event, §6.2), and (company_id, card_id, blocked_at) for
 * `card_blocked_by_velocity`, whose `operation_id` is only the card (§6.5). Where that event lacks one of the three, its
 * whole data identifies it: a card that is blocked again must not be taken for a copy.
 */
export function deliveryKey(envelope: Envelope): string {
	const { product, event_type, operation_id, status, data } = envelope;
	const parts: unknown[] = [product, event_type];
	if (eventName(envelope) !== BLOCKED_BY_VELOCITY) {
		parts.push(operation_id, status);
	} else {
		const block = [data.company_id ?? envelope.company_id, data.card_id, data.blocked_at];
		if (block.every(isText)) parts.push(...block);
		else parts.push(operation_id, digest(JSON.stringify(data)));
	}
	const key = parts.map(partOf).join(':');
	return key.length > MAX_LENGTH ? digest(key) : key;
}

function isText(value: unknown): value is string {
	return typeof value === 'string' && value !== '';
}

/** Keeps the parts apart: a colon inside one does not separate, and the text "null" is not null. */
function partOf(value: unknown): string {
	if (value === undefined) return '';
	return isText(value) ? escape(value) : `%${escape(JSON.stringify(value))}`;
}

function escape(text: string): string {
	return text.replace(/[%:]/g, (sign) => (sign === '%' ? '%25' : '%3A'));
}

export function digest(text: string): string {
	return `sha256-${createHash('sha256').update(text).digest('hex')}`;
}
