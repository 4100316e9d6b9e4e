import { COUNTRY_CODES, CURRENCY_CODES } from './isoCodes';

/** Kosovo has no code of ISO 3166. Programs use these codes. */
const KOSOVO = ['XK', 'XKX', 'XKK'];

const COUNTRIES: ReadonlySet<string> = new Set([...COUNTRY_CODES.trim().split(/\s+/), ...KOSOVO]);

/**
 * Currencies that exist no more. `Intl` still knows them. ANG and BGN ended only in 2025, so that refunds may still come
 * in them.
 */
const FORMER_CURRENCIES: ReadonlyMap<string, string> = instead('HRK EUR CUC CUP SLL SLE ZWL ZWG');

/** Codes of ISO 4217 that `Intl` lacks: units of account, metals, and a second code of Venezuela. */
const OTHER_CURRENCIES = `
BOV CHE CHW CLF COU MXV USN UYI UYW VED XAG XAU XBA XBB XBC XBD XPD XPT XTS XUA XXX
`;

const CURRENCIES: ReadonlySet<string> = new Set(
	`${CURRENCY_CODES} ${OTHER_CURRENCIES}`
		.trim()
		.split(/\s+/)
		.filter((code) => !FORMER_CURRENCIES.has(code)),
);

/**
 * Codes and names that people write instead of the code of ISO 3166: codes of sports federations, former codes, slips.
 * A code that might mean two countries is left out.
 */
const INSTEAD_OF_COUNTRY: ReadonlyMap<string, string> = instead(`
UK GB EN GB ENG GBR SCO GBR WAL GBR NIR GBR GRB GBR GBN GBR EL GR UAE ARE KSA SAU IRI IRN PRC CHN
ROK KOR SKO KOR DPR PRK ROC TWN TPE TWN RSA ZAF GER DEU FRG DEU BRD DEU DD DE DDR DEU SUI CHE SWI CHE
NED NLD HOL NLD POR PRT SPA ESP DEN DNK GRE GRC CRO HRV BUL BGR LAT LVA LIT LTU SLO SVN SLK SVK SER SRB
BOS BIH MOL MDA CZR CZE ROM ROU IRE IRL ROI IRL EIR IRL JAP JPN TUK TUR TRK TUR SU RU KOS XKX KVX XKX
KSV XKX RKS XKX UNK XKX ALG DZA LBA LBY SUD SDN NGR NGA NIG NER ANG AGO ZIM ZWE ZAM ZMB TAN TZA ZAI COD
ZR CD DRC COD CGO COG CAR CAF CTA CAF CHA TCD BOT BWA GAM GMB GBS GNB GEQ GNQ EQG GNQ GUI GIN
LES LSO MAD MDG MAW MWI MRI MUS MTN MRT SEY SYC TOG TGO IVC CIV KUW KWT OMA OMN LIB LBN PLE PSE PAL PSE
SRI LKA MYA MMR BU MM CAM KHM NEP NPL BAN BGD BHU BTN MGL MNG MAS MYS INA IDN PHI PHL SIN SGP VIE VNM
BRU BRN TMP TLS TP TL FIJ FJI SAM WSM SOL SLB TGA TON VAN VUT TAH PYF ASA ASM CHI CHL URU URY PAR PRY
HAI HTI GUA GTM HON HND CRC CRI NCA NIC ESA SLV PUR PRI ARU ABW BAH BHS BAR BRB BER BMU BIZ BLZ CAY CYM
GRN GRD ISV VIR IVB VGB SKN KNA VIN VCT FX FR FXX FRA
AMERICA USA ENGLAND GBR SCOTLAND GBR WALES GBR GREATBRITAIN GBR NORTHERNIRELAND GBR BRITAIN GBR
HOLLAND NLD TURKEY TUR RUSSIANFEDERATION RUS CZECHREPUBLIC CZE VATICAN VAT IVORYCOAST CIV
MACEDONIA MKD SWAZILAND SWZ BURMA MMR CAPEVERDE CPV EASTTIMOR TLS MACAU MAC
`);

/**
 * Codes, names and signs that people write instead of the code of ISO 4217: former codes, codes of countries, slips.
 * Names and signs of several currencies, such as the dollar, are left out.
 */
