import lodash from 'lodash';

export type Say = (line: string) => void;

export interface Outcome {
	ok: boolean;
	/** Result, or the reason why it did not run. */
	text: string;
}

/** Runs the demos one after the other and prints a table row for each. @returns the number that did not run */
export async function report(
	title: string,
	column: string,
	runs: Array<[name: string, run: () => Promise<Outcome>]>,
	say: Say,
): Promise<number> {
	let failures = 0;
	say(`\n${title.padEnd(42)}${'Result'.padEnd(8)}${'ms'.padStart(6)}  ${column}`);
	for (const [name, run] of runs) {
		const began = Date.now();
		const { ok, text } = await run().catch((error: unknown) => ({
			ok: false,
			text: String(error),
		}));
		if (!ok) failures += 1;
		const line = text.replace(/\s*\n\s*/g, ' · ');
		say(
			`${name.padEnd(42)}${(ok ? 'ok' : 'FAILED').padEnd(8)}${String(Date.now() - began).padStart(6)}  ${lodash.truncate(line, { length: ok ? 110 : 400, omission: '…' })}`,
		);
	}
	return failures;
}
