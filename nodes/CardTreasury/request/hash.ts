import { createHash } from 'node:crypto';

/** SHA-256 of JSON values, as 43 characters. The journal and the memory hold it, so it must never change. */
export const hashOf = (...values: unknown[]): string =>
	createHash('sha256').update(JSON.stringify(values)).digest('base64url');
