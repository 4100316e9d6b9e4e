import { DateTime } from 'luxon';

import { FieldRefusal, type ParameterReader } from './reader';

/**
 * A calendar day as `YYYY-MM-DD` (§4.9). A date is taken as it stands; a date-time is the day it falls on
 * in the workflow's time zone, because that is the day the user means.
 */
export function readCalendarDay(parameters: ParameterReader, path: string, label: string): string {
	const value = parameters.get(path);
	const day = toDateTime(value, parameters.timezone);
	if (!day?.isValid) {
		throw new FieldRefusal(label, 'is not a date', 'Enter it as YYYY-MM-DD, e.g. 2026-01-31.');
	}
	return day.toFormat('yyyy-MM-dd');
}

function toDateTime(value: unknown, zone: string): DateTime | undefined {
	if (DateTime.isDateTime(value)) return value.setZone(zone);
	if (value instanceof Date) return DateTime.fromJSDate(value, { zone });
	if (typeof value !== 'string') return undefined;
	const text = value.trim();
	if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return DateTime.fromISO(text, { zone });
	if (/^\d{4}-\d{2}-\d{2}[T ]/.test(text))
		return DateTime.fromISO(text.replace(' ', 'T'), { zone });
	return undefined;
}
