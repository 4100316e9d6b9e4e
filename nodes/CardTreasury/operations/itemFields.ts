import type { ResourceMapperFields } from 'n8n-workflow';

import type { Field } from '../../shared/fields/field';
import { InvalidFieldError } from '../../shared/fields/invalidField';
import { sourceFrom, type Source } from '../../shared/fields/source';
import { isObject } from '../../shared/isObject';
import type { Caller, InputItem, JsonObject } from '../request/input';
import type { KnownError, ServiceRequest } from '../request/request';

/** The parameters of one item, or one of its collections. */
export interface ItemSource extends Source {
	item: InputItem;
	caller: Caller;
}

export interface ListEntry {
	name: string;
	value: string;
}

/** What a list of the editor is made from. */
export interface EditorSource {
	/** Another field as the editor has it; undefined when it is not filled in, or an expression without a value yet. */
	current(name: string): string | undefined;
	/** Reads an array from the service. */
	load(request: ServiceRequest, errors?: KnownError[]): Promise<JsonObject[]>;
}

/** A field of an operation; one that is picked from a list says how that list is made. */
export interface ItemField<Value> extends Field<Value, ItemSource> {
	/** @throws InvalidFieldError that names the field to fill in first */
	list?: (editor: EditorSource) => Promise<ListEntry[]>;
	mapper?: (editor: EditorSource) => Promise<ResourceMapperFields>;
}

export type ItemFields = Record<string, ItemField<unknown>>;

/** The parameters of an item. */
export function sourceOf(item: InputItem, caller: Caller): ItemSource {
	return itemSource(item, caller, item.parameters, caller.rawParameters);
}

/**
 * The parameters in the collection `options`.
 * @throws InvalidFieldError when it gives no options although there are some: a guard may have been among them
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
