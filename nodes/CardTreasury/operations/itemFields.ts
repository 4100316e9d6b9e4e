import type { ResourceMapperFields } from 'n8n-workflow';

import type { Field } from '../../shared/fields/field';
import { InvalidFieldError } from '../../shared/fields/invalidField';
import { sourceFrom, type Source } from '../../shared/fields/source';
import { isObject } from '../../shared/isObject';
import type { Caller, InputItem, JsonObject } from '../request/input';
import type { KnownError, ServiceRequest } from '../request/request';

/** Parameters of one item, or one of its collections. */
export interface ItemSource extends Source {
	item: InputItem;
	caller: Caller;
}

export interface ListEntry {
	name: string;
	value: string;
}

/** Data for a list in the editor. */
export interface EditorSource {
	/** Value of another field in the editor; undefined if it is empty, or an expression without a value yet. */
	current(name: string): string | undefined;
	/** Loads an array from the service. */
	load(request: ServiceRequest, errors?: KnownError[]): Promise<JsonObject[]>;
}

/** Field of an operation; `list` fills its dropdown. */
export interface ItemField<Value> extends Field<Value, ItemSource> {
	/** Its value is the name of a binary field, whose file is opened before the fields are read. */
	namesFile?: true;
	/** @throws InvalidFieldError that names the field to fill in first */
	list?: (editor: EditorSource) => Promise<ListEntry[]>;
	mapper?: (editor: EditorSource) => Promise<ResourceMapperFields>;
}

export type ItemFields = Record<string, ItemField<unknown>>;

/** Parameters of an item. */
export function sourceOf(item: InputItem, caller: Caller): ItemSource {
	return itemSource(item, caller, item.parameters, caller.rawParameters);
}

/**
 * Parameters in the collection `options`.
 * @throws InvalidFieldError if the options have no value although some are set, because a guard may be among them
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
	return { ...sourceFrom(values, raw, item.parameters), item, caller };
}
