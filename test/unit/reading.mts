import lodash from 'lodash';
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { Field, Given } from '../../nodes/CardTreasury/fields/field.ts';
import { chosenOperation } from '../../nodes/CardTreasury/operations/index.ts';
import type { Operation, RequestOperation } from '../../nodes/CardTreasury/operations/operation.ts';
import { readItems, type Item } from '../../nodes/CardTreasury/run/item.ts';
import type { Reply } from '../../nodes/CardTreasury/service/request.ts';
import { orProblem, Problem } from '../../nodes/shared/problem.ts';

/** What an item has besides the values of its fields. */
export interface Around {
	/** Value as stored in the workflow. By default the value itself. */
	raw?: unknown;
	/** Value of each `{{ }}`. */
	parts?: Record<string, unknown>;
	timezone?: string;
}

/** What a field makes of a value, or its refusal as one text. */
export function reading(field: Field<unknown>, value: unknown, around: Around = {}): unknown {
	const { raw = value, parts = {}, timezone = 'America/New_York' } = around;
	const given: Given = {
		value,
		raw,
		timezone,
		evaluate: (part) => parts[part],
		file: () => undefined,
	};
	const read = orProblem(() => field.read(given));
	return read instanceof Problem ? `${read.message} | ${read.fix}` : read;
}

/** Operation by its saved names, e.g. `card: get`. */
export function anyOperation(name: string): Operation {
	const [resource, operation] = name.split(': ');
	return chosenOperation(resource, operation);
}

export function operationOf(name: string): RequestOperation {
	const found = anyOperation(name);
	if (found.kind !== 'request') throw new Error(`${name} sends no request`);
	return found;
}

/** An item with these parameters, as the run reads it. n8n itself only hands the values over. */
export async function itemOf(name: string, parameters: object, binary: object = {}): Promise<Item> {
	const n8n = {
		getInputData: () => [{ json: {}, binary }],
		getNode: () => ({ parameters }),
		getNodeParameter: (path: string, _: number, fallback: unknown) =>
			lodash.get(parameters, path, fallback),
		getTimezone: () => 'America/New_York',
		helpers: {
			getBinaryDataBuffer: async (_: number, field: string) =>
				Buffer.from(lodash.get(binary, [field, 'data'], ''), 'base64'),
		},
	};
	const [item] = await readItems(n8n as unknown as IExecuteFunctions, anyOperation(name));
	return item!;
}

/** Values of an item that can be read. */
export async function valuesOf(...given: Parameters<typeof itemOf>): Promise<IDataObject> {
	const { values, result } = await itemOf(...given);
	if (result?.problem) throw result.problem;
	return values;
}

/** Message of the first problem of an item. Undefined for one that can be sent. */
export async function refusalOf(...given: Parameters<typeof itemOf>): Promise<string | undefined> {
	const { values, result } = await itemOf(...given);
	const { check } = operationOf(given[0]);
	const checked = result?.problem ?? orProblem(() => check?.(values));
	return checked?.message;
}

export const replyOf = (reply: Partial<Reply>): Reply => ({
	traceId: 'trace-1',
	json: undefined,
	text: '',
	type: 'application/json',
	bytes: Buffer.alloc(0),
	isPending: false,
	...reply,
});

/** Rows of a table, one a line, with cells between ` | `. A cell that begins with `{`, `[` or `"` is JSON. */
export const table = <Row extends unknown[]>(text: string): Row[] =>
	text
		.trim()
		.split('\n')
		.map((line) => line.trim().split(' | ').map(cellOf) as Row);

const cellOf = (text: string): unknown =>
	/^[{["]/.test(text) ? (JSON.parse(text) as unknown) : text;
