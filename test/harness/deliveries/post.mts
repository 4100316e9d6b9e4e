import { request, type Dispatcher } from 'undici';

import { parseJson } from '../../simulator/parseJson.mts';

export interface Answer {
	status: number;
	text: string;
	/** Parsed body; undefined if it is not JSON. */
	json: any;
	headers: Record<string, unknown>;
}

interface PostOptions {
	/** Raw header lines, so that a header can be repeated; default the key and JSON. */
	headers?: Array<[name: string, value: string]>;
	key?: string;
	dispatcher?: Dispatcher;
}

/** Posts text or bytes unchanged, anything else as JSON. Header values are sent as Latin-1 bytes. */
export async function post(url: string, body: unknown, options: PostOptions = {}): Promise<Answer> {
	const lines = options.headers ?? [
		['x-webhook-key', options.key ?? 'test-webhook-key'],
		['content-type', 'application/json'],
	];
	const answer = await request(url, {
		method: 'POST',
		headers: lines.flat(),
		body: typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body),
		dispatcher: options.dispatcher,
	});
	const text = await answer.body.text();
	return { status: answer.statusCode, text, json: parseJson(text), headers: answer.headers };
}
