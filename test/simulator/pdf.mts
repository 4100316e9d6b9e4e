/** Builds a one-page PDF with these lines of text, small and valid enough that readers open it without repair. */
export function pdf(lines: string[]): Buffer {
	const text = lines.map((line) => `(${escapeText(line)}) Tj T*`).join('\n');
	const content = `BT /F1 11 Tf 14 TL 50 790 Td\n${text}\nET`;
	const objects = [
		'<< /Type /Catalog /Pages 2 0 R >>',
		'<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
		'<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
		`<< /Length ${Buffer.byteLength(content, 'latin1')} >>\nstream\n${content}\nendstream`,
		'<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
	];
	let file = '%PDF-1.4\n';
	const offsets = objects.map((object, index) => {
		const offset = file.length;
		file += `${index + 1} 0 obj\n${object}\nendobj\n`;
		return offset;
	});
	const entries = offsets
		.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`)
		.join('');
	const xref = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${entries}`;
	const trailer = `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${file.length}\n%%EOF\n`;
	return Buffer.from(file + xref + trailer, 'latin1');
}

/** Escapes backslashes and parentheses. The standard font has no characters beyond Latin-1. */
function escapeText(line: string): string {
	return line.replace(/[\\()]/g, '\\$&').replace(/[^\x20-\xff]/g, '?');
}
