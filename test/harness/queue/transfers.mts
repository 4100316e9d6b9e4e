import { type Simulator } from '../../simulator/index.mts';
import { cardOf, transferOf } from '../fixtures.mts';
import type { ChainNode } from '../n8n/chain.mts';
import { cardTreasury } from '../n8n/nodes.mts';
import type { Reference } from '../n8n/scenario.mts';

/** Returns numbered items, from 1 on. */
export const items = (count: number): ChainNode => ({
	name: 'Items',
	type: 'n8n-nodes-base.code',
	typeVersion: 2,
	parameters: {
		jsCode: `return Array.from({ length: ${count} }, (_, index) => ({ json: { number: String(index + 1) } }));`,
	},
});

export const transfer = (credential: Reference, options: object = {}): ChainNode =>
	cardTreasury(transferOf('={{ $json.number }}', options), credential, { name: 'Transfer' });

export const freeze = (credential: Reference, options: object = {}): ChainNode =>
	cardTreasury({ ...cardOf('freeze'), options }, credential, { name: 'Freeze' });

/** Keys of the executed writes, in order. */
export const keysOf = ({ ledger }: Simulator, operation: string) =>
	ledger.filter((row) => row.operation === operation).map(({ idempotencyKey }) => idempotencyKey);

export const amountsOf = ({ ledger }: Simulator) =>
	ledger.map(({ amountText }) => Number(amountText)).sort((left, right) => left - right);

/** Number of different keys sent for each amount; [1] if every repetition reused its key. */
export function keysPerAmount({ requests }: Simulator): number[] {
	const found = new Map<string, Set<unknown>>();
	for (const { bodyText, headers } of requests) {
		const { amount } = JSON.parse(bodyText) as { amount: number };
		found.set(
			String(amount),
			(found.get(String(amount)) ?? new Set()).add(headers['idempotency-key']),
		);
	}
	return [...new Set([...found.values()].map(({ size }) => size))];
}