const INSTEAD_OF_CURRENCY: ReadonlyMap<string, string> = instead(`
RMB CNY CNH CNY CHN CNY YUAN CNY NIS ILS YEN JPY JAP JPY JPN JPY STG GBP UKP GBP GBR GBP GBX GBP £ GBP
NTD TWD NT$ TWD RUR RUB RUS RUB SFR CHF EUO EUR EURO EUR EUROS EUR € EUR LEI RON ROM RON DHS AED
KSH KES TSH TZS USH UGX DKR DKK SKR SEK NKR NOK VEB VES VEF VES BYB BYN BYR BYN MXP MXN MEX MXN
TL TRY TRL TRY YTL TRY TUR TRY ROL RON GHC GHS US$ USD USA USD DOL USD CND CAD CDN CAD CAN CAD C$ CAD
A$ AUD AUS AUD NZ$ NZD S$ SGD SGP SGD HK$ HKD HKG HKD R$ BRL BRA BRL REAL BRL BRR BRL BRC BRL ARA ARS ARP ARS
ZL PLN ZŁ PLN ZLOTY PLN PLZ PLN POL PLN UAK UAH UKR UAH WON KRW KOR KRW RM MYR BHT THB KD KWD LE EGP
DEM EUR FRF EUR ITL EUR ESP EUR NLG EUR PTE EUR GRD EUR ATS EUR BEF EUR FIM EUR IEP EUR LTL EUR LVL EUR
EEK EUR SKK EUR SIT EUR MTL EUR CYP EUR AZM AZN BGL EUR MZM MZN SDD SDG ZWD ZWG TMM TMT MRO MRU STD STN
SRG SRD MGF MGA AFA AFN AON AOA 840 USD 978 EUR 826 GBP 756 CHF 392 JPY 156 CNY 986 BRL 484 MXN 032 ARS
643 RUB 949 TRY 985 PLN
`);

/** Kind of code in a condition. */
export interface Codes {
	has(entry: string): boolean;
	/** Right code instead of a wrong one, if it is known. */
	instead(entry: string): string | undefined;
}

/**
 * Codes of ISO 3166-1, and those of Kosovo. All three forms, because the form that the service uses is not documented
 * (§6.5).
 */
export const countries: Codes = {
	has: (entry) => COUNTRIES.has(entry.toUpperCase()),
	instead: (entry) =>
		insteadOf(entry, COUNTRIES, INSTEAD_OF_COUNTRY) ?? countryNamed(lettersOf(entry)),
};

/** Codes of ISO 4217. */
export const currencies: Codes = {
	has: (entry) => CURRENCIES.has(entry.toUpperCase()),
	instead: (entry) =>
		insteadOf(entry, CURRENCIES, INSTEAD_OF_CURRENCY) ??
		FORMER_CURRENCIES.get(entry.toUpperCase()) ??
		codeNamed(lettersOf(entry), [...CURRENCIES], 'currency'),
};

/** All codes of this form for the country of a code. */
export function sameCountry(code: string): string[] {
	return /^XK[XK]$/i.test(code) ? KOSOVO.slice(1) : [code];
}

function insteadOf(
	entry: string,
	codes: ReadonlySet<string>,
	known: ReadonlyMap<string, string>,
): string | undefined {
	const letters = lettersOf(entry);
	const right = /^\d{1,2}$/.test(entry) ? entry.padStart(3, '0') : letters;
	const isRight = right !== entry.toUpperCase() && codes.has(right);
	return known.get(entry.toUpperCase()) ?? known.get(letters) ?? (isRight ? right : undefined);
}

/** Upper-case letters without the dots, spaces, quotes and signs of a currency around or between them. */
function lettersOf(entry: string): string {
	return entry.toUpperCase().replace(/[\s.'"\p{Sc}()]/gu, '');
}

/** Three letters of the country with this English name. */
function countryNamed(name: string): string | undefined {
	const all = [...COUNTRIES];
	const two = codeNamed(
		name,
		all.filter((code) => /^[A-Z]{2}$/.test(code)),
		'region',
	);
	return two === undefined ? undefined : all[all.indexOf(two) + 1];
}

/** Code of the country or currency with this English name, in capital letters. */
function codeNamed(
	name: string,
	codes: readonly string[],
	type: 'region' | 'currency',
): string | undefined {
	if (name.length < 4) return undefined;
	const names = (['long', 'short'] as const).map(
		(style) => new Intl.DisplayNames('en', { type, style }),
	);
	return codes.find((code) => names.some((each) => lettersOf(each.of(code) ?? '') === name));
}

function instead(pairs: string): Map<string, string> {
	const words = pairs.trim().split(/\s+/);
	return new Map(
		words.flatMap((wrong, at) => (at % 2 === 0 ? [[wrong, words[at + 1] ?? '']] : [])),
	);
}
