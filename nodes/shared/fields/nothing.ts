/**
 * Values that mean nothing: what JavaScript, luxon and spreadsheets write where a value is missing. Fields refuse them,
 * because such a text would be sent, or would name a payment.
 */

import { isObject } from '../isObject';
import { harmless, shortened } from '../plainLine';
import { quote, type Problem } from './invalidField';
import { invisibleProblem, isUnseen } from './invisible';
import { codeIn, isEmpty, isExpression } from './source';

/** How a field's value is looked at. */
export interface Look {
	/** True for references, IDs and filters, which nobody calls "none". A client may be called Null. */
	isName?: boolean;
	/** Content of the value. By default one value. A `json` value is looked at with everything that it holds. */
	takes?: 'json' | 'list';
}

/** Error of a spreadsheet in any language, e.g. `#REF!`, `#NOM?`, `#DIV/0!`, `#¡VALOR!`, `#N/A`, `#Н/Д`. */
const CELL_ERROR = /#(?:[¡¿]?\p{Lu}[\p{Lu}\d/_]*[!?]|\p{Lu}\/\p{Lu}(?![\p{L}\d]))/u.source;

/** The same in a longer text, by name: other words may look like these, such as `#URGENT!`. */
const CELL_ERROR_INSIDE = [
	'#(?:N/[AD]|Н/Д)(?![\\p{L}\\d])',
	'#[¡¿]?(?:NAME|NOM|NOMBRE|NOME|NAAM|NAZWA|ИМЯ)\\?',
	'#¡?(?:REF|VALUE|DIV/0|NULL|NUM|ERROR|SPILL|CALC|WERT|BEZUG|ZAHL|FEHLER|VALEUR|NOMBRE|ERREUR|VALOR)!',
	'#(?:NULO|ERRO|RIF|VALORE|ERRORE|WAARDE|VERW|GETAL|ARG|ADR|LICZBA|ЗНАЧ|ССЫЛКА|ЧИСЛО|ДЕЛ/0|ОШИБКА)!',
].join('|');

/** Other cells without a value: still calculating, too narrow, or an error without a mark. */
const NO_CELL = [
	'#{2,}',
	'#N/A .*',
	'#(?:NV|YOK|REF|ERROR|UNPARSEABLE|NO MATCH|BLOCKED|OVERFLOW|INVALID .*|CIRCULAR REFERENCE)',
	'#GETTING_DATA',
	'Err:\\d{3}',
].join('|');

/** Texts that mean nothing as a whole value, or as the result of one `{{ }}`. */
const NOTHING = new RegExp(
	`^(?:undefined|null|NaN|\\[object \\w+\\]|Invalid (?:Date(?:Time)?|date)|${CELL_ERROR}|${NO_CELL})$`,
	'u',
);

/**
 * Texts that name nothing: what databases, exports and people write where there is no name, punctuation alone, and what
 * a spreadsheet shows while it loads, in any language.
 */
const NO_NAME =
	/^(?:null|none|nil|undefined|n\/[ad]|n\. ?a\.?|\\N|[<([](?:null|none|nil|na|empty|blank)[>)\]]|[\p{L} ]+\.{3}|\p{P}+)$/iu;

/** Missing values of pandas. The letter case counts, because Nan and Nat are names of people. */
const NO_NUMBER = /^(?:nan|NaT)$/;

/**
 * Missing value inside a text that an expression made, e.g. `undefined-2026-01`. Only `undefined` counts as a part of a
 * word too, because IDs such as `recA1NaN` are made at random.
 */
const MISSING = new RegExp(
	`undefined|(?<![\\p{L}\\p{N}])(?:null|NaN)(?![\\p{L}\\p{N}])|\\[object \\w+\\]|Invalid [Dd]ate|${CELL_ERROR_INSIDE}`,
	'u',
);

/**
 * True for an expression that n8n has not evaluated, such as that of another node's parameter (`$('Node').params`).
 * Linear in the length, because the text may come from a client's form.
 */
function isExpressionText(text: string): boolean {
	const from = text.startsWith('=') ? text.indexOf('{{') : -1;
	return from > 0 && text.indexOf('}}', from) > 0;
}

/** Number as a spreadsheet shortens it. */
const SHORTENED_NUMBER = /^\d(?:[.,]\d+)?E\+\d{2,}$/i;

const CHECK = 'Check the field that it takes: it is missing, is empty, or has another name.';
const CHECK_BEFORE = 'Check the step before this one: it found nothing, or hands on no data.';
const DIGITS_FIX =
	'Pass it as text with all its digits: in a table or a CSV import, make the column text, and enter it again.';
const FIXED_FIX = 'Where it comes from, enter the value itself.';
const TEXT_FIX = 'Pass it as text.';
const OBJECT_FIX = 'Name one of its fields, for example .id.';
const LIST_FIX = 'Split the list into items before this node, or name one entry, for example [0].';

