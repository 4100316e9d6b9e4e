/**
 * Values that mean nothing: what JavaScript, luxon and spreadsheets write where a value is missing. Fields refuse them,
 * because such a text would be sent, or would name a payment.
 */

import { isObject } from '../isObject';
import { quote } from './invalidField';
import { codeIn, isEmpty, isExpression } from './source';

/** Reason and fix of a refusal. */
export type Problem = readonly [reason: string, fix: string];

/** How a field's value is looked at. */
export interface Look {
	/** True for references, IDs and filters, which nobody calls "none". A client may be called Null. */
	isName?: boolean;
	/** Content of the value. By default one value. A `json` value is looked at with everything that it holds. */
	takes?: 'json' | 'list';
}

/** Texts that mean nothing as a whole value, or as the result of one `{{ }}`. */
const NOTHING: readonly string[] = [
	'undefined',
	'null',
	'NaN',
	'[object Object]',
	'Invalid Date',
	'Invalid DateTime',
	...['#N/A', '#REF!', '#VALUE!', '#NAME?', '#DIV/0!', '#NULL!', '#NUM!', '#ERROR!'],
];

/** Texts that name nothing. Google Sheets shows `Loading...` while it calculates. */
const NO_NAME = /^(?:null|none|nil|n\/a|loading(?:\.\.\.|…))$/i;

/** Missing value inside a text that an expression made, e.g. `undefined-2026-01`. Not part of a word: `recA1NaN`. */
const MISSING = /(?<![\p{L}\p{N}_])(?:undefined|null|NaN)(?![\p{L}\p{N}_])|\[object Object\]/u;

const CHECK = 'Check the expression, and that the input has what it refers to.';
const GAVE_NOTHING: Problem = ['has no value: its expression gave nothing', CHECK];
const ROUNDED_FIX = 'Pass it as text with all its digits.';
const LIST_FIX = 'Split the list into items before this node, or name one entry, for example [0].';

/**
 * Looks at the value of a field.
 * @param raw the value as stored in the workflow
 * @param evaluate evaluates one `{{ }}`
 * @returns undefined for a value that means something, and for an empty value that was not made by an expression
 */
export function problemOf(
	value: unknown,
	raw: unknown,
	look: Look,
	evaluate: (part: string) => unknown,
): Problem | undefined {
	if (!isExpression(raw)) return isEmpty(value) ? undefined : problemIn(value, false, look);
	if (isBlank(value)) return GAVE_NOTHING;
	const parts = codeIn(raw).map((code) => `{{${code}}}`);
	const isWhole = parts.length === 1 && textOf(raw) === `=${parts[0]}`;
	if (parts.length === 0 || isWhole) return problemIn(value, isWhole, look);
	for (const part of parts) {
		const problem = partProblem(part, look, evaluate);
		if (problem) return problem;
	}
	return problemIn(value, false, look);
}

function partProblem(
	part: string,
	look: Look,
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
	// n8n writes an object inside a text like this.
	const isText = typeof given !== 'object' || given === null || dateText(given) !== '';
	const isObjects = !isText && String(given).includes('[object Object]');
	const problem = isBlank(given)
		? GAVE_NOTHING
		: isObjects && !(Array.isArray(given) && look.takes === undefined)
			? meansNothing('[object Object]')
			: problemIn(given, true, look);
	if (problem === undefined) return undefined;
	const [, fix] = problem;
	const shown = shortened(part);
	return [
		fix === CHECK
			? `has a part without a value: ${shown} gave ${isBlank(given) ? 'nothing' : shortened(given)}`
			: `has a part, ${shown}, that ${problem[0]}`,
		fix === CHECK
			? 'Check that part of the expression, and that the input has what it refers to.'
			: fix,
	];
}

/**
 * Looks at one value.
 * @param isMade true if one `{{ }}` made it
 */
function problemIn(value: unknown, isMade: boolean, look: Look): Problem | undefined {
	if (look.takes === 'json') return isMade ? problemInJson(value) : undefined;
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
	// Dates have a text; other objects are refused by the field, or are looked at one by one.
	if (typeof value === 'object')
		return NOTHING.includes(dateText(value)) ? meansNothing(dateText(value)) : undefined;
	if (typeof value !== 'string') return undefined;
	const text = (isName ? value.normalize('NFKC') : value).trim();
	if (text === '')
		return isMade ? GAVE_NOTHING : ['holds only spaces', 'Enter a value, or clear it.'];
	if (NOTHING.includes(text) || (isName && NO_NAME.test(text))) return meansNothing(text, isMade);
	const [missing] = (isMade && MISSING.exec(text)) || [];
	return missing === undefined
		? undefined
		: [`holds ${quote(text)}, where ${missing} stands for a missing value`, CHECK];
}

const meansNothing = (text: string, isMade = true): Problem => [
	`holds ${quote(text)}, which means nothing`,
	isMade ? CHECK : 'Enter the value itself.',
];

function numberProblem(value: number): Problem | undefined {
	if (Number.isNaN(value)) return meansNothing('NaN');
	if (!Number.isFinite(value)) return [`is ${value}, which is not a number to send`, CHECK];
	return Math.abs(value) > Number.MAX_SAFE_INTEGER
		? [`is the number ${value}, which JavaScript has rounded`, ROUNDED_FIX]
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
	if (Array.isArray(value) || (isObject(value) && dateText(value) === '')) {
		const entries: Array<[string, unknown]> = Object.entries(value);
		for (const [name, entry] of entries) {
			const problem = holding(entry, ` at ${at === '' ? name : `${at.slice(4)}.${name}`}`);
			if (problem) return problem;
		}
		return undefined;
	}
	if (!['string', 'number', 'boolean', 'object'].includes(typeof value))
		return [`holds a ${typeof value}${at}, which JSON does not have`, CHECK];
	return singleProblem(value, true, {});
}

function parsed(json: string): unknown {
	try {
		return JSON.parse(json);
	} catch {
		return undefined;
	}
}

/** Text of a date of JavaScript or luxon. Empty for other objects. */
function dateText(value: object | null): string {
	const isDate = Object.prototype.toString.call(value) === '[object Date]';
	const isLuxon = isObject(value) && typeof value.toISO === 'function';
	return isDate || isLuxon ? String(value) : '';
}

const isBlank = (value: unknown) =>
	isEmpty(value) || (typeof value === 'string' && value.trim() === '');

const textOf = (raw: unknown) =>
	String(isObject(raw) ? raw.value : raw)
		.replace(/^=\s*/, '=')
		.trim();

const shortened = (value: unknown) => {
	const text = String(value);
	return text.length > 60 ? `${text.slice(0, 60)}…` : text;
};
