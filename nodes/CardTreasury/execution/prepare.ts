import type { ServiceOperation, ServiceRequest } from '../operation';
import { FieldRefusal, type ParameterReader } from '../parameters/reader';
import {
	checkOwnKey,
	deriveIdempotencyKey,
	IDEMPOTENCY_HEADER,
	type WorkIdentity,
} from '../request/idempotencyKey';
import type { Effort, Traits } from '../request/pipeline';
import type { Repetition } from '../request/refusal';
import { readEffort } from './effort';
import type { FailedRead } from './precheck';
import { settle } from './settle';

/** One item, ready to be sent. */
export interface Prepared {
	fields: unknown;
	request: ServiceRequest;
	effort: Effort;
	traits: Traits;
	/** Whether the node made the idempotency key, not the user. */
	derivedKey: boolean;
}

/** Why an item will not be sent. */
export type Refused = FieldRefusal | FailedRead;

/** An item before it is sent. */
export type Entry = Prepared | Refused;

export function isReady(entry: Entry): entry is Prepared {
	return 'request' in entry;
}

/** Reads and checks one item's fields, and makes its request. Nothing is sent. */
export async function prepare(
	operation: ServiceOperation<unknown>,
	parameters: ParameterReader,
	identity: WorkIdentity,
	repetition: Repetition,
): Promise<Prepared | FieldRefusal> {
	return await settle(async () => {
		const fields = await operation.fields(parameters);
		const effect =
			typeof operation.effect === 'function' ? operation.effect(fields) : operation.effect;
		const request = operation.request(fields);
		const keyed =
			effect === 'keyed write' || (effect === 'unkeyed write' && operation.keyAnyWrite === true);
		const own = keyed ? ownKey(parameters) : undefined;
		const key = keyed ? (own ?? deriveIdempotencyKey(identity, request)) : undefined;
		const headers = {
			...request.headers,
			...(key === undefined ? {} : { [IDEMPOTENCY_HEADER]: key }),
		};
		return {
			fields,
			request: { ...request, headers },
			effort: readEffort(parameters, operation.timeoutMs),
			traits: { ...operation, effect, repetition: own === undefined ? repetition : 'own key' },
			derivedKey: keyed && own === undefined,
		};
	});
}

/** The user's own key; undefined when the option is not set. */
function ownKey(parameters: ParameterReader): string | undefined {
	const options = parameters.get('options');
	if (typeof options !== 'object' || options === null || !('idempotencyKey' in options))
		return undefined;
	const own = parameters.get('options.idempotencyKey');
	const reason = checkOwnKey(own);
	if (reason === undefined) return String(own);
	throw new FieldRefusal(
		'Idempotency Key',
		reason,
		'Check the expression that gives it, or remove the option to let the node derive the key.',
	);
}

/** Refuses items that have the same key: the service would carry out only the first of them. */
export function refuseSharedKeys(entries: Entry[]): Entry[] {
	const keyOf = (entry: Entry) =>
		isReady(entry) ? entry.request.headers?.[IDEMPOTENCY_HEADER] : undefined;
	const places = new Map<string, number[]>();
	entries.forEach((entry, index) => {
		const key = keyOf(entry);
		if (key !== undefined) places.set(key, [...(places.get(key) ?? []), index]);
	});
	return entries.map((entry) => {
		const sharing = places.get(keyOf(entry) ?? '') ?? [];
		if (sharing.length < 2) return entry;
		return new FieldRefusal(
			'Idempotency Key',
			`is the same for items ${sharing.slice(0, 10).join(', ')}: only the first would be carried out`,
			'Make it different for each item, e.g. by putting the wallet and the date into it.',
		);
	});
}
