import { FieldRefusal } from './reader';

/** Fills `{name}` placeholders of a path with URL-encoded IDs. */
export function fillPath(template: string, ids: Record<string, string>): string {
	return template.replace(/\{(\w+)\}/g, (placeholder, name: string) => {
		const id = ids[name];
		return id === undefined ? placeholder : encodeURIComponent(id);
	});
}

/**
 * Checks a path that a user wrote. It must stay below the base URL of the credential:
 * the API key travels with the request.
 */
export function checkPath(value: unknown, label: string): string {
	const path = typeof value === 'string' ? value.trim() : '';
	const refuse = (reason: string, fix: string) => new FieldRefusal(label, reason, fix);
	if (path === '')
		throw refuse(
			'is empty',
			"Enter the path from the provider's reference, e.g. /management/clients.",
		);
	if (!path.startsWith('/') || path.startsWith('//') || path.includes('\\')) {
		throw refuse(
			'must start with one /',
			'Enter the part after the base URL only, e.g. /management/clients.',
		);
	}
	if (/[?#]/.test(path))
		throw refuse('contains ? or #', 'Enter query parameters in their own fields.');
	if (/\s/.test(path)) throw refuse('contains a blank', 'Remove it, or write it as %20.');
	if (path.split('/').some((segment) => /^(?:\.|%2e){1,2}$/i.test(segment))) {
		throw refuse('contains . or .. as a segment', 'Enter the full path without them.');
	}
	return path;
}
