import { createHash } from 'node:crypto';

const hashOf = (...values: unknown[]) =>
	createHash('sha256').update(JSON.stringify(values)).digest('base64url');

/** Names of the node's notes, which never change. A test of the node fixes them, too. */
export const refNote = (host: string, reference: string) => hashOf('ref', host, reference);

/** Note that exists while the outcome of a payment is not known. */
export const openNote = (host: string, reference: string) =>
	hashOf('open', refNote(host, reference));
