import lodash from 'lodash';
import { request } from 'undici';

import { API_KEYS } from './ids.mts';
import { parseJson } from './parseJson.mts';
import type { Simulator } from './server.mts';

export interface Call {
	/** Access level of the key, default 3. `none` sends no key; any other string is sent as the key. */
	key?: 1 | 2 | 3 | 'none' | (string & {});
	/** A string is sent unchanged, anything else as JSON. */
	body?: unknown;
	headers?: Record<string, string>;
}

export type Response = Awaited<ReturnType<typeof call>>;

/** Sends one request, as a client of the service would, without following redirects or retrying. */
export async function call(
	simulator: Pick<Simulator, 'url'>,
	method: string,
	path: string,
	options: Call = {},
) {
	const { key = 3, body, headers = {} } = options;
	const apiKey = typeof key === 'number' ? API_KEYS[key] : key;
	const answer = await request(simulator.url + path, {
		method: method as 'GET',
		headers: {
			...(apiKey !== 'none' && { 'x-api-key': apiKey }),
			...(body !== undefined && { 'content-type': 'application/json' }),
			...headers,
		},
		body: body === undefined || typeof body === 'string' ? body : JSON.stringify(body),
	});
	const bytes = Buffer.from(await answer.body.arrayBuffer());
	const text = bytes.toString('utf8');
	return {
		status: answer.statusCode,
		headers: lodash.mapValues(answer.headers, String),
		text,
		bytes,
		/** Parsed body; undefined if it is not JSON. */
		json: parseJson(text),
	};
}
