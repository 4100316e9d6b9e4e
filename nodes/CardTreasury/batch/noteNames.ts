import { hashOf } from '../request/hash';
import type { Batch, NoteKind, Prepared, Remembered, Row } from './batch';

/**
 * Numbers unkeyed writes among equal ones. The number names such a write, because its position can change in a retry.
 * Equal calls of an agent count as one write.
 */
export function numberUnkeyed(rows: Row[], { journal, caller }: Batch): Map<Row, number> {
	const unkeyed = rows.flatMap((row) =>
		!caller.isTool && row.work?.profile.effect === 'unkeyed write'
			? [[row, row.work.fingerprint] as const]
			: [],
	);
	const numbers = journal.numberUnkeyed(unkeyed.map(([, fingerprint]) => fingerprint));
	return new Map(unkeyed.map(([row], at) => [row, numbers[at]!]));
}

/** Notes of a write. @param number of an unkeyed write among its equals */
export function notesOf(
	row: Row,
	work: Prepared,
	number: number | undefined,
	batch: Batch,
): Remembered['notes'] {
	const { caller, service } = batch;
	const { startedAt } = caller;
	const place = placeOf(row, batch);
	const named = work.payment ? [work.payment.reference] : [startedAt, work.fingerprint, number];
	const ref = noteOf('ref', service.target, ...named);
	const pay = noteOf('pay', ref, work.fingerprint);
	return {
		...(place !== undefined && { place }),
		pay,
		ref,
		...(startedAt !== undefined && { own: noteOf('own', startedAt, pay) }),
		open: noteOf('open', ref),
		look: noteOf('look', pay),
	};
}

/**
 * Returns the note for an item's position in the execution. A retry of the execution makes the same note. An agent's
 * calls are unordered, so their note is made from the request.
 */
export function placeOf({ index, work }: Row, { caller, journal }: Batch): string | undefined {
	const { startedAt, isTool } = caller;
	if (startedAt === undefined || (isTool && work === undefined)) return undefined;
	return isTool
		? noteOf('place', startedAt, 'call', work?.fingerprint)
		: noteOf('place', startedAt, journal.round, index);
}

/** Short, because n8n reads and writes all notes of a node at once. */
const noteOf = (kind: NoteKind, ...of: unknown[]): string => hashOf(kind, ...of).slice(0, 22);
