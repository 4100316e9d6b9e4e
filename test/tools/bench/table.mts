import type { Table } from './benchmark.mts';

/** A table for the terminal. */
export function asText({ caption, headings, rows }: Table): string {
	const widths = headings.map((heading, column) =>
		Math.max(heading.length, ...rows.map((row) => row[column]!.length)),
	);
	const line = (cells: string[]) =>
		cells
			.map((cell, column) =>
				column === 0 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!),
			)
			.join('  ');
	return [
		caption,
		'',
		line(headings),
		widths.map((width) => '-'.repeat(width)).join('  '),
		...rows.map(line),
	].join('\n');
}
