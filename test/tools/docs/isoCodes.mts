import { readFileSync, writeFileSync } from 'node:fs';
import countries from 'i18n-iso-countries';

const FILE = 'nodes/shared/rules/countries.ts';
const PER_LINE = 8;

/** Codes of each country (ISO 3166-1): two letters, three letters, digits. */
export function countryCodes(): string[] {
	return Object.entries(countries.getAlpha2Codes())
		.sort()
		.map(([two, three]) => `${two} ${three} ${countries.alpha2ToNumeric(two)}`);
}

/** Writes the codes that conditions accept into a file of the package, which has no dependencies. */
export function writeCountries(): void {
	const codes = countryCodes();
	const lines = Array.from({ length: Math.ceil(codes.length / PER_LINE) }, (_, line) =>
		codes.slice(line * PER_LINE, (line + 1) * PER_LINE).join(' '),
	);
	const written = readFileSync(FILE, 'utf8');
	writeFileSync(FILE, written.replace(/`[A-Z\d\s]+`/, `\`\n${lines.join('\n')}\n\``));
}
