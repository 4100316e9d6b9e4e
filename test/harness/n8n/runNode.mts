import { publishChain, startChain, type Chain, type ChainNode } from './chain.mts';
import { readExecution, type StoredExecution } from './executions.mts';
import type { N8nAccess } from './n8n.mts';
import { cardTreasury } from './nodes.mts';
import { endedExecutions, type Reference } from './scenario.mts';

export interface Ended extends StoredExecution {
	id: string;
}

/** Runs the action node as a user does: saved, published, started by its webhook. */
export async function runNode(
	n8n: N8nAccess,
	credential: Reference,
	parameters: object,
	settings?: Partial<ChainNode>,
): Promise<Ended> {
	const chain = await publishChain(n8n, [cardTreasury(parameters, credential, settings)]);
	await startChain(n8n, chain);
	return await ended(n8n, chain, 1);
}

/** Returns the latest of `count` executions, once all have ended. */
export async function ended(n8n: N8nAccess, chain: Chain, count: number): Promise<Ended> {
	const rows = await endedExecutions(n8n, chain, count);
	const { id } = rows.at(-1)!;
	return { id, ...(await readExecution(n8n, id)) };
}
