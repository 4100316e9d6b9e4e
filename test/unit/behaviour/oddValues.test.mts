import fc from 'fast-check';
import { DateTime } from 'luxon';

import { InvalidFieldError } from '../../../nodes/shared/fields/invalidField.ts';
import { anyCharacter } from '../../harness/anyCharacter.mts';
import { goodItems, OPERATIONS, placesOf, read } from '../CardTreasury/operations/everyField.mts';
import type { Item } from '../CardTreasury/operations/reading.mts';

/** What an expression, a Code node, a spreadsheet or a database may give besides an ordinary text. */
const ODD_TEXTS = [
	...['1e3', '0x10', '１２', ' 12 ', '12,50', '1.000,00', '=1+1', "'001", 'TRUE', '-0', '7.6E+18'],
	...['####', '#SPILL!', '#CALC!', '#GETTING_DATA', '#N/A N/A', '#WERT!', '#¿NOMBRE?', '#Н/Д'],
	...['-', 'n.a.', '(null)', '<NA>', 'nan', 'Wird geladen...', 'INVundefined', 'null_2026'],
	...[
		'a\u200bb',
		'\u202eabc',
		'a\u00a0b',
		'a\tb',
		'\ufeffa',
		'\ud800',
		'a\udc00',
		'\u3164',
		'\u2800',
	],
	...['\0', 'a\r\nb', '../x', '/a/..;/b', '%2e%2e', '__proto__', 'constructor', '{}', '[1]'],
	'x'.repeat(100_000),
];
const throwing = (name: string) => ({
	[name]: () => {
		throw new TypeError(`${name} of a value`);
	},
});
const circular: { self?: unknown } = {};
circular.self = circular;
const ODD_VALUES: unknown[] = [
	...[0, -0, 1e21, 1e-7, 0.1 + 0.2, 2 ** 53 + 1, -5, 5e-324, Infinity, Number.NaN],
	...[true, false, 10n, Symbol('s'), () => 1, class {}, /a/, new Error('e')],
	...[new Date(Number.NaN), new Date(0), DateTime.invalid('x'), DateTime.utc()],
	...[Object('a'), Object(1), Object(true), Object(1n)],
	...[new Map([['a', 1]]), new Set([1]), new Uint8Array(2), new ArrayBuffer(2), Buffer.from('a')],
	...[Object.create(null), Object.assign(Object.create(null), { value: 'a' }), circular],
	...[throwing('toString'), throwing('toJSON'), throwing('valueOf'), throwing('toISO')],
	...[
		new Proxy({}, { ownKeys: () => throwing('x').x!() }),
		Object.defineProperty({}, 'a', { enumerable: true, get: throwing('a').a }),
	],
	...[[], [, 1], [['a']], [undefined], [null], [10n], {}, { value: 10n }, { value: [, 1] }],
];

const oddValue = fc.oneof(
	{ weight: 4, arbitrary: fc.constantFrom(...ODD_TEXTS) },
	{ weight: 4, arbitrary: fc.constantFrom(...ODD_VALUES) },
	fc.string({ unit: anyCharacter, maxLength: 20 }),
	fc.anything({
		withBigInt: true,
		withDate: true,
		withMap: true,
		withNullPrototype: true,
		withObjectString: true,
		withSet: true,
		withSparseArray: true,
		withTypedArray: true,
	}),
);

const PART = '{{ $json.v }}';
/** Ways in which a value gets into a field: a fixed value, the value of an expression, or a part of a text. */
const WAYS = ['fixed', 'whole', 'part'] as const;

/** Text that n8n makes of a value inside a text. Undefined where n8n cannot. */
function inText(value: unknown): string | undefined {
	try {
		return `a-${typeof value === 'object' ? JSON.stringify(value) : String(value)}`;
	} catch {
		return undefined;
	}
}

function entryOf(way: (typeof WAYS)[number], value: unknown) {
	if (way === 'part') {
		const text = inText(value);
		return text === undefined ? undefined : { value: text, raw: `=a-${PART}`, part: value };
	}
	if (way === 'whole') return { value, raw: `=${PART}`, part: value };
	// A workflow stores only JSON.
	const isStored = ['string', 'number', 'boolean'].includes(typeof value);
	return isStored ? { value, raw: value, part: undefined } : undefined;
}

