export const markdownTable = (headings: readonly string[], rows: string[][]): string =>
	[
		`| ${headings.join(' | ')} |`,
		`|${'---|'.repeat(headings.length)}`,
		...rows.map((cells) => `| ${cells.join(' | ')} |`),
	].join('\n');
