import { get as valueAt } from 'lodash';

import { findOperation } from '../../../../nodes/CardTreasury/resources/index.ts';
import type {
	OutputItem,
	ServiceAnswer,
	ServiceOperation,
	ServiceRequest,
} from '../../../../nodes/CardTreasury/operation.ts';
import type { ParameterReader } from '../../../../nodes/CardTreasury/parameters/reader.ts';

export interface Item {
	parameters: object;
	files?: Record<string, Buffer>;
	timezone?: string;
	isTool?: boolean;
}

/** One item's parameters from a plain object. */
export function readerOf({
	parameters,
	files = {},
	timezone = 'America/New_York',
	isTool = false,
}: Item): ParameterReader {
	return {
		get: (path) => valueAt(parameters, path) as unknown,
		file: async (field) => (files[field] ? { bytes: files[field] } : undefined),
		timezone,
		isTool,
		json: {},
	};
}

export function operationOf(name: string): ServiceOperation<unknown> {
	const [resource, operation] = name.split(': ') as [string, string];
	const found = findOperation(resource, operation);
	if (found?.kind !== 'service') throw new Error(`No operation ${name}`);
	return found;
}

/** The request that an operation makes of one item's parameters. @throws FieldRefusal */
export async function requestOf(name: string, item: Item): Promise<ServiceRequest> {
	const operation = operationOf(name);
	return operation.request(await operation.fields(readerOf(item)));
}

/** The items that an operation makes of an answer. */
export async function itemsOf(
	name: string,
	item: Item,
	answer: Partial<ServiceAnswer>,
): Promise<OutputItem[]> {
	const operation = operationOf(name);
	const whole: ServiceAnswer = {
		status: 200,
		traceId: 'trace-1',
		json: undefined,
		bytes: Buffer.alloc(0),
		...answer,
	};
	return operation.items(whole, await operation.fields(readerOf(item)));
}
