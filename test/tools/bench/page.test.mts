import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { renderPage } from './page.mts';

const docs = join(import.meta.dirname, '..', '..', '..', 'docs', 'evidence');

it('the page of benchmarks and its charts are what the kept results say', () => {
	for (const [file, content] of renderPage())
		expect(readFileSync(join(docs, file), 'utf8')).toBe(content);
});
