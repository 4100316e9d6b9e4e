import { COUNTRY_CODES, CURRENCY_CODES } from './isoCodes';

const COUNTRIES: ReadonlySet<string> = new Set(COUNTRY_CODES.trim().split(/\s+/));

const CURRENCIES: ReadonlySet<string> = new Set(CURRENCY_CODES.trim().split(/\s+/));

/** Codes that people write instead of the code of ISO 3166. Many are those of sports federations. */
const INSTEAD_OF_COUNTRY: ReadonlyMap<string, string> = instead(`
UK GB EN GB ENG GBR SCO GBR WAL GBR EL GR UAE ARE KSA SAU IRI IRN PRC CHN ROK KOR DPR PRK ROC TWN
RSA ZAF GER DEU SUI CHE NED NLD HOL NLD POR PRT SPA ESP DEN DNK GRE GRC CRO HRV BUL BGR LAT LVA
SLO SVN ROM ROU ALG DZA LBA LBY SUD SDN NGR NGA ANG AGO ZIM ZWE ZAM ZMB TAN TZA ZAI COD MAD MDG
KUW KWT OMA OMN LIB LBN SRI LKA MYA MMR CAM KHM NEP NPL MAS MYS INA IDN PHI PHL VIE VNM CHI CHL
URU URY PAR PRY HAI HTI GUA GTM HON HND CRC CRI NCA NIC ESA SLV PUR PRI XKX XKK TMP TLS
`);

/** Codes that people write instead of the code of ISO 4217. */
const INSTEAD_OF_CURRENCY: ReadonlyMap<string, string> = instead(`
RMB CNY CNH CNY NIS ILS YEN JPY STG GBP UKP GBP NTD TWD RUR RUB SFR CHF EUO EUR LEI RON DHS AED
KSH KES TSH TZS USH UGX DKR DKK SKR SEK NKR NOK VEF VES MXP MXN TRL TRY ROL RON GHC GHS BYR BYN
`);

/** Kind of code in a condition. */
export interface Codes {
	has(entry: string): boolean;
	/** Right code instead of a wrong one, if it is known. */
	instead(entry: string): string | undefined;
}

/** Codes of ISO 3166-1. All three forms, because the form that the service uses is not documented (§6.5). */
export const countries: Codes = {
	has: (entry) => COUNTRIES.has(entry.toUpperCase()),
	instead: (entry) => INSTEAD_OF_COUNTRY.get(entry.toUpperCase()) ?? countryNamed(entry),
};

/** Codes of ISO 4217. */
export const currencies: Codes = {
	has: (entry) => CURRENCIES.has(entry.toUpperCase()),
	instead: (entry) => INSTEAD_OF_CURRENCY.get(entry.toUpperCase()),
};

/** Three letters of the country with this English name. */
function countryNamed(name: string): string | undefined {
	if (name.length < 4) return undefined;
	const names = new Intl.DisplayNames('en', { type: 'region' });
	const all = [...COUNTRIES];
	const two = all
		.filter((code) => /^[A-Z]{2}$/.test(code))
		.find((code) => names.of(code)?.toUpperCase() === name.toUpperCase());
	return two === undefined ? undefined : all[all.indexOf(two) + 1];
}

function instead(pairs: string): Map<string, string> {
	const words = pairs.trim().split(/\s+/);
	return new Map(
		words.flatMap((wrong, at) => (at % 2 === 0 ? [[wrong, words[at + 1] ?? '']] : [])),
	);
}
