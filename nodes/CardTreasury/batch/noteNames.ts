import { hashOf } from '../request/hash';
import type { Batch, NoteKind, Prepared, Remembered, Row } from './batch';

/**
 * Numbers equal unkeyed writes, so that each has its own notes. Item positions would not do, because positions can
 * change in a retry. An agent's equal calls count as one write.
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

/**
 * Returns the notes of a write.
 * @param number of an unkeyed write among equal ones
 */
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
		...(startedAt !== undefined && { own: noteOf('own', startedAt, service.credential, pay) }),
		open: noteOf('open', ref),
		look: noteOf('look', pay),
	};
}

/**
 * Returns the note for an item's position in the execution. A retry gets the same note. Calls of an agent have no
 * order, so the request replaces the position.
 */
export function placeOf({ index, work }: Row, { caller, journal }: Batch): string | undefined {
	const { startedAt, isTool } = caller;
	if (startedAt === undefined || (isTool && work === undefined)) return undefined;
	return isTool
		? noteOf('place', startedAt, 'call', work?.fingerprint)
		: noteOf('place', startedAt, journal.round, index);
}

/** Short hash, because n8n reads and writes all notes of a node at once. */
const noteOf = (kind: NoteKind, ...of: unknown[]): string => hashOf(kind, ...of).slice(0, 22);
