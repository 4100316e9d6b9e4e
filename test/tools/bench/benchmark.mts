/** Rows of text under headings, as they are printed and as the docs show them. */
export interface Table {
	caption: string;
	headings: string[];
	rows: string[][];
}

export interface Chart {
	/** Of its file, without extension. */
	name: string;
	/** Said to those who cannot see it. */
	alternative: string;
	svg: string;
}

export interface RunOptions {
	say: (line: string) => void;
	/** How long each single measurement lasts; absent = as long as the benchmark needs. */
	seconds?: number;
	/** Deliveries per second, in rising order; absent = those of the benchmark. */
	rates?: number[];
}

/** What a benchmark says when some or all of its parts have been measured. */
export interface Presentation {
	/** The outcome in two or three sentences, with figures of the results; empty while what it needs is not measured. */
	inShort: string;
	/** Paragraphs that say what is measured and how to read it. */
	text: string[];
	tables: Table[];
	charts?: Chart[];
}

export interface Benchmark<Measured = unknown> {
	/** As given to `npm run bench -- <name>`. */
	name: string;
	title: string;
	/** Each can be run by itself, in a few minutes: `npm run bench -- <name> <part>`. */
	parts: readonly string[];
	/** Measures one part. What it returns is kept as JSON. */
	measure(part: string, options: RunOptions): Promise<Measured>;
	/** @param measured by part; parts that have not been measured are absent */
	present(measured: Partial<Record<string, Measured>>): Presentation;
}