/** Names of the parts of a field that has several. */
const INSIDE: Record<string, Array<(value: unknown) => unknown>> = {
	metadata: [(value) => ({ value: { number: value } }), (value) => ({ value }), (value) => value],
	queryParameters: [
		(value) => ({ parameter: [{ name: 'a', value }] }),
		(value) => ({ parameter: [{ name: value, value: 'b' }] }),
		(value) => value,
	],
	jsonBody: [(value) => value, (value) => ({ to: value }), (value) => [{ to: [value] }]],
};

const PLACES = OPERATIONS.flatMap((operation) =>
	placesOf(operation).flatMap(({ name, label, collection }) =>
		goodItems(operation).flatMap((good) =>
			(INSIDE[name] ?? [(value: unknown) => value]).map((inside) => ({
				operation,
				label,
				good,
				isObject: name === 'jsonBody' && typeof inside('') !== 'string',
				fill: (value: unknown) => put(good, name, collection, inside(value)),
				store: (value: unknown) => put(good, name, collection, value),
			})),
		),
	),
);

const LABELS = ['Options', ...PLACES.map(({ label }) => label)];

function put(good: Item, name: string, collection: string | undefined, value: unknown) {
	const { parameters } = good;
	if (collection === undefined) return { ...parameters, [name]: value };
	const entries = parameters[collection];
	return { ...parameters, [collection]: { ...Object(entries), [name]: value } };
}

/** Everything that would be sent, as text. */
function sentOf(work: unknown): string {
	const { request } = Object(work) as { request?: unknown };
	return JSON.stringify(request ?? work);
}

/** Spelling in which a text and its request are compared: documented normalization does not count. */
const spelled = (text: string): string =>
	text.normalize('NFKC').replace(/\s+/g, ' ').trim().toUpperCase();

/** Request as it reads without URL encoding, which paths and queries have, and bodies have not. */
function decoded(sent: string): string {
	return sent.replace(/%[\dA-F]{2}(?:%[\dA-F]{2})*/g, (code) => {
		try {
			return decodeURIComponent(code);
		} catch {
			return code;
		}
	});
}

/** True if the request shows the text, or does not depend on it. */
async function shows(work: unknown, text: string, operation: string, good: Item): Promise<boolean> {
	const without = await read(operation, { ...good, isTool: false });
	const inJson = (plain: string) => JSON.stringify(plain).slice(1, -1);
	const sent = sentOf(work);
	const isThere = [sent, decoded(sent)].some((spelling) =>
		[text, inJson(text), inJson(inJson(text))].some((form) =>
			spelled(spelling).includes(spelled(form)),
		),
	);
	return isThere || sent === sentOf(without);
}

/** Characters that a person does not see, or that cannot be sent. */
const UNSEEN = /\\ud[89a-f]|%EF%BF%BD|\\u0000|[\u200b\u202e\u3164\u2800\ufeff]/i;
/** Texts that stand for a missing value. In a fixed value they are the user's, unless they are all of it. */
const MISSING =
	/undefined|\[object |\bNaN\b|Infinity|Invalid Date|#(?:N\/A|SPILL!|CALC!|WERT!|GETTING)|####/;

describe('odd values', () => {
	it('any odd value in any field is sent as shown, or refused with the label of a field', async () => {
		const seen = { refused: 0, sent: 0 };
		const place = fc.constantFrom(...PLACES);
		await fc.assert(
			fc.asyncProperty(place, fc.constantFrom(...WAYS), oddValue, async (at, way, value) => {
				const entry = entryOf(way, value);
				// A JSON body that is not an expression is a text.
				const isObjectBody = at.isObject && way !== 'whole';
				if (entry === undefined || isObjectBody) return;
				const item = {
					...at.good,
					isTool: false,
					parameters: at.fill(entry.value),
					// A JSON body is stored as one text.
					raw: at.isObject ? at.store(entry.raw) : at.fill(entry.raw),
					parts: { [PART]: entry.part },
				};
				const work: unknown = await read(at.operation, item).catch((thrown: unknown) => thrown);
				if (work instanceof InvalidFieldError) {
					seen.refused += 1;
					expect(LABELS).toContain(work.field);
					expect(work.message.length).toBeLessThan(600);
					return;
				}
				if (work instanceof Error) throw work;
				seen.sent += 1;
				expect(sentOf(work)).not.toMatch(UNSEEN);
				if (way !== 'fixed') expect(sentOf(work)).not.toMatch(MISSING);
				if (typeof entry.value !== 'string') return;
				expect(await shows(work, entry.value, at.operation, at.good)).toBe(true);
			}),
			{ numRuns: 3_000 },
		);
		expect(seen.refused).toBeGreaterThan(500);
		expect(seen.sent).toBeGreaterThan(150);
	}, 60_000);
});
