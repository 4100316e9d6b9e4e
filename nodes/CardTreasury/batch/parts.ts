import { holdsFile } from '../request/request';
import { isRemembered, type Checked, type Permitted, type Read, type Sent } from './batch';
import { isSent, permit, settle, type Part, type PermittedPart } from './memory';
import { notesOf, numberUnkeyed, partNumber } from './noteNames';
import type { Run } from './run';
import { send } from './send';

/** The next part is recorded when at most this many requests of the last one have not started. */
const AHEAD = 2;

/**
 * Maximum number of requests with files in flight. Each may hold megabytes three times: as bytes, as base64 and as
 * text.
 */
const FILES_AT_ONCE = 6;

/**
 * Steps 3 to 5: records, sends and settles the items part by part. Parts are recorded and decided in order; they are
 * sent and settled at the same time. After a crash, only the parts in flight are unknown.
 */
export async function sendInParts(checked: Checked[], run: Run): Promise<void> {
	const { parts, notes } = run.batch;
	const hasFiles = checked.some(holdsFiles);
	const most = hasFiles ? 1 : parts.unsettled;
	const unsettled = new Set<Promise<void>>();
	/** Requests of the last part that have not started. */
	let waiting = new Set<number>();
	const complete = async (part: PermittedPart) => {
		const own = (waiting = new Set(part.items.map(({ index }) => index)));
		const sent = await sendAll(part.items, hasFiles, run, (index) => {
			if (own.delete(index)) run.changed();
		});
		await settle(sent, part, run);
	};
	try {
		if (!notes && !run.isEnded && checked.some(({ work }) => isRemembered(work)))
			run.batch.hint(NO_MEMORY);
		for (const [at, part] of partsOf(checked, run).entries()) {
			await run.until(() => unsettled.size < most && waiting.size <= AHEAD);
			if (run.isEnded) break;
			const permitted = await permit(part, run);
			if (permitted.items.length === 0) continue;
			const completed = complete(permitted)
				.catch((thrown: unknown) => run.failRest(thrown, permitted.items))
				.finally(() => {
					unsettled.delete(completed);
					run.changed();
				});
			unsettled.add(completed);
			if (at === 0) await hintIfEmpty(permitted, run);
		}
	} finally {
		await Promise.all(unsettled);
	}
}

/** Parts in order, by the positions of the items, so that a retry has the same parts. */
function partsOf(checked: Checked[], run: Run): Part[] {
	const { batch } = run;
	const numbers = numberUnkeyed(run.items, batch);
	const parts = new Map<number, Part>();
	for (const item of checked) {
		const number = partNumber(item, batch);
		const part = parts.get(number) ?? { items: [], isExplained: false };
		parts.set(number, part);
		const hasNotes =
			batch.notes !== undefined &&
			isRemembered(item.work) &&
			// Outside an execution, a repeated unkeyed write cannot be distinguished from a new one.
			(item.work.payment !== undefined || batch.caller.startedAt !== undefined);
		const notes = hasNotes && notesOf(item, numbers.get(item.index) ?? 0, batch);
		part.items.push(notes ? { ...item, notes } : item);
	}
	for (const item of run.items) {
		const part = parts.get(partNumber(item, batch));
		if (part && isSameReference(item)) part.isExplained = true;
	}
	return [...parts.values()];
}

/** True if an earlier run sent the item under its reference. An item that cannot be read has no other one. */
const isSameReference = ({ earlier, work }: Read): boolean =>
	earlier !== undefined &&
	isSent(earlier.outcome) &&
	(work === undefined || earlier.reference === work.payment?.reference);

async function sendAll(
	items: Permitted[],
	hasFiles: boolean,
	run: Run,
	onStart: (index: number) => void,
): Promise<Sent[]> {
	const sent: Sent[] = [];
	const queue = items.values();
	const worker = async () => {
		for (const item of queue) sent.push(await send(item, run, () => onStart(item.index)));
	};
	const workers = hasFiles ? FILES_AT_ONCE : items.length;
	await Promise.all(Array.from({ length: workers }, worker));
	return sent;
}

const holdsFiles = ({ work: { file, request } }: Checked) =>
	file !== undefined || holdsFile(request.body);

const NO_MEMORY =
	'n8n keeps no memory of payments here, so only the service recognizes a payment that is sent again.';

const EMPTY =
	'This node remembers no payments yet: it is new, or a copy of a node whose payments it does not know.';

/** Tells the user of a copied node that the memory of the original stays with the original. */
async function hintIfEmpty({ looked }: PermittedPart, { batch }: Run): Promise<void> {
	const { notes, operation, isRetry } = batch;
	if (isRetry || !operation.movesMoney || looked.asked.size === 0 || looked.was.size > 0) return;
	if ((await notes?.count()) === looked.asked.size) batch.hint(EMPTY);
}
