import { request, type Dispatcher } from 'undici';

import { parseJson } from '../../simulator/parseJson.mts';

export interface Answer {
	status: number;
	text: string;
	/** The body as JSON; undefined when it is none. */
	json: any;
	headers: Record<string, unknown>;
}

export interface PostOptions {
	/** Raw header lines, so that one can be repeated; default the key and JSON. */
	headers?: Array<[name: string, value: string]>;
	key?: string;
	dispatcher?: Dispatcher;
}

/** Posts a body as it is when it is a text or bytes, as JSON otherwise. Header values are sent byte by byte (Latin-1). */
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
