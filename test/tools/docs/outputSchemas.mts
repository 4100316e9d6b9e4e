import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { RESOURCES } from '../../../nodes/CardTreasury/operations/index.ts';
import type {
	JsonType,
	Operation,
	OutputShape,
} from '../../../nodes/CardTreasury/operations/operation.ts';

export type Output = OutputShape;

/** Where n8n looks for what the editor shows of a node's output before it has run. */
const FOLDER = join(
	import.meta.dirname,
	'..',
	'..',
	'..',
	'nodes',
	'CardTreasury',
	'__schema__',
	'v1.0.0',
);

/** The fields of an operation's items as its fields stand at first, with those that every write gets. */
export function outputOf(operation: Operation): Output {
	if (operation.kind === 'response') return operation.output;
	const isWrite = operation.effect === 'keyed write' || operation.effect === 'unkeyed write';
	return {
		...operation.output,
		...(operation.effect === 'keyed write' && { idempotency_key: 'string' as const }),
		...(isWrite && { trace_id: 'string' as const }),
	};
}

/** The JSON schema of each operation's items, by file name below the folder. */
export function outputSchemas(): Map<string, string> {
	return new Map(
		RESOURCES.flatMap(({ value: resource, operations }) =>
			operations.flatMap(([value, operation]) => {
				const output = outputOf(operation);
				if (Object.keys(output).length === 0) return [];
				const schema = { ...schemaOf(output), version: 1 };
				return [[`${resource}/${value}.json`, `${JSON.stringify(schema, null, '\t')}\n`] as const];
			}),
		),
	);
}

/** Writes them anew; what no operation has any more goes. */
export function writeOutputSchemas(): void {
	rmSync(FOLDER, { recursive: true, force: true });
	for (const [file, text] of outputSchemas()) {
		const path = join(FOLDER, file);
		mkdirSync(dirname(path), { recursive: true });
		writeFileSync(path, text);
	}
}

export { FOLDER as SCHEMA_FOLDER };

function schemaOf(shape: JsonType | OutputShape | [JsonType | OutputShape]): object {
	if (Array.isArray(shape)) return { type: 'array', items: schemaOf(shape[0]) };
	if (typeof shape === 'string') return shape === 'any' ? {} : { type: shape };
	return {
		type: 'object',
		properties: Object.fromEntries(
			Object.entries(shape).map(([name, inner]) => [name, schemaOf(inner)]),
		),
	};
}
