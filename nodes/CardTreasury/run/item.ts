/** Item on its way through a run: read, prepared, ended. */

import {
	sleep,
	type IDataObject,
	type IExecuteFunctions,
	type INodeParameters,
} from 'n8n-workflow';

import { isObject } from '../../shared/isObject';
import { Problem, reasonOf } from '../../shared/problem';
import { quote, textOf } from '../../shared/text';
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

/** Request of an item and its names, once its values are read. */
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
export async function readItems(n8n: IExecuteFunctions, { fields }: Operation): Promise<Item[]> {
	// Once, because n8n copies the node each time.
	const { parameters } = n8n.getNode();
	const items: Item[] = [];
	for await (const index of unhurried(n8n.getInputData().keys())) {
		const item: Item = { index, values: {} };
		for (const [name, field] of Object.entries(fields)) {
			if (!isShown(field, item.values)) continue;
			const value = await readField(n8n, parameters, name, field, index);
			if (value instanceof Problem) item.result ??= failed(value);
			else item.values[name] = value as IDataObject;
		}
		items.push(item);
	}
	await refuseChanging(n8n, parameters, fields, items);
	return items;
}

/** Milliseconds after which a value must still be the same. A timer may be early, and a clock shows seconds. */
const LATER_MS = 1_100;

/** Refuses what the clock or chance gives, because it would be another payment next time. Waits once for all items. */
async function refuseChanging(
	n8n: IExecuteFunctions,
	parameters: INodeParameters,
	fields: Fields,
	items: Item[],
): Promise<void> {
	const changing = Object.entries(fields).filter(([name, { mayChange }]) =>
		mayChange?.(parameters[name]),
	);
	if (changing.length > 0) await sleep(LATER_MS);
	for (const [name, field] of changing)
		for await (const item of unhurried(items)) {
			const later = await readField(n8n, parameters, name, field, item.index);
			const first = item.values[name];
			if (first === undefined || first === later) continue;
			const reason = `is ${quote(textOf(first))}, and something else a second later`;
			item.result ??= failed(
				new Problem(`${field.label} ${reason}`, 'Take it from your own data.'),
			);
		}
}

const isShown = ({ show = {} }: Field<unknown>, values: IDataObject): boolean =>
	Object.entries(show).every(([name, shown]) => shown.some((value) => value === values[name]));

async function readField(
	n8n: IExecuteFunctions,
	parameters: INodeParameters,
	name: string,
	field: Field<unknown>,
	index: number,
): Promise<unknown> {
	const stored: unknown = field.isOption ? parameters.options : parameters;
	const isPresent = isObject(stored) && Object.hasOwn(stored, name);
	if (field.isOption && !isPresent) return undefined;
	const parameter = field.isOption ? `options.${name}` : name;
	try {
		// The fallback keeps n8n from throwing for a parameter that was never saved.
		const evaluated: unknown = n8n.getNodeParameter(parameter, index, null);
		// Resource locators are reduced here, because n8n's own extraction throws for hidden parameters.
		const value = isObject(evaluated) && evaluated.__rl === true ? evaluated.value : evaluated;
		return await field.read({
			value: value ?? (isPresent ? undefined : field.property(name, '').default),
			raw: isPresent ? stored[name] : undefined,
			evaluate: (part) => n8n.evaluateExpression(part, index),
			file: (property) => fileOf(n8n, index, property),
			timezone: n8n.getTimezone(),
		});
	} catch (thrown) {
		return thrown instanceof Problem
			? thrown
			: new Problem(
					`${field.label} could not be read: ${reasonOf(thrown)}`,
					'Check its expression.',
				);
	}
}

function fileOf(n8n: IExecuteFunctions, index: number, property: string): InputFile | undefined {
	const data = n8n.getInputData()[index]?.binary?.[property];
	return (
		data && {
			name: data.fileName ?? '',
			type: data.mimeType ?? '',
			size: data.fileSize ?? 'unknown',
			bytes: async () => await n8n.helpers.getBinaryDataBuffer(index, property),
		}
	);
}
