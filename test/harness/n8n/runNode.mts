import { publishChain, startChain, type Chain, type ChainNode } from './chain.mts';
import { readExecution, type StoredExecution } from './executions.mts';
import type { N8nAccess } from './n8n.mts';
import { cardTreasury, splitItems } from './nodes.mts';
import { endedExecutions, type Reference } from './scenario.mts';

export interface RunOptions {
	/** Input items; default one empty item. */
	items?: object[];
	/** Settings of the node, e.g. Retry On Fail. */
	settings?: Partial<ChainNode>;
	/** Nodes before this one, instead of `items`. */
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

/** Returns the latest of `count` executions, once all have ended. */
export async function ended(n8n: N8nAccess, chain: Chain, count: number): Promise<Ended> {
	const rows = await endedExecutions(n8n, chain, count);
	const { id } = rows.at(-1)!;
	return { id, chain, ...(await readExecution(n8n, id)) };
}
