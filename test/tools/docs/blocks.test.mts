import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { BLOCKS, compared } from './blocks.mts';

const ROOT = join(import.meta.dirname, '..', '..', '..');

it.each(BLOCKS)('$file is in step with the code ($name; npm run docs mends it)', async (block) => {
	const { is, shouldBe } = await compared(block);
	expect(is).toBe(shouldBe);
});

it('every link from one document to another leads somewhere', () => {
	const documents = [
		'README.md',
		...readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
			.filter((file) => file.endsWith('.md'))
			.map((file) => `docs/${file}`),
	];
	const broken = documents.flatMap((document) =>
		[...readFileSync(join(ROOT, document), 'utf8').matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)/g)]
			.map(([, target]) => target!)
			.filter((target) => !existsSync(join(ROOT, dirname(document), target)))
			.map((target) => `${document}: ${target}`),
	);
	expect(broken).toEqual([]);
});
