import { BASE_URL } from '../baseUrl';
import { optional, required, type Field, type FieldContext, type Ui } from './field';
import { InvalidFieldError } from './invalidField';
import { invisibleProblem } from './invisible';
import { isEmpty } from './source';

/** Required ID, trimmed, for use in a path. */
export function id(label: string, placeholder: string, description?: string): Field<string> {
	return named(required(label, { placeholder, ...(description && { description }) }, readId));
}

/** Field whose value names something, so that it cannot be "none". */
export const named = <Named extends { look?: unknown }>(field: Named) => ({
	...field,
	look: { isName: true } as const,
});

/** Card ID, with the same label and rules in all operations. */
export function cardId(description: string): Field<string> {
	return id('Card ID', CARD_ID_EXAMPLE, description);
}

export const CARD_ID_EXAMPLE = 'e.g. ca4d0000-0000-4000-8000-000000000001';

/** Optional ID. Needed only if the path from the user contains the placeholder of this ID. */
export function optionalId(label: string, placeholder: string, description: string) {
	return named(optional(label, { placeholder, description }, readId));
}

/**
 * Reads an ID. Numbers from expressions become text.
 * @throws InvalidFieldError
 */
export function readId({ value, label, refuse }: FieldContext): string {
	const given = typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value;
	if (typeof given !== 'string') {
		return refuse(
			'is not a string',
			`Check the expression: it must give the ${label} as a string.`,
		);
	}
	const trimmed = given.trim();
	const problem = invisibleProblem(trimmed, 'ID');
	if (problem) return refuse(...problem);
	const isWrong = ['', '.', '..'].includes(trimmed);
	return isWrong || trimmed.length > 500
		? refuse('is not a valid ID', `Enter the ${label} exactly as the service shows it.`)
		: trimmed;
}

/** Optional text. Undefined if empty. */
export function text(label: string, ui: Ui = {}): Field<string | undefined> {
	return optional(label, ui, readText);
}

/**
 * Reads a text without trimming. Numbers from expressions become text.
 * @throws InvalidFieldError
 */
export function readText({ value, label, refuse }: FieldContext): string {
	if (typeof value === 'number') return String(value);
	if (typeof value === 'string') return value;
	return refuse('is not a string', `Check the expression: it must give ${label} as a string.`);
}

/** Reads texts from a multi-select, an expression, or a text with commas, semicolons or line breaks. Empty if absent. */
export function readTexts({ value, label, refuse }: FieldContext): string[] {
	if (isEmpty(value)) return [];
	const list: unknown[] = Array.isArray(value)
		? value
		: typeof value === 'string'
			? value.split(/[,\n;]/)
			: [value];
	return list
		.map((entry) =>
			typeof entry === 'string'
				? entry.trim()
				: refuse('contains something that is not a string', `Enter ${label} as a list of strings.`),
		)
		.filter((entry) => entry !== '');
}

/** Placeholders of an API reference, such as `{id}`, `:id` or `<id>`. Sent as they are, they would name nothing. */
export const PLACEHOLDER = /\{.*?\}|<\w.*?>|(?<=\/):[a-z_]\w*/gi;

/** Path below the base URL. Must not leave the base URL, because the API key is sent with the request. */
export function path(label: string, ui: { placeholder: string; description: string }) {
	const fix = "Enter the path from your provider's API reference, for example /management/clients.";
	const read = required(
		label,
		ui,
		({ value, refuse }) => {
			if (typeof value !== 'string') return refuse('is not a string', 'Check its expression.');
			const trimmed = value.trim();
			if (!/^\/(?!\/)/.test(trimmed)) {
				return refuse(
					'must start with a single /',
					'Enter only the part after the base URL, for example /management/clients.',
				);
			}
			const found = FORBIDDEN_IN_PATH.find(({ pattern }) => pattern.test(trimmed));
			if (found !== undefined) return refuse(found.reason, found.fix);
			// A server may decode dots and slashes before it splits the path.
			const decoded = trimmed
				.replace(/%2e/gi, '.')
				.replace(/%(?:2f|5c)/gi, '/')
				.replace(/%3b/gi, ';');
			// Some servers drop the parameters of a segment, which begin with a semicolon.
			return decoded.split('/').some((segment) => /^\.\.?(?:;|$)/.test(segment))
				? refuse('contains . or .. as a segment', 'Enter the full path without them.')
				: trimmed;
		},
		fix,
	);
	// Strict about invisible characters: URL parsers drop some, so `/..\u0001` would leave the base URL.
	return named(read);
}

const FORBIDDEN_IN_PATH: Array<{ pattern: RegExp; reason: string; fix: string }> = [
	{
		pattern: /[?#]/,
		reason: 'contains ? or #',
		fix: 'Enter query parameters in their own fields.',
	},
	{ pattern: /\s/, reason: 'contains whitespace', fix: 'Remove it, or write a space as %20.' },
	{ pattern: /\\|\/\//, reason: 'contains \\ or //', fix: 'Separate its parts with a single /.' },
];

/**
 * Reads the base URL of a credential, without trailing slashes. Requires https except on this machine, because the API
 * key is sent in a header.
 * @throws InvalidFieldError
 */
export function readBaseUrl(entered: string): string {
	const refuse = (reason: string, fix: string): never => {
		throw new InvalidFieldError('Base URL in the credential', reason, fix);
	};
	const text = entered.trim();
	if (text === '') return refuse('is empty', 'Enter the address that the provider gave you.');
	const isNoUrl = () => refuse('is not a URL', 'Enter it in full, e.g. https://api.example.com.');
	if (!URL.canParse(text)) return isNoUrl();
	const url = new URL(text);
	if (url.username || url.password)
		return refuse(
			'must not contain a user name or password',
			'Remove them, and enter the API key in API Key.',
		);
	if (url.search || url.hash)
		return refuse('must not contain a query or fragment', 'Remove everything from ? or # on.');
	if (new RegExp(BASE_URL, 'i').test(text))
		return `${url.origin}${url.pathname}`.replace(/\/+$/, '');
	return url.protocol === 'https:'
		? isNoUrl()
		: refuse(
				'must start with https:// (http:// only for this machine, e.g. http://127.0.0.1:4010)',
				'Correct it in the credential.',
			);
}
