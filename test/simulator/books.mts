import { performance } from 'node:perf_hooks';
import lodash from 'lodash';

import type { Answer } from './answer.mts';
import type { DeliveryRecord } from './outbox.mts';
import type { World } from './service.mts';
import type { SimulatorState } from './state.mts';

/** Executed effect on money, a card or a document. */
export interface LedgerRow {
	/** Sequence number: 1, 2, 3 … */
	n: number;
	/** Number of the request. */
	request: number;
	/** `wallet.transfer`, `rampTransfer.updateAmount`, `card.freeze`, `card.unfreeze`, `card.configure3ds`, `card.unblock`, `productRequest.submitDocument`. */
	operation: string;
	path: string;
	idempotencyKey?: string;
	/** Text of the request body. Images are replaced by their type and size. */
	body: string;
	/** Amount exactly as sent. */
	amountText?: string;
	/** Outcome of a transfer, e.g. `SUCCESS`. */
	result?: string;
	/** Hash of a transfer, which its event names. */
	transactionHash?: string;
	/** Milliseconds on the clock of `performance.now()`. */
	at: number;
}

/** HTTP request to the service API; control requests are not recorded. */
export interface RequestRecord {
	n: number;
	/** Arrival in milliseconds on the clock of `performance.now()`. */
	at: number;
	method: string;
	path: string;
	/** Lower-case names; `x-api-key` is redacted. */
	headers: Record<string, string>;
	/** Text of the request body. Images are replaced by their type and size. */
	bodyText: string;
	traceId: string;
	/** Undefined until answered, and permanently if the socket was reset or the client had left. */
	status?: number;
	/** Access level of the key; undefined for a missing or unknown key. */
	apiKeyLevel?: number;
	/** True if the client left before its answer was ready. */
	abandoned?: true;
	fault?: string;
	/** True if an earlier answer for the same `Idempotency-Key` was replayed. */
	replayed?: true;
}

/** What the service remembers, as JSON, so that it survives a restart of the simulator. */
export interface Books {
	/** Begin of the clock of all `at`, in epoch milliseconds. */
	origin: number;
	state: Partial<SimulatorState>;
	ledger: LedgerRow[];
	requests: RequestRecord[];
	deliveries: DeliveryRecord[];
	kept: Array<[key: string, answer: Answer]>;
}

type Kept = Pick<World, 'ledger' | 'requests' | 'kept' | 'state'> & {
	deliveries: DeliveryRecord[];
};

export const booksOf = ({ state, ledger, requests, deliveries, kept }: Kept): Books => ({
	...{ origin: performance.timeOrigin, state, ledger, requests, deliveries },
	kept: [...kept],
});

/** Continues the books of an earlier simulator. A delivery that it had not ended is given up. */
export function continueBooks(world: Kept, books: Books): void {
	const shift = books.origin - performance.timeOrigin;
	const onThisClock = <Row extends { at: number }>(row: Row): Row => ({
		...row,
		at: row.at + shift,
	});
	Object.assign(world.state, lodash.cloneDeep(books.state));
	world.ledger.push(...books.ledger.map(onThisClock));
	world.requests.push(...books.requests.map(onThisClock));
	for (const [key, answer] of books.kept) world.kept.set(key, answer);
	world.deliveries.push(
		...books.deliveries.map(({ attempts: former, delivery, ...row }) => {
			const attempts = former.map(onThisClock);
			return { ...row, attempts, delivery: { delivered: false, ...delivery, attempts } };
		}),
	);
}
