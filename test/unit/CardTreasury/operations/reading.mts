import { chosenOperation } from '../../../../nodes/CardTreasury/operations/index.ts';
import type {
	Operation,
	ServiceOperation,
} from '../../../../nodes/CardTreasury/operations/operation.ts';
import type { Work } from '../../../../nodes/CardTreasury/operations/work.ts';
import {
	FileReference,
	type Caller,
	type InputItem,
} from '../../../../nodes/CardTreasury/request/input.ts';
import { encodeBody, type ServiceAnswer } from '../../../../nodes/CardTreasury/request/request.ts';

export interface Item {
	parameters: Record<string, unknown>;
	files?: Record<string, Buffer>;
	/** Parameters as the workflow stores them; default those of the item. */
	raw?: Record<string, unknown>;
	/** Values of each `{{ }}` in the raw texts. */
	parts?: Record<string, unknown>;
	/** Start of the execution. */
	startedAt?: number;
	timezone?: string;
	isTool?: boolean;
	isAssistant?: boolean;
	environment?: Caller['environment'];
}

export function inputOf({ parameters, parts = {}, files = {} }: Item): InputItem {
	return {
		parameters,
		// A part of which the test says nothing has a value.
		evaluate: (part) => (part in parts ? parts[part] : 'a value'),
		file: (field) => {
			const bytes = files[field];
			return bytes && new FileReference(field, bytes.length, bytes, async () => bytes);
		},
		json: {},
		isEmpty: false,
	};
}

export function callerOf(item: Item): Caller {
	return {
		isTool: item.isTool ?? false,
		isAssistant: item.isAssistant ?? false,
		hasExecution: true,
		environment: item.environment ?? 'sandbox',
		startedAt: item.startedAt,
		timezone: item.timezone ?? 'America/New_York',
		rawParameters: item.raw ?? item.parameters,
	};
}

/** Operation of any kind, by `<resource>: <operation>`. */
export function anyOperationOf(name: string): Operation {
	const [resource = '', operation = ''] = name.split(': ');
	return chosenOperation(resource, operation);
}

export function operationOf(name: string): ServiceOperation {
	const found = anyOperationOf(name);
	if (found.kind !== 'service') throw new Error(`${name} sends no request`);
	return found;
}

/** Returns the work for one item's parameters. @throws InvalidFieldError */
export async function workOf(name: string, item: Item): Promise<Work> {
	const { refusal, ...work } = operationOf(name).readWork(inputOf(item), callerOf(item));
	if (refusal) throw refusal;
	return work;
}

/** Returns the request, with its body as text. @throws InvalidFieldError */
export async function requestOf(name: string, item: Item) {
	const { request } = await workOf(name, item);
	return {
		...request,
		...(request.body !== undefined && { body: await encodeBody(request.body, async () => {}) }),
	};
}

export function answerOf(answer: Partial<ServiceAnswer>): ServiceAnswer {
	return {
		status: 200,
		traceId: 'trace-1',
		json: undefined,
		bytes: Buffer.alloc(0),
		...answer,
	};
}

/** Returns an operation's items for an answer. */
export async function itemsOf(name: string, item: Item, answer: Partial<ServiceAnswer>) {
	return (await workOf(name, item)).items(answerOf(answer));
}
