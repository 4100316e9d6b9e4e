import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { renderPage } from './page.mts';

it('the page of the soak is what the kept results say', () => {
	expect(
		readFileSync(
			join(import.meta.dirname, '..', '..', '..', 'docs', 'evidence', 'soak.md'),
			'utf8',
		),
	).toBe(renderPage());
});
