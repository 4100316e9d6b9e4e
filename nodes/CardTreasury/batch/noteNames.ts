import { hashOf } from '../request/hash';
import type { Batch, Checked, NoteNames, Read } from './batch';

/**
 * Returns the names of the notes of a write. They must never change, because every paid reference would be forgotten.
 * @param number of an unkeyed write among equal ones
 */
export function notesOf(item: Checked, number: number, batch: Batch): NoteNames {
	const { work } = item;
	const { caller, service } = batch;
	const part = partOf(item, batch);
	const ref = work.payment
		? hashOf('ref', service.target, work.payment.reference)
		: hashOf('ref', service.target, caller.startedAt, work.fingerprint, number);
	return {
		ref,
		open: hashOf('open', ref),
		paid: hashOf('paid', ref, work.fingerprint),
		...(part !== undefined && { part }),
	};
}

/** Number of the part that the item belongs to. */
export const partNumber = ({ index }: { index: number }, { parts }: Pick<Batch, 'parts'>): number =>
	Math.floor(index / parts.size);

/** Returns the same note in a retry. Calls of an agent have no order, so the values replace the position. */
function partOf(item: Checked, batch: Batch): string | undefined {
	const { caller, journal } = batch;
	if (caller.startedAt === undefined) return undefined;
	return caller.isTool
		? hashOf('part', caller.startedAt, 'call', item.work.fingerprint)
		: hashOf('part', caller.startedAt, journal.round, partNumber(item, batch));
}

/**
 * Numbers equal unkeyed writes, so that each has its own notes. Item positions would not do, because positions can
 * change in a retry. An agent's equal calls count as one write.
 */
export function numberUnkeyed(items: Read[], { journal, caller }: Batch): Map<number, number> {
	const unkeyed = items.flatMap(({ index, work }) =>
		!caller.isTool && work?.profile.effect === 'unkeyed write' ? [{ index, work }] : [],
	);
	const numbers = journal.numberUnkeyed(unkeyed.map(({ work }) => work.fingerprint));
	return new Map(unkeyed.map(({ index }, at) => [index, numbers[at]!]));
}
