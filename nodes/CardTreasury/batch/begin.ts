import { createHash } from 'node:crypto';

import {
	entryOf,
	fail,
	hasFailed,
	pending,
	type Batch,
	type Plan,
	type Prepared,
	type Row,
	type Service,
} from './batch';
import { isOpenOrDone } from './journal';

/**
 * Before its first write a run notes which state of the execution it continues, because another run may have continued the
 * same one: n8n crashed and forgot it, or the execution was retried before. A retry looks first of all, so that what it
 * says of its items is true also where it sends nothing.
 */
export async function noteBeginning(rows: Row[], batch: Batch): Promise<void> {
	const writes = rows.flatMap(({ work }) => (work && isWrite(work) ? [work] : []));
	const open = pending(rows).flatMap(({ work }) => (isWrite(work) && !work.replay ? [work] : []));
	const isOver = !batch.continueOnFail && rows.some(hasFailed);
	const sends = !isOver && open.some(({ dryRun }) => !dryRun);
	if (batch.operation.effect === 'read' || !(batch.isRetry || sends)) return;
	const beginning = await batch.begin(planOf(writes, open, batch.service));
	if (beginning.kind === 'first') return;
	for (const row of rows) {
		const { work } = row;
		if (work && (!isWrite(work) || work.replay)) continue;
		if (beginning.kind === 'same' && work && row.result === undefined) {
			// What the other run may have sent is sent again while the service can be expected to remember its key.
			if (!isOpenOrDone(batch.journal.find(work.place)?.outcome))
				batch.journal.record(work.place, entryOf(work, 'unknown', beginning.since, batch));
			continue;
		}
		if (beginning.kind !== 'not noted') row.sentByOther = true;
		if (beginning.kind !== 'same' && row.result === undefined) fail(row, beginning.why);
	}
}

const isWrite = ({ profile, nothingToSend }: Prepared) =>
	profile.effect !== 'read' && nothingToSend === undefined;

function planOf(writes: Prepared[], open: Prepared[], { target, windowMs }: Service): Plan {
	const keyed = writes.filter(isKeyed);
	const described = [target, ...keyed.map(({ key, fingerprint }) => [key, fingerprint])];
	return {
		fingerprint: createHash('sha256').update(JSON.stringify(described)).digest('hex'),
		allKeyed: open.every(isKeyed),
		allOwn: keyed.length > 0 && keyed.every(({ idempotencyKey }) => idempotencyKey !== undefined),
		windowMs,
	};
}

const isKeyed = ({ profile }: Prepared) => profile.effect === 'keyed write';
