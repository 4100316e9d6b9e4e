/** Values that mean nothing: what JavaScript, luxon and spreadsheets write where a value is missing. */

import { isObject } from '../../shared/isObject';
import { quote, shortened } from '../../shared/text';

/** Reason and fix of a refusal. The reason completes a sentence that begins with the label of the field. */
export type Reason = readonly [reason: string, fix: string];

/** How a value is looked at. */
export interface Look {
	/** True for references and IDs, which nobody calls "none". A client may be called Null. */
	isName?: true;
	/** True if an expression may give nothing. */
	mayBeNothing?: true;
	/** True if the field takes lists and objects, and looks at their content itself. */
	takesAny?: true;
}

/** Spreadsheets write their errors in the language of the user, e.g. `#NV`, `#¡REF!`. */
const NOTHING =
	/^(?:undefined|null|NaN|\[object .*\]|Invalid [Dd]ate(?:Time)?|#[¡¿]?(?:[\p{Lu}/_]{2,}|[\p{Lu}\d/]+[!?]))$/u;
const NO_NAME = /^(?:undefined|null|nan|none|nil|n\/a|loading(?:\.\.\.|…))$/i;

/** Characters that show nothing, or stand for a lost one. Two names that look the same would be two. */
const INVISIBLE = /(?!\s)[\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}\u2800\ufffd]|\ufeff/u;

const CHECK =
	'Check the field that its expression takes: it is missing, empty, or has another name.';
const AS_TEXT = 'Pass it as text with all its digits: in a sheet, make the column text.';

/**
 * Looks at a value that is sent or names something.
 * @param raw the value as stored in the workflow
 * @returns undefined for a value that means something, and for an empty one that no expression made
 */
export function reasonAgainst(value: unknown, raw: unknown, look: Look = {}): Reason | undefined {
	if (isBlank(value)) return isExpression(raw) && !look.mayBeNothing ? gaveNothing(raw) : undefined;
	if (typeof value === 'number') return againstNumber(value);
	if (typeof value === 'object' && !look.takesAny)
		return Array.isArray(value)
			? [
					'is a list, where one value is expected',
					'Split it before this node, or name one entry: [0].',
				]
			: ['is an object, where one value is expected', 'Name one of its fields, for example .id.'];
	return typeof value === 'string' ? againstText(value, raw, look) : undefined;
}

function againstText(value: string, raw: unknown, { isName }: Look): Reason | undefined {
	const text = value.trim();
	// A text that the user typed may be any word, but a name is none of these.
	if (((isName || isExpression(raw)) && NOTHING.test(text)) || (isName && NO_NAME.test(text)))
		return [`holds ${quote(text)}, which means nothing`, CHECK];
	if (isName && text.includes('{{') && !isExpression(raw))
		return [`holds ${quote(text)} as typed`, 'Switch the field from Fixed to Expression.'];
	const [found] = (isName && INVISIBLE.exec(value)) || [];
	if (found === undefined) return undefined;
	const code = (found.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
	return [`holds an invisible or lost character: U+${code}`, 'Type it instead of pasting it.'];
}

function againstNumber(value: number): Reason | undefined {
	if (Number.isNaN(value)) return ['holds NaN, which means nothing', CHECK];
	return Math.abs(value) > Number.MAX_SAFE_INTEGER
		? [`is the number ${value}, which has lost digits`, AS_TEXT]
		: undefined;
}

function gaveNothing(raw: unknown): Reason {
	const parts = codeIn(raw);
	const quoted = parts.length === 1 ? shortened(`{{${parts[0]}}}`, 60) : 'its expression';
	return [`has no value: ${quoted} gave nothing`, CHECK];
}

/** True if there is no value. n8n gives an empty string for an untouched field. */
export const isEmpty = (value: unknown): value is undefined | null | '' =>
	value === undefined || value === null || value === '';

export const isBlank = (value: unknown): boolean =>
	isEmpty(value) || (typeof value === 'string' && value.trim() === '');

/** True if the stored value is an expression. */
export const isExpression = (raw: unknown): boolean => sourceOf(raw).startsWith('=');

/** One `{{ }}`. As in n8n, the code ends at the first `}}` without a backslash before it, or with the text. */
const PART = /(?<!\\)(?:\\\\)*\{\{(.*?)(?:(?<!\\)(?:\\\\)*\}\}|$)/gs;

/** Code in each `{{ }}` of an expression. */
export const codeIn = (raw: unknown): string[] =>
	isExpression(raw) ? [...sourceOf(raw).matchAll(PART)].map(([, code = '']) => code) : [];

/** A resource locator stores its text in `value`. */
function sourceOf(raw: unknown): string {
	const text = isObject(raw) ? raw.value : raw;
	return typeof text === 'string' ? text : '';
}
