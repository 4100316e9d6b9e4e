import { performance } from 'node:perf_hooks';
import lodash from 'lodash';

import type { Answer } from './answer.mts';
import type { LedgerRow, RequestRecord } from './ledger.mts';
import type { DeliveryRecord } from './outbox.mts';
import type { World } from './service.mts';
import type { SimulatorState } from './state.mts';

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
