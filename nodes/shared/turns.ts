import type { IExecuteFunctions } from 'n8n-workflow';

/** Attempts per call. n8n's database fails once if two processes write the first entries of a node at the same time. */
export const ATTEMPTS = 2;

/**
 * Calls `work` until it succeeds.
 * @returns undefined if all attempts failed
 */
export async function repeatedly<Result>(work: () => Promise<Result>): Promise<Result | undefined> {
	for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
		try {
			return await work();
		} catch {
			continue;
		}
	}
	return undefined;
}

/** Identifies a node across workflows. A copied node has the same ID in another workflow. */
export const nodeKey = (n8n: Pick<IExecuteFunctions, 'getNode' | 'getWorkflow'>): string =>
	`${n8n.getWorkflow().id}/${n8n.getNode().id}`;

/**
 * Calls `work` when the node's earlier calls have ended.
 * @param work must not throw
 */
type InTurn = <Result>(node: string, work: () => Promise<Result>) => Promise<Result>;

/**
 * Creates the queue for calls of n8n's deduplication helper. Each process makes one call per node at a time, because
 * n8n reads all entries of a node and writes them all back. n8n offers no atomic step, so two processes that write
 * within a few milliseconds may lose each other's entries.
 */
export function createTurns(): InTurn {
	/** Last waiting or running call of each node. */
	const turns = new Map<string, Promise<unknown>>();
	return async (node, work) => {
		const turn = Promise.resolve(turns.get(node)).then(work);
		turns.set(node, turn);
		void turn.then(() => {
			if (turns.get(node) === turn) turns.delete(node);
		});
		return await turn;
	};
}
