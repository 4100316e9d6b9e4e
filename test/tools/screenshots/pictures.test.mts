import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { LOOP, STILL } from './loop.mts';
import { PICTURES } from './pictures.mts';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const IMAGES = join(ROOT, 'docs', 'images');
const stored = readdirSync(IMAGES);

const pages = readdirSync(ROOT)
	.filter((file) => file.endsWith('.md'))
	.map((file) => join(ROOT, file))
	.concat(
		readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
			.filter((file) => file.endsWith('.md'))
			.map((file) => join(ROOT, 'docs', file)),
	)
	.map((page) => readFileSync(page, 'utf8'))
	.join('\n');

it.each(stored)('npm run screenshots makes %s', (name) => {
	expect([...PICTURES.map((picture) => `${picture.name}.png`), LOOP, STILL]).toContain(name);
});

it.each(stored)('a page shows %s', (name) => {
	expect(pages).toContain(`images/${name}`);
});

it('the loop has at most 3 MB', () => {
	for (const name of stored.filter((file) => file === LOOP))
		expect(statSync(join(IMAGES, name)).size).toBeLessThan(3 * 1024 * 1024);
});
