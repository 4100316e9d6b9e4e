/** What the simulator keeps of an image: never its bytes. */
export interface ImageFacts {
	/** By the bytes; undefined when they are no known image or PDF. */
	type?: string;
	size: number;
}

const SIGNATURES: Array<{ type: string; matches: (bytes: Buffer) => boolean }> = [
	{
		type: 'image/png',
		matches: (bytes) => bytes.subarray(0, 8).toString('hex') === '89504e470d0a1a0a',
	},
	{ type: 'image/jpeg', matches: (bytes) => bytes.subarray(0, 3).toString('hex') === 'ffd8ff' },
	{
		type: 'image/gif',
		matches: (bytes) => /^GIF8[79]a$/.test(bytes.subarray(0, 6).toString('latin1')),
	},
	{
		type: 'image/webp',
		matches: (bytes) =>
			bytes.subarray(0, 4).toString('latin1') === 'RIFF' &&
			bytes.subarray(8, 12).toString('latin1') === 'WEBP',
	},
	{
		type: 'application/pdf',
		matches: (bytes) => bytes.subarray(0, 5).toString('latin1') === '%PDF-',
	},
];

/** Type by content, not by what the sender claims. */
export function imageFacts(bytes: Buffer): ImageFacts {
	return { type: SIGNATURES.find(({ matches }) => matches(bytes))?.type, size: bytes.length };
}

/** Splits `data:<type>;base64,<data>` (§4.2); undefined when it is anything else. */
export function readDataUrl(text: string): { declaredType: string; bytes: Buffer } | undefined {
	const match = /^data:([\w.+-]+\/[\w.+-]+);base64,([A-Za-z0-9+/]+={0,2})$/.exec(text);
	if (!match) return undefined;
	return { declaredType: match[1]!, bytes: Buffer.from(match[2]!, 'base64') };
}

/** The body as it may be stored: image texts are replaced by type and size. Bodies without images stay as they are, to the letter. */
export function withoutImages(bodyText: string): string {
	let found = false;
	const replace = (name: string, value: unknown) => {
		if (name !== 'image_front' && name !== 'image_back') return value;
		found = true;
		return describeImage(value);
	};
	try {
		const kept = JSON.stringify(JSON.parse(bodyText, replace));
		return found ? kept : bodyText;
	} catch {
		return /image|base64/i.test(bodyText)
			? `<${bodyText.length} characters that are not JSON>`
			: bodyText;
	}
}

function describeImage(value: unknown): string {
	if (typeof value !== 'string') return `<${value === null ? 'null' : typeof value}>`;
	const image = readDataUrl(value);
	if (!image) return `<${value.length} characters that are no data URL>`;
	const { type = 'unknown type', size } = imageFacts(image.bytes);
	return `<${type}, ${size} bytes>`;
}
