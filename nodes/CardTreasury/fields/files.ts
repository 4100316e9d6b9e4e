import { optional, type Looks } from '../../fields/field';
import type { FileReference } from '../input';
import type { ItemField, ItemSource } from './item';

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
export function image(label: string, looks: Looks): ItemField<Promise<FileReference> | undefined> {
	return optional<Promise<FileReference>, ItemSource>(
		label,
		looks,
		async ({ value, source, refuse }) => {
			if (typeof value !== 'string') {
				return refuse(
					'is not a field name',
					'Enter the name of the binary field, for example data.',
				);
			}
			const file = await source.item.file(value);
			if (file === undefined) {
				return refuse(
					`names ${JSON.stringify(value)}, but the item has no file in that field`,
					'Check the name of the binary field, and that the node before passes the file on.',
				);
			}
			if (file.size === 0) {
				return refuse('holds an empty file', 'Check where the file comes from.');
			}
			const head = (await file.head()).toString('latin1');
			const type = SIGNATURES.find(({ matches }) => matches(head))?.type;
			return type === undefined
				? refuse(
						'holds a file that is not an image in a known format',
						'Use a photo or scan as JPEG, PNG, WebP, HEIC, GIF, TIFF or PDF.',
					)
				: file.withType(type);
		},
	);
}
