import { FieldRefusal, type ParameterReader } from '../../parameters/reader';

/** First bytes of the image formats that cameras and scanners write. */
const SIGNATURES: Array<{ type: string; matches: (bytes: Buffer) => boolean }> = [
	{
		type: 'image/jpeg',
		matches: (bytes) => bytes.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff])),
	},
	{
		type: 'image/png',
		matches: (bytes) => bytes.subarray(0, 8).toString('latin1') === '\x89PNG\r\n\x1a\n',
	},
	{
		type: 'image/gif',
		matches: (bytes) => /^GIF8[79]a$/.test(bytes.subarray(0, 6).toString('latin1')),
	},
	{
		type: 'image/webp',
		matches: (bytes) => /^RIFF[\s\S]{4}WEBP$/.test(bytes.subarray(0, 12).toString('latin1')),
	},
	{
		type: 'image/heic',
		matches: (bytes) => /^ftyp(?:heic|heix|mif1)$/.test(bytes.subarray(4, 12).toString('latin1')),
	},
	{
		type: 'image/tiff',
		matches: (bytes) => /^(?:II\*\0|MM\0\*)$/.test(bytes.subarray(0, 4).toString('latin1')),
	},
	{
		type: 'application/pdf',
		matches: (bytes) => bytes.subarray(0, 5).toString('latin1') === '%PDF-',
	},
];

/** The image of a binary field as a data URL with the type of its real content (§4.2). */
export async function readImage(
	parameters: ParameterReader,
	path: string,
	label: string,
): Promise<string | undefined> {
	const field = parameters.get(path);
	if (field === undefined || field === null || field === '') return undefined;
	if (typeof field !== 'string') {
		throw new FieldRefusal(
			label,
			'is not the name of a field',
			'Enter the name of the binary field, e.g. data.',
		);
	}
	const file = await parameters.file(field);
	if (file === undefined) {
		throw new FieldRefusal(
			label,
			`names ${JSON.stringify(field)}, but the item has no file in that field`,
			'Check the name of the binary field, and that the node before passes the file on.',
		);
	}
	if (file.bytes.length === 0)
		throw new FieldRefusal(label, 'holds an empty file', 'Check where the file comes from.');
	const type = SIGNATURES.find(({ matches }) => matches(file.bytes))?.type;
	if (type === undefined) {
		throw new FieldRefusal(
			label,
			'holds a file that is not an image in a known format',
			'Use a photo or scan as JPEG, PNG, WebP, HEIC, GIF, TIFF or PDF.',
		);
	}
	return `data:${type};base64,${file.bytes.toString('base64')}`;
}
