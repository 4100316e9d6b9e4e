/** What the simulator keeps of an image: never its bytes. */
export interface ImageFacts {
	/** By the bytes; undefined when they are no known image or PDF. */
	type?: string;
	size: number;
}

/** By the first bytes, read as Latin-1. */
const SIGNATURES: Array<[type: string, begins: RegExp]> = [
	['image/png', /^\x89PNG\r\n\x1a\n/],
	['image/jpeg', /^\xff\xd8\xff/],
	['image/gif', /^GIF8[79]a/],
	['image/webp', /^RIFF[^]{4}WEBP/],
	['application/pdf', /^%PDF-/],
];

/** Type by content, not by what the sender claims. */
export function imageFacts(bytes: Buffer): ImageFacts {
	const start = bytes.toString('latin1', 0, 12);
	return { type: SIGNATURES.find(([, begins]) => begins.test(start))?.[0], size: bytes.length };
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
