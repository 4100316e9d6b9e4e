import { createHash } from 'node:crypto';

import { BLOCKED_BY_VELOCITY, eventName } from '../events';
import type { Envelope } from './parse';

/** Keys are kept by the thousand, and n8n shows them: longer ones become their digest. */
const MAX_LENGTH = 250;

/**
 * What a duplicate is recognised by: `operation_id` within product, event type and status (a `success` that follows a
 * `pending` is no repetition of it, §6.2), and (company_id, card_id, blocked_at) for `card_blocked_by_velocity`, whose
 * `operation_id` is only the card (§6.5). Where that event lacks one of the three, its whole data tells blocks apart:
 * a card that is blocked again must never pass for a repetition. Different events never have the same key.
 */
export function deliveryKey(envelope: Envelope): string {
	const { product, event_type, operation_id, status, data } = envelope;
	const parts = [product, event_type];
	if (eventName(envelope) !== BLOCKED_BY_VELOCITY) {
		parts.push(operation_id, isText(status) ? status : '');
	} else {
		const block = [data.company_id ?? envelope.company_id, data.card_id, data.blocked_at];
		if (block.every(isText)) parts.push(...block);
		else parts.push(operation_id, digest(JSON.stringify(data)));
	}
	const key = parts.map(escape).join(':');
	return key.length > MAX_LENGTH ? digest(key) : key;
}

function isText(value: unknown): value is string {
	return typeof value === 'string' && value !== '';
}

/** Keeps the parts apart: a colon inside one does not separate. */
function escape(part: string): string {
	return part.replace(/[%:]/g, (sign) => (sign === '%' ? '%25' : '%3A'));
}

function digest(text: string): string {
	return `sha256-${createHash('sha256').update(text).digest('hex')}`;
}
