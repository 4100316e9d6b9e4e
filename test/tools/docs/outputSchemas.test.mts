import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { outputSchemas, SCHEMA_FOLDER } from './outputSchemas.mts';

it('the schemas that n8n shows are in step with the operations ; if it is these that are right, npm run docs mends the schemas', () => {
	const files = readdirSync(SCHEMA_FOLDER, { recursive: true, encoding: 'utf8' })
		.filter((file) => file.endsWith('.json'))
		.map((file) => [file, readFileSync(join(SCHEMA_FOLDER, file), 'utf8')] as const);
	expect(new Map(files)).toEqual(outputSchemas());
});
