import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import lodash from 'lodash';

import { RESOURCES } from '../../../nodes/CardTreasury/operations/index.ts';
import type {
	JsonType,
	Operation,
	OutputShape,
} from '../../../nodes/CardTreasury/operations/operation.ts';

/** Folder of the schemas that n8n's editor shows before a node has run. */
export const SCHEMA_FOLDER = join(
	import.meta.dirname,
	'../../../nodes/CardTreasury/__schema__/v1.0.0',
);

/** Output fields of an operation with its initial parameters, including the fields of every write. */
export function outputOf(operation: Operation): OutputShape {
	if (operation.kind !== 'service') return operation.output;
	const isWrite = operation.effect === 'keyed write' || operation.effect === 'unkeyed write';
	return {
		...(isWrite && { outcome: 'string' as const, summary: 'string' as const }),
		...operation.output,
		...(operation.effect === 'keyed write' && { idempotency_key: 'string' as const }),
		...(isWrite && { trace_id: 'string' as const }),
	};
}

/** JSON schema of each operation's items, by file name below the folder. */
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

export function writeOutputSchemas(): void {
	rmSync(SCHEMA_FOLDER, { recursive: true, force: true });
	for (const [file, text] of outputSchemas()) {
		const path = join(SCHEMA_FOLDER, file);
		mkdirSync(dirname(path), { recursive: true });
		writeFileSync(path, text);
	}
}

function schemaOf(shape: JsonType | OutputShape | [JsonType | OutputShape]): object {
	if (Array.isArray(shape)) return { type: 'array', items: schemaOf(shape[0]) };
	if (typeof shape === 'string') return shape === 'any' ? {} : { type: shape };
	return { type: 'object', properties: lodash.mapValues(shape, schemaOf) };
}
