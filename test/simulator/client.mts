import lodash from 'lodash';
import { request as send } from 'undici';

import { API_KEYS, IDS } from './ids.mts';
import { parseJson } from './parseJson.mts';
import { simulator } from './useSimulator.mts';

/** Image recognisable by its first bytes. */
export const PNG = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(200, 7)]);

interface Call {
	/** Access level of the key, default 3. `none` sends no key; any other string is sent as the key. */
	key?: 1 | 2 | 3 | 'none' | (string & {});
	/** A string is sent unchanged, anything else as JSON. */
	body?: unknown;
	idempotencyKey?: string;
	/** Undefined leaves a header out. */
	headers?: Record<string, string | undefined>;
}

/**
 * Sends one request, as a client of the service would, without following redirects or retrying.
 * @param request `METHOD path`
 */
export async function call(request: string, { key = 3, body, idempotencyKey, headers }: Call = {}) {
	const [method, path = ''] = request.split(' ');
	const answer = await send(simulator.url + path, {
		method: method as 'GET',
		headers: {
			...(key !== 'none' && { 'x-api-key': typeof key === 'number' ? API_KEYS[key] : key }),
			...(body !== undefined && { 'content-type': 'application/json' }),
			...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
			...headers,
		},
		body: body === undefined || typeof body === 'string' ? body : JSON.stringify(body),
	});
	const text = await answer.body.text();
	return {
		status: answer.statusCode,
		headers: lodash.mapValues(answer.headers, String),
		text,
		json: parseJson(text),
	};
}

export const transfer = (body: unknown) =>
	call(`POST /mpc/accounts/${IDS.account}/wallets/${IDS.wallet}/transfer`, { body });

export const freeze = () =>
	call(`PATCH /cards/individual-cards/${IDS.activeCard}/frozen`, { body: { freeze: true } });

/** @param request `METHOD name` of the control API, which needs no key */
export const control = (request: string, body?: unknown) =>
	call(request.replace(' ', ' /_simulator/'), { key: 'none', body });

/** A value with one of its fields missing or of another type, for every field at any depth. */
export function* damaged(
	value: object,
	path: Array<string | number> = [],
): Generator<[string, object]> {
	const whole = path.length === 0 ? value : (lodash.get(value, path) as object);
	for (const [name, child] of Object.entries(whole)) {
		const place = [...path, name];
		if (!Array.isArray(whole)) {
			const missing = structuredClone(value);
			lodash.unset(missing, place);
			yield [`${place.join('.')} missing`, missing];
			yield [
				`${place.join('.')} retyped`,
				lodash.set(structuredClone(value), place, [['of another type']]),
			];
		}
		if (typeof child === 'object' && child !== null) yield* damaged(value, place);
	}
}
