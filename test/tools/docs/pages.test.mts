import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { BLOCKS } from './blocks.mts';
import { compared, ROOT } from './page.mts';

const read = (page: string) => readFileSync(join(ROOT, page), 'utf8');

const PAGES = [
	...readdirSync(ROOT).filter((file) => file.endsWith('.md')),
	...readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
		.filter((file) => file.endsWith('.md'))
		.map((file) => join('docs', file)),
];

/** Anchors that GitHub creates for the headings of a page. */
function anchorsOf(page: string): string[] {
	const headings = read(page)
		.replace(/```[\s\S]*?```/g, '')
		.matchAll(/^#+ (.*)$/gm);
	return [...headings].map(([, heading]) =>
		heading!
			.toLowerCase()
			.replace(/[^\p{L}\p{N}\s_-]/gu, '')
			.replace(/\s/g, '-'),
	);
}

it.each(PAGES)('every link in %s leads to an existing file and heading', (page) => {
	const links = read(page).matchAll(/\]\((?!https?:|mailto:)([^)#\s]*)(?:#([^)\s]+))?\)/g);
	const broken = [...links].filter(([, file, anchor]) => {
		const target = file === '' ? page : join(dirname(page), file!);
		return !existsSync(join(ROOT, target)) || (anchor && !anchorsOf(target).includes(anchor));
	});
	expect(broken).toEqual([]);
});

it.each(BLOCKS)('$file: the part $name is as `npm run docs` writes it', (block) => {
	const { is, shouldBe } = compared(block);
	expect(is).toBe(shouldBe);
});
