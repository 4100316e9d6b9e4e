import { takeTurns } from '../../service/takeTurns';
import type { OutputItem, ServiceAnswer, ServiceOperation } from '../operation';
import { FieldRefusal } from '../parameters/reader';
import type { Connection } from '../request/connection';
import { IDEMPOTENCY_HEADER } from '../request/idempotencyKey';
import type { Lane } from '../request/lane';
import { deliverRequest, type Outcome } from '../request/pipeline';
import type { Refusal } from '../request/refusal';
import { isReady, type Entry, type Prepared, type Refused } from './prepare';
import { settle } from './settle';

/** How many requests may be under way at once; the pacer decides how fast they start. */
const CONCURRENCY = 60;

/** What became of an item. `tries` is 0 where nothing was sent. */
export type Result =
	| { ok: true; items: OutputItem[]; tries: number }
	| { ok: false; refusal: FieldRefusal | Refusal; tries: number }
	| { ok: 'not sent' };

/** The result of an item that is not sent. */
export function unsent(refused: Refused): Result {
	return refused instanceof FieldRefusal ? { ok: false, refusal: refused, tries: 0 } : refused;
}

/**
 * Sends what is ready, in the order of the items, and gives each one's result in its place.
 * @param goOn whether the others are sent too when one has failed
 */
export async function sendAll(
	connection: Connection,
	operation: ServiceOperation<unknown>,
	entries: Entry[],
	goOn: boolean,
	lane: Lane,
): Promise<Result[]> {
	const inTurn = takeTurns(CONCURRENCY);
	const send = async (item: Entry): Promise<Result> => {
		if (!isReady(item)) return unsent(item);
		if (lane.stopped) return { ok: 'not sent' };
		const outcome = await deliverRequest(connection, item.traits, item.request, item.effort, lane);
		if (outcome.ok === 'stopped') return { ok: 'not sent' };
		const result = outcome.ok ? await readItems(operation, item, outcome) : withKey(outcome, item);
		if (result.ok === false && !goOn) lane.halt();
		return result;
	};
	return await Promise.all(
		entries.map(async (entry) => await inTurn(async () => await send(entry))),
	);
}

/** Of work that may have been done, the key is what it can be asked for by, and sent again with. */
function withKey(outcome: Extract<Outcome, { ok: false }>, { request, traits }: Prepared): Result {
	const idempotencyKey =
		traits.effect === 'keyed write' ? request.headers?.[IDEMPOTENCY_HEADER] : undefined;
	if (!outcome.refusal.mayHaveHappened || idempotencyKey === undefined) return outcome;
	return { ...outcome, refusal: { ...outcome.refusal, idempotencyKey } };
}

async function readItems(
	operation: ServiceOperation<unknown>,
	item: Prepared,
	outcome: { answer: ServiceAnswer; tries: number },
): Promise<Result> {
	const items = await settle(() => operation.items(outcome.answer, item.fields));
	if (items instanceof FieldRefusal) return { ok: false, refusal: items, tries: outcome.tries };
	return { ok: true, items, tries: outcome.tries };
}
