import { DateTime } from 'luxon';

import { optional, type Looks } from '../../fields/field';
import type { ItemField, ItemSource } from './item';

/**
 * A calendar day as `YYYY-MM-DD` (§4.9); undefined when it is left empty. A date is taken as it stands; a date-time is
 * the day it falls on in the workflow's time zone, because that is the day the user means.
 */
export function calendarDay(label: string, description: string): ItemField<string | undefined> {
	const looks: Looks = { type: 'dateTime', typeOptions: { dateOnly: true }, description };
	return optional<string, ItemSource>(label, looks, ({ value, source, refuse }) => {
		const day = toDateTime(value, source.caller.timezone);
		return day?.isValid
			? day.toFormat('yyyy-MM-dd')
			: refuse('is not a date', 'Enter it as YYYY-MM-DD, for example 2026-01-31.');
	});
}

function toDateTime(value: unknown, zone: string): DateTime | undefined {
	if (DateTime.isDateTime(value)) return value.setZone(zone);
	if (value instanceof Date) return DateTime.fromJSDate(value, { zone });
	if (typeof value !== 'string') return undefined;
	const text = value.trim();
	if (!/^\d{4}-\d{2}-\d{2}(?:[T ].*)?$/.test(text)) return undefined;
	return DateTime.fromISO(text.replace(' ', 'T'), { zone });
}
