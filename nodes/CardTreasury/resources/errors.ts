import type { KnownError } from '../request';

/** The 404 that §4 gives for a thing that is not there. */
export function notFound(thing: string, field: string): KnownError {
	return {
		status: 404,
		code: 'NOT_FOUND',
		message: `${thing} not found`,
		fix: `Check ${field}, and that the credential is for the right environment.`,
	};
}
