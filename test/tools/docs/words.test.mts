import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { CardTreasuryApi } from '../../../credentials/CardTreasuryApi.credentials.ts';
import { CardTreasury } from '../../../nodes/CardTreasury/CardTreasury.node.ts';
import { CardTreasuryTrigger } from '../../../nodes/CardTreasuryTrigger/CardTreasuryTrigger.node.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');

/** What a reader stumbled over once: not English, or more than the interface document says. */
const AVOIDED =
	/turned down|put right|held against|in vain|\bbeside\b|not a text|\bblank\b|letter case|happen twice|does not know this|not known whether|acknowledged and gone|stands in the benchmarks|nobody knows/i;

/** What was once said of the service, and its interface document does not say (§1.6, §3, §4.5, §4.10 to §4.12). */
const INVENTED =
	/only the first would|stays blocked until|final only with|which transactions to return\. leave empty|level 1 reads[,.*]|transfers and changes cards/i;

/** Every text of a description that n8n shows. */
function textsOf(value: unknown): string[] {
	if (typeof value === 'string') return [value];
	if (typeof value !== 'object' || value === null) return [];
	return Object.values(value).flatMap(textsOf);
}

it.each([
	['action node', new CardTreasury().description],
	['trigger', new CardTreasuryTrigger().description],
	['credential', new CardTreasuryApi().properties],
])(
	'the panel of the %s is in words that a native speaker would use, and claims nothing that was invented',
	(_name, description) => {
		const texts = textsOf(description);
		expect(texts.length).toBeGreaterThan(5);
		expect(texts.filter((text) => AVOIDED.test(text))).toEqual([]);
		expect(texts.filter((text) => INVENTED.test(text))).toEqual([]);
	},
);

const PAGES = [
	'README.md',
	'SECURITY.md',
	'CONTRIBUTING.md',
	'CHANGELOG.md',
	...readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
		.filter((file) => /\.(md|json)$/.test(file))
		.map((file) => join('docs', file)),
];

it.each(PAGES)(
	'%s is in words that a native speaker would use, and claims nothing that was invented',
	(file) => {
		// Titles of tests are quoted as they are.
		const text = readFileSync(join(ROOT, file), 'utf8');
		const lines = text.replace(/\*[^*\n]+\*/g, '').split('\n');
		expect(lines.filter((line) => AVOIDED.test(line))).toEqual([]);
		expect(text.split('\n').filter((line) => INVENTED.test(line))).toEqual([]);
	},
);
