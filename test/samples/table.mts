/** Rows of a table, one a line, with cells between ` | `. A cell that begins with `{`, `[` or `"` is JSON. */
export const table = <Row extends unknown[]>(text: string): Row[] =>
	text
		.trim()
		.split('\n')
		.map((line) => line.trim().split(' | ').map(cellOf) as Row);

/** A test for each row of a table. */
export const eachRow = <Row extends unknown[]>(text: string) => it.each(table<Row>(text));

const cellOf = (text: string): unknown =>
	/^[{["]/.test(text) ? (JSON.parse(text) as unknown) : text;
