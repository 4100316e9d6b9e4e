import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { PAGES, read, ROOT } from '../../tools/docs/page.mts';
import { LOOP, STILL } from './loop.mts';
import { PICTURES } from './pictures.mts';

const IMAGES = join(ROOT, 'docs', 'images');
const stored = readdirSync(IMAGES);
const pages = PAGES.map(read).join('\n');

it('npm run by-hand -- screenshots makes every picture', () => {
	const made = PICTURES.map(({ name }) => `${name}.png`);
	expect([...made, LOOP, STILL].sort()).toEqual([...stored].sort());
});

it.each(stored)('a page shows %s', (name) => {
	expect(pages).toContain(`images/${name}`);
});

it('the loop has at most 3 MB', () => {
	expect(statSync(join(IMAGES, LOOP)).size).toBeLessThan(3 * 1024 * 1024);
});
