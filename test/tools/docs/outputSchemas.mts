// Writes the output schemas into the build: n8n's editor shows them in the next node before anything has run.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { isObject } from '../../../nodes/shared/isObject.ts';
import { OPERATION_SAMPLES } from '../../samples/operations.mts';

const FOLDER = join(import.meta.dirname, '../../../dist/nodes/CardTreasury/__schema__/v1.0.0');

/** JSON schema of a value. Null and an empty text or list say nothing of a type. */
function schemaOf(value: unknown): object {
	// The entries of a list have different fields.
	if (Array.isArray(value))
		return {
			type: 'array',
			items: schemaOf(isObject(value[0]) ? (Object.assign({}, ...value) as object) : value[0]),
		};
	if (typeof value !== 'object' || value === null)
		return value === null || value === undefined ? {} : { type: typeof value };
	const properties = Object.entries(value).map(([name, own]) => [name, schemaOf(own)]);
	return { type: 'object', properties: Object.fromEntries(properties) as object };
}

for (const [saved, { item }] of Object.entries(OPERATION_SAMPLES)) {
	// The editor wants properties.
	if (Object.keys(item).length === 0) continue;
	const file = `${join(FOLDER, ...saved.split(': '))}.json`;
	mkdirSync(dirname(file), { recursive: true });
	writeFileSync(file, `${JSON.stringify({ ...schemaOf(item), version: 1 })}\n`);
}
