import type { Simulator } from '../../simulator/index.mts';
import { until } from '../../simulator/until.mts';
import { transferOf } from '../fixtures.mts';
import { publishChain, startChain } from './chain.mts';
import { readExecution, retryExecution } from './executions.mts';
import type { N8nAccess } from './n8n.mts';
import { cardTreasury, splitItems } from './nodes.mts';
import { endedExecutions, eventually, executions, type Reference } from './scenario.mts';

/** Number of items by what their run reported. */
export interface Told {
	done: number;
	alreadySent: number;
	unknown: number;
	/** Rejected, or not sent. */
	notSent: number;
}

/** Result of a run of transfers that was cut off, retried, and started again. */
export interface Cut {
	/** Status that n8n gave to the run. */
	status: string;
	/** Transfers executed before n8n was gone. */
	before: number;
	/** Report of *Retry*; undefined if the run ended well before n8n did. */
	retried?: Told;
	/** Report of a new execution. */
	anew: Told;
	/** Transfers executed in the end, each counted once. */
	executed: number;
	/** Executions beyond the first of each transfer. */
	twice: number;
	/** Transfers that a run showed as done, and that were not executed. */
	untrue: string[];
}

interface CutOptions {
	/** Access to n8n, which changes with a restart. */
	n8n: () => N8nAccess;
	simulator: Simulator;
	credential: Reference;
	/** Number of transfers. */
	count: number;
	/** Number of executed transfers after which n8n is cut off. */
	after: number;
	/** Ends n8n and starts it again. */
	cut: () => Promise<void>;
	/** Options of the transfer. */
	options?: object;
}

/** Starts a run of transfers, cuts it off, retries it and starts it again. Forgets what the simulator had executed. */
export async function cutOff(given: CutOptions): Promise<Cut> {
	const { n8n, simulator, credential, count, after, cut, options } = given;
	simulator.reset();
	const transfer = cardTreasury(transferOf('={{ $json.amount }}', options), credential, {
		onError: 'continueRegularOutput',
	});
	const chain = await publishChain(n8n(), [splitItems, transfer]);
	const items = Array.from({ length: count }, (_, index) => ({ amount: String(index + 1) }));
	const executed = () => simulator.ledger.map(({ amountText }) => String(amountText));
	const untrue: string[] = [];
	const readTold = async (executions: number): Promise<Told> => {
		const { id } = (await endedExecutions(n8n(), chain, executions)).at(-1)!;
		const reported = (await readExecution(n8n(), id)).outputs(transfer.name)?.[0] ?? [];
		const known = new Set(executed());
		const told = { done: 0, alreadySent: 0, unknown: 0, notSent: 0 };
		for (const item of reported) {
			const what = toldOf(item);
			told[what] += 1;
			if (['done', 'alreadySent'].includes(what) && !known.has(String(item.amount)))
				untrue.push(String(item.amount));
		}
		return told;
	};

	await startChain(n8n(), chain, { items });
	await until(() => simulator.ledger.length >= after, 120_000);
	await cut();
	const before = simulator.ledger.length;
	const { id, status } = await eventually(async () => {
		const [row] = await executions(n8n(), chain);
		return row && !['new', 'running', 'waiting'].includes(row.status) && row;
	});
	let retried: Told | undefined;
	if (status !== 'success') {
		await retryExecution(n8n(), id);
		retried = await readTold(2);
	}
	await startChain(n8n(), chain, { items });
	const anew = await readTold(retried ? 3 : 2);
	const different = new Set(executed()).size;
	const twice = executed().length - different;
	return { status, before, retried, anew, executed: different, twice, untrue };
}

function toldOf({ outcome }: Record<string, unknown>): keyof Told {
	if (outcome === 'already_sent') return 'alreadySent';
	return outcome === 'done' || outcome === 'unknown' ? outcome : 'notSent';
}
