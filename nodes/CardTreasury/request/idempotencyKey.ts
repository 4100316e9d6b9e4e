import { createHash, randomUUID } from 'node:crypto';

/** Header of §1.6. */
export const IDEMPOTENCY_HEADER = 'Idempotency-Key';

/** What distinguishes a run's work from that of other executions, nodes and rounds. */
export interface RunIdentity {
	/** Of this n8n, because execution IDs start at 1 in each. */
	instanceId: string;
	workflowId: string;
	/** Name of the node: where n8n retries with the saved workflow, it finds nodes by their names. */
	node: string;
	/**
	 * ID and start of the execution in which the work was first tried: a manual retry keeps them, and after a database was
	 * restored the same ID comes again with another start. Absent without an execution: then no key comes again.
	 */
	root?: string;
	/** Of a loop. */
	round: number;
}

/**
 * The key that every repetition of the same piece of work sends again, and no other work does (§1.6).
 * In the form of a UUID, which services accept wherever they check the form of a key.
 * @param where for an agent, whose every call is a new round: how many definite answers writes to this path have had before
 */
export function deriveIdempotencyKey(
	{ instanceId, workflowId, node, root = randomUUID(), round }: RunIdentity,
	where: { item: number } | { repetition: number },
	fingerprint: string,
): string {
	const place =
		'item' in where
			? [node, root, 'item', round, where.item]
			: // By whichever of its tools an agent asks.
				[root, 'call', where.repetition];
	const identity = JSON.stringify([instanceId, workflowId, ...place, fingerprint]);
	const hash = createHash('sha256').update(identity).digest('hex');
	// Version 8 and variant bits of RFC 9562: a UUID of the maker's own derivation.
	return `${hash.slice(0, 8)}-${hash.slice(8, 12)}-8${hash.slice(13, 16)}-a${hash.slice(17, 20)}-${hash.slice(20, 32)}`;
}
