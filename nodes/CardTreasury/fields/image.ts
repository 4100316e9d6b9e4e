import { InvalidFieldError } from '../../fields/invalidField';
import type { FileReference } from '../input';
import { isEmpty } from '../../fields/field';
import type { ItemField } from './item';

const starts = (pattern: RegExp) => (head: string) => pattern.test(head);

/** First bytes of the image formats that cameras and scanners write, read as Latin-1. */
const SIGNATURES: Array<{ type: string; matches: (head: string) => boolean }> = [
	{ type: 'image/jpeg', matches: starts(/^\xff\xd8\xff/) },
	{ type: 'image/png', matches: (head) => head.startsWith('\x89PNG\r\n\x1a\n') },
	{ type: 'image/gif', matches: starts(/^GIF8[79]a/) },
	{ type: 'image/webp', matches: starts(/^RIFF[\s\S]{4}WEBP/) },
	{ type: 'image/heic', matches: starts(/^[\s\S]{4}ftyp(?:heic|heix|mif1)/) },
	{ type: 'image/tiff', matches: starts(/^(?:II\*\0|MM\0\*)/) },
	{ type: 'application/pdf', matches: starts(/^%PDF-/) },
];

/** The image in a binary field, by reference, with the type of its real content; undefined when no field is named. */
export function image(
	displayName: string,
	info: { default: string; required?: boolean; hint: string },
): ItemField<FileReference | undefined> {
	const shown = { displayName, ...info };
	return {
		property: (name) => ({ ...shown, name, type: 'string' }),
		read: async (source, name) => {
			const field = source.get(name);
			if (isEmpty(field)) return undefined;
			if (typeof field !== 'string') {
				throw new InvalidFieldError(
					displayName,
					'is not a field name',
					'Enter the name of the binary field, for example data.',
				);
			}
			return await check(await source.item.file(field), field, displayName);
		},
	};
}

async function check(
	file: FileReference | undefined,
	field: string,
	label: string,
): Promise<FileReference> {
	if (file === undefined) {
		throw new InvalidFieldError(
			label,
			`names ${JSON.stringify(field)}, but the item has no file in that field`,
			'Check the name of the binary field, and that the node before passes the file on.',
		);
	}
	if (file.size === 0) {
		throw new InvalidFieldError(label, 'holds an empty file', 'Check where the file comes from.');
	}
	const head = (await file.head()).toString('latin1');
	const type = SIGNATURES.find(({ matches }) => matches(head))?.type;
	if (type !== undefined) return file.withType(type);
	throw new InvalidFieldError(
		label,
		'holds a file that is not an image in a known format',
		'Use a photo or scan as JPEG, PNG, WebP, HEIC, GIF, TIFF or PDF.',
	);
}
