/** Builds a one-page PDF with these lines of text. It has no table of its objects, which readers make themselves. */
export function pdf(lines: string[]): Buffer {
	const text = lines.map((line) => `(${escapeText(line)}) Tj T*`).join('\n');
	const content = `BT /F1 11 Tf 14 TL 50 790 Td\n${text}\nET`;
	const objects = [
		'<< /Type /Catalog /Pages 2 0 R >>',
		'<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
		'<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
		`<< /Length ${Buffer.byteLength(content, 'latin1')} >>\nstream\n${content}\nendstream`,
		'<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
	].map((object, index) => `${index + 1} 0 obj\n${object}\nendobj\n`);
	const file = `%PDF-1.4\n${objects.join('')}trailer\n<< /Root 1 0 R >>\n%%EOF\n`;
	return Buffer.from(file, 'latin1');
}

/** Escapes backslashes and parentheses. The standard font has no characters beyond Latin-1. */
const escapeText = (line: string): string =>
	line.replace(/[\\()]/g, '\\$&').replace(/[^\x20-\xff]/g, '?');
