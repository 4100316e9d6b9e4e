import { createHash } from 'node:crypto';

/**
 * Returns the SHA-256 of JSON values as 43 characters. The result must never change, because journals and notes store
 * it.
 */
export const hashOf = (...values: unknown[]): string =>
	createHash('sha256').update(JSON.stringify(values)).digest('base64url');
