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
	runs: Array<[name: string, run: () => Promise<Outcome>]>,
	say: Say,
): Promise<number> {
	let failures = 0;
	say(`\n${title}`);
	for (const [name, run] of runs) {
		const began = Date.now();
		const failed = (error: unknown): Outcome => ({ ok: false, text: String(error) });
		const { ok, text } = await run().catch(failed);
		if (!ok) failures += 1;
		const line = text.replace(/\s*\n\s*/g, ' · ');
		const shown = lodash.truncate(line, { length: ok ? 110 : 400, omission: '…' });
		const ms = String(Date.now() - began).padStart(6);
		say(`${name.padEnd(42)}${(ok ? 'ok' : 'FAILED').padEnd(8)}${ms} ms  ${shown}`);
	}
	return failures;
}
