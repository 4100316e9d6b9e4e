import { IDS, type Fault } from '../../simulator/index.mts';
import { simulator } from '../../simulator/useSimulator.mts';
import { transferOf } from '../fixtures.mts';
import { ended, retryExecution, type StoredExecution } from './executions.mts';
import { cardTreasury, splitItems } from './nodes.mts';
import { credential, n8n } from './useN8n.mts';
import { publishChain, startChain, type ChainNode, type TriggerWorkflow } from './workflows.mts';

/** Payments of a workflow in the n8n and to the simulator of this test file. */

export const PAYER = 'Card Treasury';

/** Parameters of a transfer for each item, named by its amount. A fault can hit the items of one wallet. */
export const payments = (parameters: object = {}) => ({
	...transferOf('={{ $json.amount }}'),
	walletId: '={{ $json.wallet ?? "wal-0001" }}',
	...parameters,
});

/** Items whose amounts count from 1; those listed pay from the second wallet. */
export const itemsOf = (count: number, ...fromSecondWallet: number[]) =>
	Array.from({ length: count }, (_, index) => ({
		amount: String(index + 1),
		...(fromSecondWallet.includes(index + 1) && { wallet: IDS.secondWallet }),
	}));

export const publishPayments = async (
	parameters: object = payments(),
	settings: Partial<ChainNode> = {},
): Promise<TriggerWorkflow> =>
	await publishChain(n8n, [splitItems, cardTreasury(parameters, credential, settings)]);

/** Starts a new execution and returns the latest of `count`, once all have ended. */
export async function pay(
	chain: TriggerWorkflow,
	items: object[],
	count = 1,
): Promise<StoredExecution> {
	await startChain(chain, { items });
	return await ended(n8n, chain, count);
}

/** Retries an execution and returns the latest of `count`, once all have ended. */
export async function retry(
	chain: TriggerWorkflow,
	id: string,
	count: number,
	workflow: 'original' | 'currently saved' = 'original',
): Promise<StoredExecution> {
	await retryExecution(n8n, id, workflow);
	return await ended(n8n, chain, count);
}

export const paid = ({ outputs }: StoredExecution) => outputs(PAYER)?.[0] ?? [];

export const outcomesOf = (execution: StoredExecution) =>
	paid(execution).map(({ outcome }) => String(outcome));

/** Hits requests for the second wallet. By default the next one. */
export const hitSecondWallet = (fault: Fault) =>
	simulator.faults.add({ ...fault, match: { path: IDS.secondWallet } });
