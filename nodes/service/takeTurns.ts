/**
 * Gives a function that runs the work it is handed with at most `most` at a time, in the order in which it came, and never
 * before its caller has gone on. Work that fails gives its turn away all the same.
 * (The p-limit package does this too, but the n8n of before 2.20 does not bring it along for community nodes.)
 */
export function takeTurns(most: number): <Result>(work: () => Promise<Result>) => Promise<Result> {
	let running = 0;
	const waiting: Array<() => void> = [];
	return async (work) => {
		if (running < most) {
			running++;
			await undefined;
		} else {
			// Whoever ends hands its turn over, so `running` stays as it is.
			await new Promise<void>((resolve) => waiting.push(resolve));
		}
		try {
			return await work();
		} finally {
			const next = waiting.shift();
			if (next) next();
			else running--;
		}
	};
}
