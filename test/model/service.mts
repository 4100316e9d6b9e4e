import type { Outcome } from '../../nodes/shared/problem.ts';
import type { Execution, Reply, Request, Sent, World } from './world.mts';

/** Fates of requests, in percent. */
const SHARES = { done: 50, rejected: 16, failed: 5, lost: 8, unanswered: 11, late: 4, not_sent: 6 };

type Fate = keyof typeof SHARES;
const FATES = (Object.keys(SHARES) as Fate[]).flatMap((fate) =>
	Array<Fate>(SHARES[fate]).fill(fate),
);

/** Fate of a request. Most of large runs are done, because few would go on after the first failure. */
export function fateOf({ is, pick, settings: { scale = 1, isOnce = false } }: World): Fate {
	const fate = scale > 1 && !is(2 / scale) ? 'done' : pick(FATES);
	// Only a transfer comes back FAILED.
	return isOnce && fate === 'failed' ? 'done' : fate;
}

/** Takes a request. Returns what the node will learn of it. */
export function serve(world: World, execution: Execution, sent: Sent, fate: Fate): Reply {
	const { key, item } = sent;
	world.log(() => `   send #${execution.id} ${world.show([key])} ${item.values} -> ${fate}`);
	if (fate === 'not_sent') return { outcome: fate };
	const entry = `${execution.root} ${item.id}`;
	const request: Request = { ...sent, execution, entry, at: world.requests.length };
	world.requests.push(request);
	if (fate === 'late') world.late.push(request);
	if (fate === 'late' || fate === 'lost') return { outcome: 'unknown', request };
	const outcome = fulfil(world, request, fate === 'unanswered' ? 'done' : fate);
	return { outcome: fate === 'unanswered' ? 'unknown' : outcome, request };
}

/** Executes or rejects a request, unless it repeats an earlier one. */
export function fulfil(world: World, request: Request, outcome: Outcome): Outcome {
	const payment = request.key + request.item.values;
	const before = world.served.get(payment);
	if (world.options.hasKeys && before) return before;
	if (outcome !== 'rejected') world.served.set(payment, outcome);
	if (outcome === 'done') world.ledger.push({ ...request, after: world.told.length });
	return outcome;
}
