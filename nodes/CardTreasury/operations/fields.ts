import { DateTime, type DateTimeOptions } from 'luxon';
import type { INodeProperties } from 'n8n-workflow';

import { optional, required, type FieldContext, type Ui } from '../../shared/fields/field';
import { quote } from '../../shared/fields/invalidField';
import { named } from '../../shared/fields/text';
import type { FileReference } from '../request/input';
import type { ItemField, ItemSource } from './itemFields';

/** Required value. The user picks it from a list of the service, or enters it. */
export function locator<Value>(
	label: string,
	ui: Pick<INodeProperties, 'description' | 'builderHint'> & {
		/** Mode for entering the value, e.g. `By ID`. */
		byHand: { displayName: string; placeholder: string };
		fix?: string;
	},
	read: (given: FieldContext<ItemSource>) => Value,
	list: NonNullable<ItemField<Value>['list']>,
): ItemField<Value> {
	const { byHand, fix, ...others } = ui;
	const shown = (method: string): Partial<INodeProperties> => ({
		...others,
		type: 'resourceLocator',
		default: { mode: 'list', value: '' },
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				typeOptions: { searchListMethod: method, searchable: true },
			},
			{ ...byHand, name: 'id', type: 'string' },
		],
	});
	return { ...named(required(label, shown, read, fix)), list };
}

/**
 * Calendar day as `YYYY-MM-DD` (§4.9). Undefined if empty. A date-time becomes its day in the workflow's time zone,
 * because users mean that day.
 */
export function calendarDay(label: string, description: string): ItemField<string | undefined> {
	const ui: Ui = { type: 'dateTime', typeOptions: { dateOnly: true }, description };
	return optional<string, ItemSource>(label, ui, ({ value, source, refuse }) => {
		const { timezone } = source.caller;
		const day = toDateTime(value, timezone);
		if (day?.invalidReason === 'unsupported zone')
			return refuse(`cannot be read: ${quote(timezone)} is not a time zone`, TIMEZONE_FIX);
		if (!day?.isValid)
			return refuse('is not a date', 'Enter it as YYYY-MM-DD, for example 2026-01-31.');
		const local = dayIn(day);
		const other = readElsewhere(value, day).find((read) => edgeOf(read) && dayIn(read) !== local);
		if (other === undefined) return local;
		return refuse(
			`is ${edgeOf(other)} of ${dayIn(other)} in ${other.zoneName}, but ${local} in ${timezone}`,
			`Write the day that you mean: ${dayIn(other)}, or ${local}.`,
		);
	});
}

const dayIn = (read: DateTime) => read.toFormat('yyyy-MM-dd');

/**
 * Readings of a date-time in UTC and in the zone that it names, because databases and reports give a day as its first or
 * last moment there. None for a text without a zone, which is in the workflow's zone.
 */
function readElsewhere(value: unknown, day: DateTime): DateTime[] {
	if (typeof value !== 'string')
		return [day.toUTC(), ...(DateTime.isDateTime(value) ? [value] : [])];
	const [utc, other] = ['utc', 'utc+1'].map((zone) => fromText(value, { zone }));
	return utc?.toMillis() === other?.toMillis()
		? [day.toUTC(), fromText(value, { setZone: true }) ?? day]
		: [];
}

/** Words for the first or the last minute of a day. Undefined at any other time. */
function edgeOf(read: DateTime): string | undefined {
	if (read.toMillis() === read.startOf('day').toMillis()) return 'midnight';
	return read.hour === 23 && read.minute === 59 ? 'the end' : undefined;
}

export const TIMEZONE_FIX =
	'Choose the Timezone in the settings of the workflow, or correct GENERIC_TIMEZONE.';

function toDateTime(value: unknown, zone: string): DateTime | undefined {
	if (DateTime.isDateTime(value)) return value.setZone(zone);
	if (value instanceof Date) return DateTime.fromJSDate(value, { zone });
	return typeof value === 'string' ? fromText(value, { zone }) : undefined;
}

function fromText(given: string, zone: DateTimeOptions): DateTime | undefined {
	const text = given.trim();
	if (!/^\d{4}-\d{2}-\d{2}(?:[T ].*)?$/.test(text)) return undefined;
	return DateTime.fromISO(text.replace(' ', 'T'), zone);
}

const starts = (pattern: RegExp) => (head: string) => pattern.test(head);

/** File signatures of image formats, matched on the first bytes read as Latin-1. */
const SIGNATURES: Array<{ type: string; matches: (head: string) => boolean }> = [
	{ type: 'image/jpeg', matches: starts(/^\xff\xd8\xff/) },
	{ type: 'image/png', matches: (head) => head.startsWith('\x89PNG\r\n\x1a\n') },
	{ type: 'image/gif', matches: starts(/^GIF8[79]a/) },
	{ type: 'image/webp', matches: starts(/^RIFF[\s\S]{4}WEBP/) },
	{ type: 'image/heic', matches: starts(/^[\s\S]{4}ftyp(?:hei[cmsx]|hev[cmsx]|m[is]f1)/) },
	{ type: 'image/tiff', matches: starts(/^(?:II\*\0|MM\0\*)/) },
	// Readers accept other bytes before the header, such as a byte order mark.
	{ type: 'application/pdf', matches: (head) => head.includes('%PDF-') },
];

const FORMATS = 'Send JPEG, PNG, WebP, HEIC, GIF, TIFF or PDF.';

/** Image in a binary field, with the detected type. Undefined if no field is named. */
export function image(label: string, ui: Ui): ItemField<FileReference | undefined> {
	return { ...optional<FileReference, ItemSource>(label, ui, readImage), namesFile: true };
}

function readImage({ label, value, source, refuse }: FieldContext<ItemSource>): FileReference {
	if (typeof value !== 'string') {
		return refuse('is not a field name', 'Enter the name of the binary field, for example data.');
	}
	const called = `the ${label.replace(/ Field$/, '').toLowerCase()}`;
	const file = source.item.file(value);
	if (file === undefined) {
		return refuse(
			`is ${quote(value)}, but the item has no file of that name`,
			"n8n's form drops an empty file. Otherwise, check the name, and whether the previous node passes the file on.",
			// n8n's form drops an empty file.
			`${called} is missing or an empty file. Choose it again and send it.`,
		);
	}
	if (file.size === 0) {
		return refuse(
			'holds an empty file',
			'Check where the file comes from.',
			`${called} is an empty file. Choose it again and send it.`,
		);
	}
	const head = file.head.toString('latin1');
	const type = SIGNATURES.find(({ matches }) => matches(head))?.type;
	return type === undefined
		? refuse(
				'holds a file that is not an image in a known format',
				FORMATS,
				`${called} is not an image in a format that we can read. Send JPEG, PNG, WebP, HEIC or PDF.`,
			)
		: file.withType(type);
}
