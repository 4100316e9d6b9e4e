/** File signatures, matched on the first bytes read as Latin-1. */
const SIGNATURES: Array<[type: string, begins: RegExp]> = [
	['image/png', /^\x89PNG\r\n\x1a\n/],
	['image/jpeg', /^\xff\xd8\xff/],
	['image/gif', /^GIF8[79]a/],
	['image/webp', /^RIFF[^]{4}WEBP/],
	['application/pdf', /^%PDF-/],
];

/** Detects the type from the content, not from the sender's claim; undefined for no known image or PDF. */
export function typeOf(bytes: Buffer): string | undefined {
	const start = bytes.toString('latin1', 0, 12);
	return SIGNATURES.find(([, begins]) => begins.test(start))?.[0];
}

/** Splits `data:<type>;base64,<data>` (§4.2); undefined for any other text. */
export function readDataUrl(text: string): { declaredType: string; bytes: Buffer } | undefined {
	const match = /^data:([\w.+-]+\/[\w.+-]+);base64,([A-Za-z0-9+/]+={0,2})$/.exec(text);
	if (!match) return undefined;
	return { declaredType: match[1]!, bytes: Buffer.from(match[2]!, 'base64') };
}

/** Body as it may be stored: images are replaced by type and size. A body without images is returned unchanged. */
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
	const image = typeof value === 'string' ? readDataUrl(value) : undefined;
	if (!image) return '<no data URL>';
	return `<${typeOf(image.bytes) ?? 'unknown type'}, ${image.bytes.length} bytes>`;
}
