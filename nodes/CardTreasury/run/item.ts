/** Item on its way through a run: read, prepared, ended. */

import type { IDataObject, IExecuteFunctions, INodeParameters } from 'n8n-workflow';

import { isObject } from '../../shared/isObject';
import { orProblem, Problem, reasonOf } from '../../shared/problem';
import type { Field, Fields, InputFile } from '../fields/field';
import type { Operation, PaymentValues } from '../operations/operation';
import type { Effect, ServiceRequest } from '../service/request';
import type { Names } from './names';
import { failed, type Result } from './result';
import { unhurried } from './unhurried';

export interface Item {
	index: number;
	/** Values that could be read: all of them, unless the item has failed. */
	values: IDataObject;
	work?: Work;
	/** Set when the item has ended. */
	result?: Result;
}

/** What an item sends, once its values are read. */
export interface Work {
	effect: Effect;
	request: ServiceRequest;
	/** Idempotency key. */
	key?: string;
	payment?: PaymentValues;
	/** Names of a write that is sent once. */
	names?: Names;
	/** True if this run has sent it, so that its journal answers, whatever the checks say by now. */
	isAnswered?: boolean;
}

/** Groups of the items with one text, in order. */
export function groupsBy(items: Item[], textOf: (item: Item) => string): Item[][] {
	const groups = new Map<string, Item[]>();
	for (const item of items) {
		const text = textOf(item);
		if (!groups.get(text)?.push(item)) groups.set(text, [item]);
	}
	return [...groups.values()];
}

/** Reads the fields of an operation for all items. Never rejects: what cannot be read is the item's result. */
export async function readItems(n8n: IExecuteFunctions, operation: Operation): Promise<Item[]> {
	// Once, because n8n copies the node each time.
	const { parameters } = n8n.getNode();
	const items: Item[] = [];
	for await (const index of unhurried(n8n.getInputData().keys()))
		items.push(readItem(n8n, parameters, operation.fields, index));
	return items;
}

function readItem(
	n8n: IExecuteFunctions,
	parameters: INodeParameters,
	fields: Fields,
	index: number,
): Item {
	const item: Item = { index, values: {} };
	for (const [name, field] of Object.entries(fields)) {
		if (!isShown(field, item.values)) continue;
		const value = orProblem(
			() => readField(n8n, parameters, name, field, index),
			(thrown) => unreadable(field.label, thrown),
		);
		if (value instanceof Problem) item.result ??= failed(value);
		else item.values[name] = value as IDataObject;
	}
	return item;
}

const unreadable = (label: string, thrown: unknown) =>
	new Problem(`${label} could not be read: ${reasonOf(thrown)}`, 'Check its expression.');

const isShown = ({ show = {} }: Field<unknown>, values: IDataObject): boolean =>
	Object.entries(show).every(([name, shown]) => shown.some((value) => value === values[name]));

function readField(
	n8n: IExecuteFunctions,
	parameters: INodeParameters,
	name: string,
	field: Field<unknown>,
	index: number,
): unknown {
	const stored: unknown = field.isOption ? parameters.options : parameters;
	const isPresent = isObject(stored) && Object.hasOwn(stored, name);
	if (field.isOption && !isPresent) return undefined;
	const parameter = field.isOption ? `options.${name}` : name;
	// The fallback keeps n8n from throwing for a parameter that was never saved.
	const given: unknown = n8n.getNodeParameter(parameter, index, null);
	// Resource locators are reduced here, because n8n's own extraction throws for hidden parameters.
	const value = isObject(given) && given.__rl === true ? given.value : given;
	return field.read({
		value: value ?? (isPresent ? undefined : field.property(name, '').default),
		raw: isPresent ? stored[name] : undefined,
		evaluate: (part) => n8n.evaluateExpression(part, index),
		file: (property) => fileOf(n8n, index, property),
		timezone: n8n.getTimezone(),
	});
}

function fileOf(n8n: IExecuteFunctions, index: number, property: string): InputFile | undefined {
	const data = n8n.getInputData()[index]?.binary?.[property];
	return (
		data && {
			type: data.mimeType,
			size: data.fileSize ?? 'unknown',
			bytes: async () => await n8n.helpers.getBinaryDataBuffer(index, property),
		}
	);
}
