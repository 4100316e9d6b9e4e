import { readFileSync, writeFileSync } from 'node:fs';
import countries from 'i18n-iso-countries';
import lodash from 'lodash';

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
	const lines = lodash.chunk(codes, PER_LINE).map((line) => line.join(' '));
	const written = readFileSync(FILE, 'utf8');
	writeFileSync(FILE, written.replace(/`[A-Z\d\s]+`/, `\`\n${lines.join('\n')}\n\``));
}
