import type { ResourceMapperFields } from 'n8n-workflow';

import type { Field } from '../../shared/fields/field';
import { InvalidFieldError } from '../../shared/fields/invalidField';
import { sourceFrom, type Source } from '../../shared/fields/source';
import { isObject } from '../../shared/isObject';
import type { Caller, InputItem, JsonObject } from '../request/input';
import type { KnownError, ServiceRequest } from '../request/request';

/** Source of an item's parameters, or of one of the item's collections. */
export interface ItemSource extends Source {
	item: InputItem;
	caller: Caller;
}

export interface ListEntry {
	name: string;
	value: string;
}

/** Access to the editor, for filling a list. */
export interface EditorSource {
	/** Returns the value of another field. Undefined if the field is empty, or an expression without a value yet. */
	current(name: string): string | undefined;
	/** Loads an array from the service. */
	load(request: ServiceRequest, errors?: KnownError[]): Promise<JsonObject[]>;
}

/** Field of an operation. */
export interface ItemField<Value> extends Field<Value, ItemSource> {
	/** True if the value names a binary field. The file is opened before the fields are read. */
	namesFile?: true;
	/**
	 * Fills the field's dropdown.
	 * @throws InvalidFieldError that names the field to fill in first
	 */
	list?: (editor: EditorSource) => Promise<ListEntry[]>;
	mapper?: (editor: EditorSource) => Promise<ResourceMapperFields>;
}

export type ItemFields = Record<string, ItemField<unknown>>;

/** Returns the parameters of an item. */
export function sourceOf(item: InputItem, caller: Caller): ItemSource {
	return itemSource(item, caller, item.parameters, caller.rawParameters);
}

/**
 * Returns the parameters in the collection `options`.
 * @throws InvalidFieldError if the collection cannot be read, because one of the options may be a guard
 */
export function optionsOf(item: InputItem, caller: Caller): ItemSource {
	const values = item.parameters.options;
	const raw = caller.rawParameters.options;
	if (isObject(values) || (values === undefined && raw === undefined)) {
		return itemSource(item, caller, values, raw);
	}
	throw new InvalidFieldError('Options', 'is not an object', 'Check its expression.');
}

function itemSource(item: InputItem, caller: Caller, values: unknown, raw: unknown): ItemSource {
	return {
		...sourceFrom(values, raw, item.parameters),
		evaluate: item.evaluate,
		isItemEmpty: item.isEmpty,
		item,
		caller,
	};
}
