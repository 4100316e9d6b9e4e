import lodash from 'lodash';

import type { Answer } from './answer.mts';
import type { World } from './service.mts';
import type { SimulatorState } from './state.mts';

/** Executed effect on money, a card or a document. */
export interface LedgerRow {
	request: number;
	/** `wallet.transfer`, `rampTransfer.updateAmount`, `card.freeze`, `card.unfreeze`, `card.configure3ds`, `card.unblock`, `productRequest.submitDocument`. */
	operation: string;
	amountText?: string;
	result?: string;
	transactionHash?: string;
}

/** HTTP request to the service API; control requests are not recorded. */
export interface RequestRecord {
	n: number;
	at: string;
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
	fault?: string;
	/** True if an earlier answer for the same `Idempotency-Key` was replayed. */
	replayed?: true;
}

/** What the service remembers, as JSON, so that it survives a restart of the simulator. */
export interface Books extends Pick<World, 'ledger' | 'requests' | 'deliveries'> {
	state: Partial<SimulatorState>;
	kept: Array<[key: string, answer: Answer]>;
}

export const booksOf = ({ state, ledger, requests, deliveries, kept }: World): Books => ({
	...{ state, ledger, requests, deliveries },
	kept: [...kept],
});

/** Continues the books of an earlier simulator. A delivery that it had not ended is given up. */
export function continueBooks(world: World, books: Books): void {
	Object.assign(world.state, lodash.cloneDeep(books.state));
	world.ledger.push(...books.ledger);
	world.requests.push(...books.requests);
	for (const [key, answer] of books.kept) world.kept.set(key, answer);
	for (const { delivery, ...row } of books.deliveries)
		world.deliveries.push({
			...row,
			delivery: delivery ?? { delivered: false, attempts: row.attempts },
		});
}
