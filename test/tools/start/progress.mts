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

/** Shows one line with the step and the time left; a terminal overwrites it. */
export function startProgress(output: Pick<NodeJS.WriteStream, 'isTTY' | 'write'>, now = Date.now) {
	const { isTTY } = output;
	let step = 0;
	let since: number | undefined;
	return {
		/** Takes a line of progress; one that begins no step says that the step goes on. */
		say(line: string): void {
			const at = STEPS.findIndex(([begins]) => line.startsWith(begins));
			const begins = at >= 0 && (at !== step || since === undefined);
			if (begins) [step, since] = [at, now()];
			if (since === undefined || (!isTTY && !begins)) return;
			const [name, seconds] = STEPS[step]!;
			const rest = STEPS.slice(step + 1).reduce((sum, [, more]) => sum + more, 0);
			const left = Math.max(seconds - (now() - since) / 1_000, 1) + rest;
			const text = `${name} … about ${inWords(left)} left`;
			output.write(isTTY ? `\r\x1b[2K${text}` : `${text}\n`);
		},
		/** Clears the line. */
		end: () => void (isTTY && output.write('\r\x1b[2K')),
	};
}

const inWords = (seconds: number) =>
	seconds < 100 ? `${Math.ceil(seconds / 10) * 10} s` : `${Math.ceil(seconds / 60)} min`;
