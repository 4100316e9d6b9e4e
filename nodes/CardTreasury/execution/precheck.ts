import type { ServiceOperation } from '../operation';
import { FieldRefusal } from '../parameters/reader';
import type { Connection } from '../request/connection';
import type { Lane } from '../request/lane';
import { deliverRequest, type Effort, type Outcome } from '../request/pipeline';
import { settle } from './settle';

/** A read that came to nothing: the item's outcome, with nothing sent. */
export type FailedRead = Extract<Outcome, { ok: false }>;

/**
 * Holds each item against what the service says at the moment, before anything is sent. Items that need the same read
 * share one.
 * @returns per item why it must not be sent; undefined = nothing against it
 */
export async function precheck(
	connection: Connection,
	operation: ServiceOperation<unknown>,
	items: ReadonlyArray<{ fields: unknown; effort: Effort } | undefined>,
	lane: Lane,
): Promise<Array<FieldRefusal | FailedRead | undefined>> {
	const check = operation.precheck;
	if (check === undefined) return items.map(() => undefined);
	const traits = { ...check, effect: 'read' as const };
	const reads = new Map<string, Promise<Outcome>>();
	return await Promise.all(
		items.map(async (item) => {
			if (item === undefined) return undefined;
			const request = check.request(item.fields);
			const read =
				reads.get(request.path) ?? deliverRequest(connection, traits, request, item.effort, lane);
			reads.set(request.path, read);
			const outcome = await read;
			if (outcome.ok === 'stopped') return undefined;
			if (outcome.ok) {
				const objection = await settle(() => check.check(outcome.answer, item.fields));
				return objection instanceof FieldRefusal ? objection : undefined;
			}
			// A key may be scoped to writing (§5.1): whether it will do, the write itself shows.
			if (outcome.refusal.status === 401 || outcome.refusal.status === 403) return undefined;
			const fix = `${outcome.refusal.fix} This was only the check beforehand: nothing was sent for this item.`;
			return { ...outcome, refusal: { ...outcome.refusal, fix } };
		}),
	);
}
