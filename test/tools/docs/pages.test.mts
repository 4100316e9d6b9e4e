import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const read = (page: string) => readFileSync(join(ROOT, page), 'utf8');

const PAGES = [
	...readdirSync(ROOT).filter((file) => file.endsWith('.md')),
	...readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
		.filter((file) => file.endsWith('.md'))
		.map((file) => join('docs', file)),
];

/** The anchors that GitHub makes of a page's headings. */
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

function linksOf(page: string): Array<{ target: string; anchor: string | undefined }> {
	const links = read(page).matchAll(/\]\((?!https?:|mailto:)([^)#\s]*)(?:#([^)\s]+))?\)/g);
	return [...links].map(([, file, anchor]) => ({
		target: file === '' ? page : join(dirname(page), file!),
		anchor,
	}));
}

it.each(PAGES)('every link in %s leads somewhere, to a heading too', (page) => {
	const broken = linksOf(page).filter(
		({ target, anchor }) =>
			!existsSync(join(ROOT, target)) ||
			(anchor !== undefined && !anchorsOf(target).includes(anchor)),
	);
	expect(broken).toEqual([]);
});
