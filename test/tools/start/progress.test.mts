import { progressReader, showProgress } from './progress.mts';

/** Lines of progress, with the seconds that pass before each. */
const LINES: Array<[number, string]> = [
	[0, 'Waiting for another process'],
	[0, 'Installing n8n 2.41.1 into /cache (2 GB) …'],
	[240, '  4:00  900 packages asked for'],
	[0, 'Starting n8n …'],
];

function shown(isTTY: boolean) {
	const lines: string[] = [];
	const sentences: string[] = [];
	let time = 0;
	const read = progressReader(() => time);
	const { say } = showProgress({ isTTY, write: (text) => lines.push(String(text)) > 0 });
	for (const [seconds, line] of LINES) {
		time += seconds * 1_000;
		const [text, sentence = ''] = read(line) ?? [];
		if (text) say(text);
		sentences.push(sentence);
	}
	return { lines, sentences };
}

describe('progress of the start', () => {
	it('a terminal shows one line with the step and the time left', () => {
		expect(shown(true).lines).toEqual([
			'\r\x1b[2KInstalling n8n … about 8 minutes left',
			'\r\x1b[2KInstalling n8n … about 4 minutes left',
			'\r\x1b[2KStarting n8n … about 30 seconds left',
		]);
	});

	it('a log gets a line for each step, and the page a sentence', () => {
		const { lines, sentences } = shown(false);
		expect(lines).toEqual([
			'Installing n8n … about 8 minutes left\n',
			'Starting n8n … about 30 seconds left\n',
		]);
		expect(sentences).toEqual([
			'',
			'n8n is still installing, about 8 minutes. This page fills by itself.',
			'n8n is still installing, about 4 minutes. This page fills by itself.',
			'n8n is still starting, about 30 seconds. This page fills by itself.',
		]);
	});
});
