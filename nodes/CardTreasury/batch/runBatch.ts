import type { JsonObject } from '../request/input';
import type { Batch, EndedRow } from './batch';
import { check } from './check';
import { sendInParts } from './parts';
import { readAll } from './read';
import { Run } from './run';

/** Reads, checks and sends all items. Never throws, because every error becomes an item's failure. */
export async function runBatch(batch: Batch): Promise<EndedRow[]> {
	const run = new Run(batch);
	try {
		await readAll(run);
		await sendInParts(await check(run), run);
	} catch (thrown) {
		run.failRest(thrown);
	}
	batch.notes?.unlock();
	const ended = run.ended();
	if (batch.continueOnFail) for (const row of ended) addSubject(row, batch);
	return ended;
}

/** Adds the values as sent to a failed item, so that users can reconcile a batch of payments from the output. */
function addSubject(row: EndedRow, { operation, caller }: Batch): void {
	const { result, work, input, record } = row;
	if (result.kind !== 'failed') return;
	const shownReference = work?.payment?.shown;
	const named = shownReference !== undefined && { payment_reference: shownReference };
	// Values are omitted, because another run may have sent different ones.
	if (!record && result.outcome === 'unknown') {
		result.subject = { ...named };
		return;
	}
	const present = input && orUndefined(() => operation.subject(input, caller));
	if (present === undefined) return;
	const sent = record && { ...record.subject, ...record.items?.[0] };
	// A refused dry run shows no key, because another run would take it for what was checked.
	const isKeyed = work?.payment && !work.refusal && !work.dryRun;
	const key = record ? record.key : isKeyed ? work.key : undefined;
	result.subject = {
		...present,
		...named,
		...(sent ?? work?.subject),
		...(operation.effect !== 'unkeyed write' && { idempotency_key: key ?? null }),
	} satisfies JsonObject;
}

function orUndefined<Value>(work: () => Value): Value | undefined {
	try {
		return work();
	} catch {
		return undefined;
	}
}
