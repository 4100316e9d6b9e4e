/** Steps of the start, by the beginning of their first line, with the seconds they take on an ordinary machine. */
const STEPS: Array<[begins: string, seconds: number]> = [
	['Installing Node', 20],
	['Installing n8n', 300],
	['Fetching or building the SQLite driver', 90],
	['Building and packing the nodes', 20],
	['Installing the nodes in n8n', 15],
	['Starting n8n', 20],
	['Importing the workflows', 10],
];

/** Returns a reader of lines of progress. A line that begins no step means that the step goes on. */
export function progressReader(now = Date.now) {
	let step = -1;
	let since = 0;
	/** Returns the step with the time left, and the same as a sentence; undefined before the first step. */
	return (line: string): [text: string, sentence: string] | undefined => {
		const at = STEPS.findIndex(([begins]) => line.startsWith(begins));
		if (at >= 0 && at !== step) [step, since] = [at, now()];
		if (step < 0) return undefined;
		const [name, seconds] = STEPS[step]!;
		const rest = STEPS.slice(step + 1).reduce((sum, [, more]) => sum + more, 0);
		const left = inWords(Math.max(seconds - (now() - since) / 1_000, 1) + rest);
		const does = step < FIRST_OF_THE_START ? 'installing' : 'starting';
		return [`${name} … about ${left} left`, `n8n is still ${does}, about ${left}. ${BY_ITSELF}`];
	};
}

const FIRST_OF_THE_START = STEPS.findIndex(([begins]) => begins === 'Starting n8n');
export const BY_ITSELF = 'This page fills by itself.';

const inWords = (seconds: number) =>
	seconds < 100 ? `${Math.ceil(seconds / 10) * 10} seconds` : `${Math.ceil(seconds / 60)} minutes`;

/** Shows one line with the step and the time left. A terminal overwrites it; a log gets a line for each step. */
export function showProgress(output: Pick<NodeJS.WriteStream, 'isTTY' | 'write'>) {
	let shown = '';
	return {
		say(text: string): void {
			const [name = ''] = text.split(' …');
			if (output.isTTY) output.write(`\r\x1b[2K${text}`);
			else if (name !== shown) output.write(`${text}\n`);
			shown = name;
		},
		/** Clears the line. */
		end: () => void (output.isTTY && output.write('\r\x1b[2K')),
	};
}
