import { publishChain, startChain, type Chain, type ChainNode } from './chain.mts';
import { readExecution, type StoredExecution } from './executions.mts';
import type { N8nAccess } from './n8n.mts';
import { cardTreasury, splitItems } from './nodes.mts';
import { endedExecutions, type Reference } from './scenario.mts';

export interface RunOptions {
	/** What comes in; default one empty item. */
	items?: object[];
	/** Of the node in n8n, e.g. Retry On Fail. */
	settings?: Partial<ChainNode>;
	/** What comes before the node, in place of the items. */
	before?: ChainNode[];
}

export interface Ended extends StoredExecution {
	id: string;
	chain: Chain;
}

/** Runs the action node as a user does: saved, published, started by its webhook. */
export async function runNode(
	n8n: N8nAccess,
	credential: Reference,
	parameters: object,
	{ items = [{}], settings, before = [splitItems] }: RunOptions = {},
): Promise<Ended> {
	const chain = await publishChain(n8n, [
		...before,
		cardTreasury(parameters, credential, settings),
	]);
	await startChain(n8n, chain, { items });
	return await ended(n8n, chain, 1);
}

/** The latest of so many executions, once all have ended. */
export async function ended(n8n: N8nAccess, chain: Chain, count: number): Promise<Ended> {
	const rows = await endedExecutions(n8n, chain, count);
	const { id } = rows.at(-1)!;
	return { id, chain, ...(await readExecution(n8n, id)) };
}
