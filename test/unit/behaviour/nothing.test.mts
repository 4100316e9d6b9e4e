import { DateTime } from 'luxon';

import { InvalidFieldError } from '../../../nodes/shared/fields/invalidField.ts';
import { goodItems, OPERATIONS, placesOf, read } from '../CardTreasury/operations/everyField.mts';
import type { Item } from '../CardTreasury/operations/reading.mts';

const SPREADSHEET = [
	...['#N/A', '#REF!', '#VALUE!', '#NAME?', '#DIV/0!', '#NULL!', '#NUM!', '#ERROR!'],
	...[
		'#SPILL!',
		'#CALC!',
		'#GETTING_DATA',
		'#N/A N/A',
		'#N/A Requesting Data...',
		'####',
		'Err:502',
	],
	// In other languages, and of other programs.
	...['#WERT!', '#NV', '#NOM?', '#N/D', '#¡VALOR!', '#¿NOMBRE?', '#Н/Д', '#DEĞER!', '#UNPARSEABLE'],
];
const WORDS = ['undefined', 'null', 'NaN', '[object Object]'];
/** Of JavaScript, luxon and moment. */
const INVALID_DATES = ['Invalid Date', 'Invalid DateTime', 'Invalid date'];
/** Blank to a person. */
const BLANKS = [' ', '\t\n', '\u00a0', '\u3000', '\u200b', '\u2800', '\u3164', '\ufeff'];
const TEXTS = [...BLANKS, ...WORDS, ...INVALID_DATES, ...SPREADSHEET];
/** What names nothing, in any letter case. */
const NO_NAMES = [
	...['Null', 'NULL', 'none', 'None', 'nil', 'NIL', 'n/a', 'N/A', 'Loading...'],
	...[
		'nan',
		'NaT',
		'Undefined',
		'N/D',
		'n.a.',
		'\\N',
		'(null)',
		'<NA>',
		'[none]',
		'(blank)',
		'Ｎｕｌｌ',
	],
	...['Wird geladen...', 'Chargement…'],
];
/** Values of JavaScript that no text, number or date can be. */
const VALUES: unknown[] = [
	undefined,
	null,
	'',
	Number.NaN,
	Infinity,
	7615917337495251231,
	10n,
	Symbol('s'),
	() => 'a',
	new Date(Number.NaN),
	DateTime.invalid('x'),
	['a'],
];

/** Objects, which n8n writes into a text as [object Object]. */
const OBJECTS: unknown[] = [{}, { id: 1 }, [{ id: 1 }]];

/** A way in which a value gets into a field, with the stored form and the values of its `{{ }}`. */
interface Entry {
	value: unknown;
	raw: unknown;
	parts?: Record<string, unknown>;
}

const PART = '{{ $json.v }}';
const fixed = (text: string): Entry => ({ value: text, raw: text });
const whole = (value: unknown): Entry => ({ value, raw: `=${PART}` });
const made = (text: string): Entry => ({ value: text, raw: '={{ $json.v + "-1" }}' });
/** Texts that one expression made of a value that is missing, and of others. */
const MADE = [
	...WORDS.flatMap((word) => [`${word}-1`, `${word}_1`, `a ${word}/1`]),
	...['INVundefined', 'undefined17', 'a-Invalid DateTime', 'INV-#REF!', '#N/A-1'],
	...['INV-#WERT!', '#¿NOMBRE?-1', 'a #DIV/0! b', 'INV-#Н/Д', '#ССЫЛКА!-1'],
];
const part = (value: unknown): Entry => ({
	value: `a-${String(value ?? '')}`,
	raw: `=a-${PART}`,
	parts: { [PART]: value },
});

/** Text around a part with a value. Only together they mean nothing. */
const together: Entry = { value: '#N/A', raw: `=#${PART}`, parts: { [PART]: 'N/A' } };

const everywhere = [
	together,
	...TEXTS.map(fixed),
	...[...TEXTS, ...VALUES].flatMap((value) => [whole(value), part(value)]),
	...MADE.map(made),
	fixed('7.61592E+18'),
	...['7.61592E+18', '7,61592E+18', 'a\u200bb', '\u202eabc', 'a\ud800'].map(whole),
	...OBJECTS.map(part),
	// An expression of another node's parameter.
	...['={{ $json.amount }}', '=INV-{{ $json.no }}\n'].flatMap((text) => [whole(text), part(text)]),
];
/** As a part of a text, they separate. */
const PUNCTUATION = ['-', '—', '--', '?', '...', '…'];
const inNames = [
	...NO_NAMES.flatMap((text) => [fixed(text), whole(text), part(text)]),
	...PUNCTUATION.flatMap((text) => [fixed(text), whole(text)]),
];
/** Labels of references, IDs and filters. */
const NAMES = /ID$|Reference$|Idempotency Key$|^Symbol$|^Product Request$|^Document Type$/;

/** Field, with the way to fill it in. */
interface Place {
	label: string;
	fill(value: unknown): Record<string, unknown>;
	entries: Entry[];
}

