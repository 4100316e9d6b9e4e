export function table(rows: string[][]): string {
	const widths: number[] = [];
	for (const row of rows) {
		for (const [column, cell] of row.entries())
			widths[column] = Math.max(widths[column] ?? 0, cell.length);
	}
	return rows
		.map((row) =>
			row
				.map((cell, column) => cell.padEnd(widths[column]!))
				.join('  ')
				.trimEnd(),
		)
		.map((line) => `  ${line}`)
		.join('\n');
}
