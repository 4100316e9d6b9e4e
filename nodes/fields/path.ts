import { InvalidFieldError } from './invalidField';
import { isEmpty, missing, type Field } from './field';

/** A path below the base URL, from the provider's reference. */
export function path(
	displayName: string,
	info: { placeholder: string; description: string },
): Field<string> {
	return {
		property: (name) => ({
			displayName,
			name,
			type: 'string',
			default: '',
			required: true,
			...info,
		}),
		read: (source, name) => {
			const value = source.get(name);
			if (isEmpty(value)) {
				throw missing(
					source,
					name,
					displayName,
					"Enter the path from your provider's API reference, for example /management/clients.",
				);
			}
			return checkPath(value, displayName);
		},
	};
}

/**
 * Checks a path that a user or an agent wrote. It must stay below the base URL of the credential: the API key travels
 * with the request.
 */
function checkPath(value: unknown, label: string): string {
	if (typeof value !== 'string') {
		throw new InvalidFieldError(label, 'is not a string', 'Check its expression.');
	}
	const trimmed = value.trim();
	if (!/^\/(?!\/)/.test(trimmed)) {
		throw new InvalidFieldError(
			label,
			'must start with a single /',
			'Enter only the part after the base URL, for example /management/clients.',
		);
	}
	const found = FORBIDDEN.find(({ pattern }) => pattern.test(trimmed));
	if (found !== undefined) throw new InvalidFieldError(label, found.reason, found.fix);
	// A server may decode dots and slashes before it looks at the segments.
	const decoded = trimmed.replace(/%2e/gi, '.').replace(/%(?:2f|5c)/gi, '/');
	if (decoded.split('/').some((segment) => segment === '.' || segment === '..')) {
		throw new InvalidFieldError(
			label,
			'contains . or .. as a segment',
			'Enter the full path without them.',
		);
	}
	return trimmed;
}

const FORBIDDEN: Array<{ pattern: RegExp; reason: string; fix: string }> = [
	{
		pattern: /[?#]/,
		reason: 'contains ? or #',
		fix: 'Enter query parameters in their own fields.',
	},
	{ pattern: /\s/, reason: 'contains whitespace', fix: 'Remove it, or write a space as %20.' },
	{
		// URL parsers drop some of these, so that /..\u0001 would leave the base path.
		pattern: /[\p{Cc}\p{Cf}\p{Cs}]/u,
		reason: 'contains an invisible character',
		fix: 'Type the path instead of pasting it.',
	},
	{ pattern: /\\|\/\//, reason: 'contains \\ or //', fix: 'Separate its parts with a single /.' },
];
