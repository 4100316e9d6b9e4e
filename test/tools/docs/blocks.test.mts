import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { BLOCKS, compared } from './blocks.mts';
import { outputSchemas, SCHEMA_FOLDER } from './outputSchemas.mts';

describe('generated docs (if the code is right, repair them: npm run docs)', () => {
	it.each(BLOCKS)('the block $name of $file matches the code', (block) => {
		const { is, shouldBe } = compared(block);
		expect(is).toBe(shouldBe);
	});

	it('the output schemas match the operations', () => {
		const files = readdirSync(SCHEMA_FOLDER, { recursive: true, encoding: 'utf8' })
			.filter((file) => file.endsWith('.json'))
			.map((file) => [file, readFileSync(join(SCHEMA_FOLDER, file), 'utf8')] as const);
		expect(new Map(files)).toEqual(outputSchemas());
	});
});
