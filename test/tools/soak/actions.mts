import { publishChain, startChain, type Chain } from '../../harness/n8n/chain.mts';
import {
	createCredential,
	endedExecutions,
	eventually,
	executions,
	simulatorKeys,
	type Reference,
} from '../../harness/n8n/scenario.mts';
import { freeze, items, transfer } from '../../harness/queue/transfers.mts';
import { startSimulator, type LedgerRow, type Simulator } from '../../simulator/index.mts';
import { until } from '../../simulator/until.mts';
import type { Target } from './target.mts';
import { FAILED_STARTS, type Verdict } from './verdict.mts';

const ROUNDS = 2;
const ITEMS = 60;
/** Two workers at a third of the limit each stay below it; so does one n8n process at this rate. */
const REQUESTS_PER_SECOND = 7;

interface Batch {
	name: string;
	/** True if every item has the user's own key. */
	ownKeys: boolean;
	node(credential: Reference): Parameters<typeof publishChain>[1][number];
	/** Returns the write of this batch that caused an effect of the service; undefined for other effects. */
	workOf(row: LedgerRow): string | undefined;
}

const own = (prefix: string) => ({ idempotencyKey: `=${prefix}-{{ $json.number }}` });
const keyed =
	(prefix: string) =>
	({ idempotencyKey }: LedgerRow) =>
		idempotencyKey?.startsWith(`${prefix}-`) ? idempotencyKey : undefined;

const BATCHES: Batch[] = [
	{
		name: 'Transfers with keys of their own',
		ownKeys: true,
		node: (credential) =>
			transfer(credential, { requestsPerSecond: REQUESTS_PER_SECOND, ...own('invoice') }),
		workOf: keyed('invoice'),
	},
	{
		name: 'Freezes with keys of their own',
		ownKeys: true,
		node: (credential) =>
			freeze(credential, { requestsPerSecond: REQUESTS_PER_SECOND, ...own('freeze') }),
		workOf: keyed('freeze'),
	},
	{
		name: 'Transfers with derived keys',
		ownKeys: false,
		node: (credential) => transfer(credential, { requestsPerSecond: REQUESTS_PER_SECOND }),
		workOf: (row) =>
			row.operation === 'wallet.transfer' && keyed('invoice')(row) === undefined
				? row.amountText
				: undefined,
	},
];

interface Count {
	cutOff: number;
	executed: number;
	twice: number;
}

/**
 * Runs batches of writes, kills n8n while it sends, then re-sends as a user would. The service's ledger shows each write
 * executed exactly once with own keys, and at most once with derived ones.
 */
export async function soakActions(target: Target): Promise<Verdict> {
	const simulator = await startSimulator();
	const failedBefore = target.failedStarts() ?? 0;
	const counts = BATCHES.map((): Count => ({ cutOff: 0, executed: 0, twice: 0 }));
	try {
		const credential = await createCredential(target.n8n(), simulatorKeys(simulator));
		for (let round = 1; round <= ROUNDS; round++) {
			simulator.reset();
			await oneRound(target, simulator, credential, counts);
			console.log(
				`Round ${round} of ${ROUNDS}: ${BATCHES.map(({ name }, place) => `${name} ${counts[place]!.executed} of ${round * ITEMS}`).join(', ')}`,
			);
		}
	} finally {
		await simulator.close();
	}
	const facts: Verdict['facts'] = [['Rounds, each with one kill', String(ROUNDS)]];
	const failedStarts = target.failedStarts();
	if (failedStarts !== undefined) facts.push([FAILED_STARTS, String(failedStarts - failedBefore)]);
	const faults: string[] = [];
	for (const [place, { name, ownKeys }] of BATCHES.entries()) {
		const { cutOff, executed, twice } = counts[place]!;
		facts.push([`${name}: batches of ${ITEMS} that were cut off`, `${cutOff} of ${ROUNDS}`]);
		facts.push(['… executed in the end', `${executed} of ${ITEMS * ROUNDS}`]);
		facts.push(['… executed twice', String(twice)]);
		if (twice > 0) faults.push(`${name}: ${twice} were executed twice`);
		const missing = ITEMS * ROUNDS - executed;
		if (missing > 0 && (ownKeys || cutOff === 0))
			faults.push(`${name}: ${missing} were never executed`);
	}
	return { facts, faults };
}

async function oneRound(
	target: Target,
	simulator: Simulator,
	credential: Reference,
	counts: Count[],
): Promise<void> {
	const chains: Chain[] = [];
	for (const { node } of BATCHES)
		chains.push(await publishChain(target.n8n(), [items(ITEMS), node(credential)]));
	const workOf = ({ workOf: read }: Batch) => simulator.ledger.flatMap((row) => read(row) ?? []);
	for (const chain of chains) await startChain(target.n8n(), chain);
	await until(() => BATCHES.every((batch) => workOf(batch).length >= 5), 60_000);
	await target.killExecuting();
	for (const [place, batch] of BATCHES.entries()) {
		const chain = chains[place]!;
		const cutOff = await firstEnded(target, chain);
		if (cutOff.status !== 'success') {
			counts[place]!.cutOff += 1;
			await doAgain(target, chain, cutOff, batch);
		}
		const work = workOf(batch);
		const different = new Set(work).size;
		counts[place]!.executed += different;
		counts[place]!.twice += work.length - different;
	}
}

async function firstEnded(target: Target, chain: Chain) {
	return await eventually(async () => {
		const [row] = await executions(target.n8n(), chain);
		return row && ['success', target.cutOffStatus].includes(row.status) && row;
	}, target.noticesWithinMs);
}

/** Retries first. With own keys, a new execution follows, which n8n needs if it has emptied the first one. */
async function doAgain(
	target: Target,
	chain: Chain,
	{ id }: { id: string },
	{ ownKeys }: Batch,
): Promise<void> {
	await target.n8n().rest('POST', `/rest/executions/${id}/retry`, { loadWorkflow: false });
	await endedExecutions(target.n8n(), chain, 2);
	if (!ownKeys) return;
	await startChain(target.n8n(), chain);
	await endedExecutions(target.n8n(), chain, 3);
}