/** Expressions of an item. */
export interface Expressions {
	/** Evaluates one `{{ }}`. */
	evaluate(part: string): unknown;
	/** True if the item has no data, as n8n makes one with Always Output Data. */
	isItemEmpty?: boolean;
}

/**
 * Problem of an expression that gave nothing. A short one is quoted, because it says where the value should come from.
 * @param raw the value as stored in the workflow
 */
export function gaveNothing(raw: unknown, isItemEmpty = false): Problem {
	const code = codeIn(raw);
	if (isItemEmpty && code.some((part) => part.includes('$json')))
		return ['has no value: the item is empty', CHECK_BEFORE];
	const [part] = code;
	const quoted = part === undefined ? '' : `{{ ${harmless(part)} }}`;
	const isShort = code.length === 1 && quoted.length <= LONGEST;
	return [`has no value: ${isShort ? quoted : 'its expression'} gave nothing`, CHECK];
}

/**
 * Looks at the value of a field.
 * @param raw the value as stored in the workflow
 * @returns undefined for a value that means something, and for an empty value that was not made by an expression
 */
export function problemOf(
	value: unknown,
	raw: unknown,
	look: Look,
	{ evaluate, isItemEmpty }: Expressions,
): Problem | undefined {
	if (!isExpression(raw)) return isEmpty(value) ? undefined : problemIn(value, false, look);
	if (isBlank(value)) return gaveNothing(raw, isItemEmpty);
	const parts = codeIn(raw).map((code) => `{{${code}}}`);
	const isWhole = parts.length === 1 && sourceText(raw) === `=${parts[0]}`;
	if (parts.length === 0 || isWhole) return problemIn(value, isWhole, look);
	for (const part of parts) {
		const problem = partProblem(
			part,
			look,
			look.takes === 'json' && isBracketed(part, sourceText(raw)),
			evaluate,
		);
		if (problem) return problem;
	}
	return problemIn(value, false, look);
}

/** True if the part is all that the brackets of a list hold. An empty list is a value there. */
function isBracketed(part: string, text: string): boolean {
	const at = text.indexOf(part);
	return text.slice(0, at).trimEnd().endsWith('[') && /^\s*\]/.test(text.slice(at + part.length));
}

