import { startProgress } from './progress.mts';

function shown(isTTY: boolean) {
	const lines: string[] = [];
	let time = 0;
	const write = (text: string | Uint8Array) => lines.push(String(text)) > 0;
	const progress = startProgress({ isTTY, write }, () => time);
	return { ...progress, lines, pass: (ms: number) => (time += ms) };
}

describe('startProgress', () => {
	it('a terminal shows one line with the step and the time left', () => {
		const { say, lines, pass } = shown(true);
		say('Installing n8n 2.41.1 into /cache (2 GB) …');
		pass(240_000);
		say('  4:00  900 packages asked for');
		say('Starting n8n …');
		expect(lines).toEqual([
			'\r\x1b[2KInstalling n8n … about 8 min left',
			'\r\x1b[2KInstalling n8n … about 4 min left',
			'\r\x1b[2KStarting n8n … about 30 s left',
		]);
	});

	it('a log gets a line for each step', () => {
		const { say, lines } = shown(false);
		say('Building and packing the nodes …');
		say('  0:05  working');
		say('Importing the workflows …');
		expect(lines).toEqual([
			'Building and packing the nodes … about 70 s left\n',
			'Importing the workflows … about 10 s left\n',
		]);
	});
});
