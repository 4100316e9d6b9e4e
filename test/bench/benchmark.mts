/** Rows of text under headings, as they are printed and as they stand in the docs. */
export interface Table {
	caption: string;
	headings: string[];
	rows: string[][];
}

export interface Benchmark {
	/** As given to `npm run bench -- <name>`. */
	name: string;
	title: string;
	run(say: (line: string) => void): Promise<Table[]>;
}
