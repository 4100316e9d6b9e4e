import { runInNewContext } from 'node:vm';
import lodash from 'lodash';
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { Field, Input } from '../../nodes/CardTreasury/fields/field.ts';
import { chosenOperation } from '../../nodes/CardTreasury/operations/index.ts';
import type {
	Calculation,
	Operation,
	RequestOperation,
} from '../../nodes/CardTreasury/operations/operation.ts';
import { readItems, type Item } from '../../nodes/CardTreasury/run/item.ts';
import type { Reply } from '../../nodes/CardTreasury/service/request.ts';
import { orProblem, Problem } from '../../nodes/shared/problem.ts';
import { Notes } from '../harness/notes.mts';
import { sampleOf } from '../samples/operations.mts';

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
	const evaluate = (part: string) => parts[part];
	const given: Input = { value, raw, timezone, evaluate, file: () => undefined };
	return orRefusal(orProblem(() => field.read(given)));
}

const orRefusal = <Value,>(read: Value | Problem) =>
	read instanceof Problem ? `${read.message} | ${read.fix}` : read;

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

/** Evaluates an expression as n8n does: nothing but what is given is in reach. */
export const evaluate = (expression: unknown, given: object): any =>
	runInNewContext(/^=\{\{([\s\S]*)\}\}$/.exec(String(expression))![1]!, given);

/** Stand-in for n8n around the action node, which hands over values and sends nothing. `test/engine` runs it in the real n8n-core. */
export function hostOf(
	parameters: IDataObject,
	binary: object = {},
	more: { helpers?: object; [part: string]: unknown } = {},
) {
	const notes = new Notes();
	const customData: IDataObject = {};
	const n8n = {
		getInputData: () => [{ json: {}, binary }],
		getNode: () => ({ id: 'node-1', name: 'Card Treasury', type: 'cardTreasury', parameters }),
		getNodeParameter: (path: string, _: number, fallback: unknown) =>
			lodash.get(parameters, path, fallback),
		getTimezone: () => 'America/New_York',
		getWorkflow: () => ({ id: 'workflow-1', name: 'W' }),
		getWorkflowDataProxy: () => ({ $runIndex: 0 }),
		getExecutionId: () => '17',
		getExecutionContext: () => ({ establishedAt: 1_700_000_000_000 }),
		getExecutionCancelSignal: () => undefined,
		getContext: () => ({}),
		getMode: () => 'trigger',
		getCredentials: async () => ({ baseUrl: 'https://api.example.com', apiKey: 'test-api-key' }),
		continueOnFail: () => false,
		addExecutionHints: () => undefined,
		customData: { set: (name: string, value: string) => (customData[name] = value) },
		...more,
		helpers: {
			getBinaryDataBuffer: async (_: number, field: string) =>
				Buffer.from(lodash.get(binary, [field, 'data'], ''), 'base64'),
			prepareBinaryData: async (data: Buffer, fileName: string) => ({ data, fileName }),
			checkProcessedAndRecord: async (keys: string[]) => notes.record('row', keys),
			removeProcessed: async (keys: string[]) => notes.remove('row', keys),
			...more.helpers,
		},
	} as unknown as IExecuteFunctions;
	return { n8n, customData };
}

/** An item with these parameters, as the run reads it. */
export async function itemOf(name: string, parameters: object, binary: object = {}): Promise<Item> {
	const { n8n } = hostOf({ ...parameters }, binary);
	const [item] = await readItems(n8n, anyOperation(name));
	return item!;
}

/** Item of a calculation, or its refusal as one text. */
export async function calculated(name: string, parameters: object): Promise<IDataObject | string> {
	const { calculate } = anyOperation(name) as Calculation;
	const { values, result } = await itemOf(name, parameters);
	return orRefusal(result?.problem ?? orProblem(() => calculate(values) ?? {}));
}

/** Values of an item that can be read. */
export async function valuesOf(...given: Parameters<typeof itemOf>): Promise<IDataObject> {
	const { values, result } = await itemOf(...given);
	if (result?.problem) throw result.problem;
	return values;
}

/** First problem of an item. Undefined for one that can be sent. */
export async function refusalOf(...given: Parameters<typeof itemOf>) {
	const { values, result } = await itemOf(...given);
	return result?.problem ?? orProblem(() => operationOf(given[0]).check?.(values));
}

/** File of an item, as an earlier node returns it. */
export const BINARY = { data: { mimeType: 'image/png', fileSize: '8 B', data: 'iVBORw0KGgo=' } };

/** Values of these parameters. */
export const given = async (name: string, more: IDataObject = {}, binary: object = BINARY) =>
	await valuesOf(name, sampleOf(name, more), binary);

export const replyOf = (reply: Partial<Reply>): Reply => ({
	traceId: 'trace-1',
	json: undefined,
	text: '',
	type: 'application/json',
	bytes: Buffer.alloc(0),
	isPending: false,
	...reply,
});

export { sampleOf };
export { eachRow, table } from '../samples/table.mts';
