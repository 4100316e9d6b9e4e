import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../../shared/isObject';
import { Problem } from '../../shared/problem';
import type { Reply } from '../service/request';

/** Fields of an item that are ours. n8n takes an item with `error` for a failed one. */
const OURS = ['error', 'outcome', 'summary'];

/** Object of a reply as it came. Any other value, and one with fields of our names, is put under `answer`. */
export const asItem = (json: unknown): IDataObject =>
	isObject(json) && !OURS.some((name) => Object.hasOwn(json, name))
		? (json as IDataObject)
		: { answer: (json ?? null) as IDataObject };

/**
 * Checks a reply to a read.
 * @throws Problem for a reply that is empty, or of another form
 */
const only =
	<Value>(thing: string, is: (json: unknown) => json is Value) =>
	({ json, traceId }: Reply): Value => {
		if (is(json)) return json;
		throw new Problem(`The reply is not ${thing}`, 'Try again.', 'rejected', { traceId });
	};

export const listIn = only('a list', (json): json is unknown[] => Array.isArray(json));
export const objectIn = only(
	'an object with fields',
	(json): json is object => isObject(json) && Object.keys(json).length > 0,
);

/** JSON of a reply, or its text. Undefined if it is empty. */
export const contentOf = ({ json, text }: Reply): unknown => json ?? (text || undefined);

export const objectOf = (json: unknown): IDataObject =>
	isObject(json) ? (json as IDataObject) : {};

/** Objects in a list, in order. */
export const objectsIn = (list: unknown): IDataObject[] =>
	Array.isArray(list) ? list.filter(isObject).map(objectOf) : [];

/** Splits the reply to a write into its documented fields and the rest as `{ answer }`: it may have had no effect. */
export function documented(reply: Reply, ...names: string[]) {
	const content = contentOf(reply);
	const json = objectOf(content);
	const others = Object.entries(json).filter(([name]) => !names.includes(name));
	const rest = isObject(content) ? Object.fromEntries(others) : content;
	const isEmpty = rest === undefined || (isObject(rest) && others.length === 0);
	return { json, rest: isEmpty ? {} : { answer: rest as IDataObject } };
}