function fillable(operation: string): Place[] {
	return placesOf(operation)
		.filter(({ name }) => !['options', 'filters'].includes(name))
		.flatMap(({ name, label, collection }): Place[] => {
			const put = (value: unknown) =>
				collection === undefined ? { [name]: value } : { [collection]: { [name]: value } };
			const takesLists = LISTS.includes(`${operation}.${name}`);
			const isList = ({ value, parts }: Entry) =>
				Array.isArray(value) || Array.isArray(parts?.[PART]);
			const fits = (entry: Entry) => !(takesLists && isList(entry));
			const entries = [...everywhere, ...(NAMES.test(label) ? inNames : [])].filter(fits);
			if (name === 'metadata')
				return [{ label, entries, fill: (value) => put({ value: { number: value } }) }];
			if (name === 'queryParameters')
				return ['name', 'value'].map((key) => ({
					label,
					entries,
					fill: (value) => put({ parameter: [{ name: 'a', value: 'b', [key]: value }] }),
				}));
			// A literal null in a JSON body is the user's, and lists are JSON.
			if (name === 'jsonBody') return [{ label, entries: jsonEntries, fill: put }];
			if (name === 'backImageField') {
				const meant = entries.filter(({ value, raw }) => raw !== `=${PART}` || Boolean(value));
				return [{ label, entries: meant, fill: put }];
			}
			return [{ label, entries, fill: put }];
		});
}

const jsonEntries: Entry[] = [
	...[[], [null], ['']].map((value) => ({
		value: '{"to":""}',
		raw: `={"to":"${PART}"}`,
		parts: { [PART]: value },
	})),
	...[...TEXTS, ...VALUES.filter((value) => !Array.isArray(value))].flatMap((value) => [
		whole({ to: value }),
		whole({ list: [{ to: value }] }),
		{ value: '{"to":"x"}', raw: `={"to":"${PART}"}`, parts: { [PART]: value } },
	]),
	// What JSON would leave out, or write in another way.
	...[
		10n,
		() => 1,
		Symbol('s'),
		new Map([['a', 1]]),
		/a/,
		new Uint8Array(1),
		Object('a'),
		[, 1],
	].map((value) => whole({ to: value })),
	...OBJECTS.map((value) => ({
		value: '{"to":"[object Object]"}',
		raw: `={"to":"${PART}"}`,
		parts: { [PART]: value },
	})),
	...MADE.map((text) => whole({ to: text })),
	whole('{"to":"a\u200bb"}'),
	fixed('{"to":"a\u202eb"}'),
	whole('{"to":null}'),
	whole('"{\\"to\\":1}"'),
	fixed('"{\\"to\\":1}"'),
];

/** Fields that take lists. */
const LISTS = [
	'token: getAll.blockchains',
	'productRequest: getAll.products',
	'productRequest: getAll.statuses',
	'productRequest: getMissingRequirements.products',
	'cardTransaction: search.operations',
	'card: unblock.unlessStatus',
	'wallet: transfer.allowedRecipients',
];

/** Labels by which reading the items refuses, up to the field's; `undefined` for accepted ones. */
async function refusedBy(operation: string, place: Place, entry: Entry) {
	const labels: Array<string | undefined> = [];
	// Some items hide the field.
	for (const good of goodItems(operation)) {
		if (labels.includes(place.label)) break;
		labels.push(await refusalIn(operation, good, place, entry));
	}
	return labels;
}

async function refusalIn(
	operation: string,
	good: Item,
	{ fill }: Place,
	{ value, raw, parts }: Entry,
): Promise<string | undefined> {
	const merged = (given: Record<string, unknown>) => {
		const { options, filters, ...others } = given;
		return {
			...good.parameters,
			...others,
			...(isSet(options) && { options: { ...(good.parameters.options ?? {}), ...options } }),
			...(isSet(filters) && { filters: { ...(good.parameters.filters ?? {}), ...filters } }),
		};
	};
	const item = {
		...good,
		isTool: false,
		parameters: merged(fill(value)),
		raw: merged(fill(raw)),
		...(parts && { parts }),
	};
	return await read(operation, item).then(
		() => undefined,
		(thrown: unknown) => {
			if (thrown instanceof InvalidFieldError) return thrown.field;
			throw thrown;
		},
	);
}

const isSet = (value: unknown): value is object => typeof value === 'object' && value !== null;

const CASES = OPERATIONS.map((operation) => {
	const places = fillable(operation);
	const count = places.reduce((sum, { entries }) => sum + entries.length, 0);
	return [operation, places, count] as const;
});

describe('values that mean nothing', () => {
	it.each(CASES.map(([operation, places, count]) => [operation, count, places] as const))(
		'%s refuses them by the label of the field, in %i cases',
		async (operation, _, places) => {
			const accepted: unknown[] = [];
			for (const place of places) {
				for (const entry of place.entries) {
					const labels = await refusedBy(operation, place, entry);
					if (!labels.includes(place.label)) accepted.push([place.label, entry, labels]);
				}
			}
			expect(accepted).toEqual([]);
		},
	);
});
