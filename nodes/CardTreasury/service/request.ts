/** One request to the service and its reply (§4). */

export interface ServiceRequest {
	method: 'DELETE' | 'GET' | 'HEAD' | 'PATCH' | 'POST' | 'PUT';
	/** Below the base URL, made by `path`. */
	path: string;
	query?: Array<[name: string, value: string]>;
	headers?: Record<string, string>;
	/** JSON value, or JSON text that is sent as it is. A function reads files only when it is their turn. */
	body?: object | string | (() => Promise<object>);
	/** Body of a dry run, if it differs. */
	shown?: object;
}

export interface Reply {
	traceId: string | null;
	/** Undefined if the body is no JSON. */
	json: unknown;
	text: string;
	/** Media type in lower case, without parameters. */
	type: string;
	bytes: Buffer;
	/** True for 302 `WARNING`: accepted, and pending (§4.5). */
	isPending: boolean;
}

/**
 * Decides about repeats (§1.6). `read`, `set`: at will, a set with a random key. `payment`: with its own key, once in
 * all executions. `once`: never after an attempt that may have been executed.
 */
export type Effect = 'read' | 'set' | 'payment' | 'once';

/** Path with encoded IDs. */
export const path = (texts: TemplateStringsArray, ...ids: string[]): string =>
	texts.reduce((whole, text, at) => whole + encodeURIComponent(ids[at - 1] ?? '') + text);

/** Query as sent, from `?` on. Empty without parameters. */
export function queryText(query: ServiceRequest['query'] = []): string {
	const pairs = query.map((pair) => pair.map(encodeURIComponent).join('='));
	return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}