function partProblem(
	part: string,
	look: Look,
	mayBeEmpty: boolean,
	evaluate: (part: string) => unknown,
): Problem | undefined {
	let given: unknown;
	try {
		given = evaluate(part);
	} catch (thrown) {
		return [
			`could not be read: ${thrown instanceof Error ? thrown.message : String(thrown)}`,
			'Check its expression.',
		];
	}
	// A separator, which only as a whole value names nothing.
	if (typeof given === 'string' && /^[^#\P{P}]+$/u.test(given.trim())) return undefined;
	// n8n writes an object inside a text like this.
	const isText = typeof given !== 'object' || given === null || dateText(given) !== '';
	const isObjects = !isText && stringOf(given).includes('[object ');
	// An empty list leaves no text.
	const isEmptyList = Array.isArray(given) && !mayBeEmpty && isBlank(stringOf(given));
	const isNothing = isBlank(given) || isEmptyList;
	const problem: Problem | undefined = isNothing
		? ['has no value', CHECK]
		: isObjects && !(Array.isArray(given) && look.takes === undefined)
			? meansNothing('[object Object]')
			: problemIn(given, true, look);
	if (problem === undefined) return undefined;
	const [, fix] = problem;
	const shown = shortened(part, LONGEST);
	return [
		fix === CHECK
			? `has a part without a value: ${shown} gave ${isNothing ? 'nothing' : shortened(stringOf(given), LONGEST)}`
			: `has a part, ${shown}, that ${problem[0]}`,
		fix === CHECK
			? 'Check the field that this part takes: it is missing, is empty, or has another name.'
			: fix,
	];
}

/**
 * Looks at one value.
 * @param isMade true if one `{{ }}` made it
 */
function problemIn(value: unknown, isMade: boolean, look: Look): Problem | undefined {
	if (look.takes === 'json') return isMade ? problemInJson(value) : undefined;
	if (isMade && typeof value === 'string' && isExpressionText(value.trim()))
		return [`holds the text of an expression, ${quote(value)}`, FIXED_FIX];
	if (Array.isArray(value) && look.takes !== 'list')
		return ['is a list, where one value is expected', LIST_FIX];
	if (!Array.isArray(value)) return singleProblem(value, isMade, look);
	for (const entry of value as unknown[]) {
		const problem = isBlank(entry)
			? (['has an empty entry', CHECK] as const)
			: singleProblem(entry, isMade, look);
		if (problem) return problem;
	}
	return undefined;
}

function singleProblem(value: unknown, isMade: boolean, { isName }: Look): Problem | undefined {
	if (typeof value === 'number') return numberProblem(value);
	if (typeof value === 'boolean' || isEmpty(value)) return undefined;
	if (typeof value === 'object') return objectProblem(value);
	if (typeof value !== 'string') return [`is a ${typeof value}, which cannot be sent`, TEXT_FIX];
	const text = (isName ? value.normalize('NFKC') : value).trim();
	if (text === '') return ['holds only spaces', isMade ? CHECK : 'Enter a value, or clear it.'];
	if (isUnseen(text))
		return ['holds only invisible characters', isMade ? CHECK : 'Clear it, and type it again.'];
	if (NOTHING.test(text) || (isName && (NO_NAME.test(text) || NO_NUMBER.test(text))))
		return meansNothing(text, isMade);
	if (SHORTENED_NUMBER.test(text))
		return [`holds ${quote(text)}, a number whose digits a spreadsheet has dropped`, DIGITS_FIX];
	const [missing] = (isMade && MISSING.exec(text)) || [];
	return missing === undefined
		? invisibleProblem(value, isName ? 'name' : 'text')
		: [`holds ${quote(text)}, where ${missing} stands for a missing value`, CHECK];
}

/** Dates have a text. Other objects have none that a person would recognize. */
function objectProblem(value: object): Problem | undefined {
	const text = dateText(value);
	if (text !== '') return NOTHING.test(text) ? meansNothing(text) : undefined;
	return ['is an object, where one value is expected', OBJECT_FIX];
}

const meansNothing = (text: string, isMade = true): Problem => [
	`holds ${quote(text)}, which means nothing`,
	isMade ? CHECK : 'Enter the value itself.',
];

function numberProblem(value: number): Problem | undefined {
	if (Number.isNaN(value)) return meansNothing('NaN');
	if (!Number.isFinite(value)) return [`is ${value}, which is not a number to send`, CHECK];
	return Math.abs(value) > Number.MAX_SAFE_INTEGER
		? [`is the number ${value}, which has lost digits`, DIGITS_FIX]
		: undefined;
}

/** Looks at everything that a value of a JSON body holds. */
function problemInJson(value: unknown): Problem | undefined {
	const text = typeof value === 'string' ? value.trim() : undefined;
	const inner = text !== undefined && /^[[{]/.test(text) ? parsed(text) : undefined;
	return holding(inner ?? value, '');
}

function holding(value: unknown, at: string): Problem | undefined {
	if (isBlank(value)) return [`holds nothing${at}: an expression gave no value`, CHECK];
	const entries = entriesOf(value);
	if (entries === undefined) {
		if (['string', 'number', 'boolean'].includes(typeof value) || isDate(value))
			return singleProblem(value, true, {});
		return [`holds ${kindOf(value)}${at}, which JSON does not have`, CHECK];
	}
	for (const [name, entry] of entries) {
		const problem = holding(entry, ` at ${at === '' ? name : `${at.slice(4)}.${name}`}`);
		if (problem) return problem;
	}
	return undefined;
}

/** Entries of a list, its holes included, or of an object that JSON writes as it is. Undefined for other values. */
function entriesOf(value: unknown): Array<[name: string, entry: unknown]> | undefined {
	if (Array.isArray(value))
		return Array.from(value, (entry: unknown, index) => [String(index), entry]);
	const isPlain = Object.prototype.toString.call(value) === '[object Object]';
	if (!isObject(value) || !isPlain || typeof value.toJSON === 'function') return undefined;
	return Object.entries(value);
}

const isDate = (value: unknown): boolean =>
	typeof value === 'object' && value !== null && dateText(value) !== '';

/** Kind of a value of JavaScript, e.g. `a bigint` or `a Map`. */
const kindOf = (value: unknown): string =>
	typeof value === 'object'
		? `a ${Object.prototype.toString.call(value).slice(8, -1)}`
		: `a ${typeof value}`;

function parsed(json: string): unknown {
	try {
		return JSON.parse(json);
	} catch {
		return undefined;
	}
}

/** Text of a date of JavaScript or luxon. Empty for other objects. */
function dateText(value: object): string {
	const isNative = Object.prototype.toString.call(value) === '[object Date]';
	const isLuxon = isObject(value) && typeof value.toISO === 'function';
	return isNative || isLuxon ? stringOf(value) : '';
}

const isBlank = (value: unknown) =>
	isEmpty(value) || (typeof value === 'string' && value.trim() === '');

const sourceText = (raw: unknown) =>
	String(isObject(raw) ? raw.value : raw)
		.replace(/^=\s*/, '=')
		.trim();

/** The string that n8n would make of the value inside a text. An object may have none. */
function stringOf(value: unknown): string {
	try {
		return String(value);
	} catch {
		return '[object Object]';
	}
}

/** Longest part of an expression, or of its value, that a message quotes. */
const LONGEST = 60;
