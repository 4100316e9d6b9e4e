import lodash from 'lodash';

import type { Simulator } from '../../simulator/index.mts';
import { until } from '../../simulator/until.mts';
import { transferOf } from '../fixtures.mts';
import type { Reference } from './credentials.mts';
import { ended, eventually, executions, isOpen, retryExecution } from './executions.mts';
import type { N8nAccess } from './n8n.mts';
import { cardTreasury, splitItems } from './nodes.mts';
import { publishChain, startChain } from './workflows.mts';

/** Number of items of a run by their `outcome`. */
type Outcomes = Partial<Record<string, number>>;

/** Result of a run of transfers that was cut off, retried, and started again. */
export interface Cut {
	/** Status that n8n gave to the run. */
	status: string;
	/** Transfers executed before n8n was gone. */
	before: number;
	/** Report of *Retry*; undefined if the run ended well before n8n did. */
	retried?: Outcomes;
	anew: Outcomes;
	/** Transfers executed in the end, each counted once. */
	executed: number;
	/** Executions beyond the first of each transfer. */
	twice: number;
	/** Transfers that a run showed as done, and that were not executed. */
	untrue: string[];
}

interface CutOptions {
	n8n: N8nAccess;
	simulator: Simulator;
	credential: Reference;
	count: number;
	/** Number of executed transfers after which n8n is cut off. */
	after: number;
	cut: () => Promise<void>;
}

/** Starts a run of transfers, cuts it off, retries it and starts it again. Forgets what the simulator had executed. */
export async function cutOff(given: CutOptions): Promise<Cut> {
	const { n8n, simulator, credential, count, after, cut } = given;
	simulator.reset();
	const transfer = cardTreasury(transferOf('={{ $json.amount }}'), credential, {
		onError: 'continueRegularOutput',
	});
	const chain = await publishChain(n8n, [splitItems, transfer]);
	const items = Array.from({ length: count }, (_, index) => ({ amount: String(index + 1) }));
	const executed = () => simulator.ledger.map(({ amountText }) => String(amountText));
	const untrue: string[] = [];
	const readOutcomes = async (executions: number): Promise<Outcomes> => {
		const reported = (await ended(n8n, chain, executions)).outputs(transfer.name)?.[0] ?? [];
		const shown = reported.filter(({ outcome }) => ['done', 'already_sent'].includes(outcome));
		untrue.push(...lodash.difference(lodash.map(shown, 'amount'), executed()));
		return lodash.countBy(reported, 'outcome');
	};

	await startChain(chain, { items });
	await until(() => simulator.ledger.length >= after, 120_000);
	await cut();
	const before = simulator.ledger.length;
	const { id, status } = await eventually(async () => {
		const [row] = await executions(n8n, chain);
		return row && !isOpen(row) && row;
	});
	let retried: Outcomes | undefined;
	if (status !== 'success') {
		await retryExecution(n8n, id);
		retried = await readOutcomes(2);
	}
	await startChain(chain, { items });
	const anew = await readOutcomes(retried ? 3 : 2);
	const different = new Set(executed()).size;
	const twice = executed().length - different;
	return { status, before, retried, anew, executed: different, twice, untrue };
}
