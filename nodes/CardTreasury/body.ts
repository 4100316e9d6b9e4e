import { createHash } from 'node:crypto';

import { FileReference } from './input';
import { RawJson, type Body, type ServiceRequest } from './request';

/** The JSON text of a body. Files are read here, when it is the request's turn, and not before. */
export async function encodeBody(body: Body): Promise<string> {
	return await encode(body, async (file) => {
		const bytes = await file.bytes();
		return JSON.stringify(
			`data:${file.type ?? 'application/octet-stream'};base64,${bytes.toString('base64')}`,
		);
	});
}

/** The same text with each file told by size and type only: for a dry run, and to tell one request from another. */
export async function describeBody(body: Body): Promise<string> {
	return await encode(body, async ({ size, type }) =>
		JSON.stringify({ size, type: type ?? 'unknown' }),
	);
}

/** Tells one request from another: method, path, query and body, files by size and type. */
export async function fingerprintOf(
	{ method, path, query = [] }: ServiceRequest,
	body: Body | undefined,
): Promise<string> {
	const described = body === undefined ? '' : await describeBody(body);
	return createHash('sha256')
		.update(JSON.stringify([method, path, query, described]))
		.digest('hex');
}

async function encode(
	body: Body,
	file: (reference: FileReference) => Promise<string>,
): Promise<string> {
	if (body instanceof RawJson) return body.text;
	if (body instanceof FileReference) return await file(body);
	if (Array.isArray(body)) {
		return `[${(await Promise.all(body.map(async (entry) => await encode(entry, file)))).join(',')}]`;
	}
	if (typeof body !== 'object' || body === null) return JSON.stringify(body);
	const entries: string[] = [];
	for (const [name, value] of Object.entries(body)) {
		if (value !== undefined) entries.push(`${JSON.stringify(name)}:${await encode(value, file)}`);
	}
	return `{${entries.join(',')}}`;
}
