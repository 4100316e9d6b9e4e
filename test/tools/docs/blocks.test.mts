import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { BLOCKS, compared } from './blocks.mts';
import { allMessages } from './messages.mts';

const ROOT = join(import.meta.dirname, '..', '..', '..');

it.each(BLOCKS)('$file is in step with the source ($name; npm run docs mends it)', (block) => {
	const { is, shouldBe } = compared(block);
	expect(is).toBe(shouldBe);
});

it('the list of messages holds those of every kind that the source has', () => {
	const texts = allMessages().map(({ text }) => text);
	for (const text of [
		'Recipient Address is not among the Allowed Recipients',
		'Idempotency Key is longer than 255 characters',
		'*Field* must be greater than 0',
		'The value of X-Webhook-Key is not accepted',
		'Client ID has no value yet',
	]) {
		expect(texts).toContain(text);
	}
	expect(texts.length).toBeGreaterThan(90);
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
