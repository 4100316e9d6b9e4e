import { transferOf } from '../../harness/fixtures.mts';
import { publishChain, startChain, type Chain, type ChainNode } from '../../harness/n8n/chain.mts';
import { readExecution, retryExecution } from '../../harness/n8n/executions.mts';
import { cardTreasury } from '../../harness/n8n/nodes.mts';
import {
	createCredential,
	endedExecutions,
	eventually,
	executions,
	simulatorKeys,
} from '../../harness/n8n/scenario.mts';
import { startSimulator, type Simulator } from '../../simulator/index.mts';
import { until } from '../../simulator/until.mts';
import type { Target } from './target.mts';
import { FAILED_STARTS, type Verdict } from './verdict.mts';

const ROUNDS = 2;
const ITEMS = 60;
/** Two workers at a third of the limit each stay below it; so does one n8n process at this rate. */
const REQUESTS_PER_SECOND = 7;

/** Transfers of one workflow. Their amounts end in the batch's own decimals. */
interface Batch {
	name: string;
	decimals: string;
	paymentReference: string;
	idempotencyWindowHours?: number;
}

const FROM_DATA = '=INV-{{ $json.number }}';
const BATCHES: Batch[] = [
	{
		name: 'Transfers with an Idempotency Window',
		decimals: '.01',
		paymentReference: FROM_DATA,
		idempotencyWindowHours: 24,
	},
	{
		name: 'Transfers without an Idempotency Window',
		decimals: '.02',
		paymentReference: FROM_DATA,
	},
	{
		name: 'Transfers with new references in each run',
		decimals: '.03',
		paymentReference: '={{ $json.random }}',
	},
];

interface Count {
	cutOff: number;
	executed: number;
	twice: number;
	/** Transfers that the last execution told unknown, because they were in flight. */
	unknown: number;
}

/**
 * Runs batches of transfers, kills n8n while it sends, then retries as a user would and starts the workflow again. The
 * service's ledger shows that no transfer was executed twice, and which were never executed.
 */
export async function soakActions(target: Target): Promise<Verdict> {
	const simulator = await startSimulator();
	const failedBefore = target.failedStarts() ?? 0;
	const counts = BATCHES.map((): Count => ({ cutOff: 0, executed: 0, twice: 0, unknown: 0 }));
	try {
		for (let round = 1; round <= ROUNDS; round++) {
			simulator.reset();
			await oneRound(target, simulator, counts);
			console.log(
				`Round ${round} of ${ROUNDS}: ${BATCHES.map(({ name }, at) => `${name} ${counts[at]!.executed} of ${round * ITEMS}`).join(', ')}`,
			);
		}
	} finally {
		await simulator.close();
	}
	const facts: Verdict['facts'] = [['Rounds, each with one kill', String(ROUNDS)]];
	const failedStarts = target.failedStarts();
	if (failedStarts !== undefined) facts.push([FAILED_STARTS, String(failedStarts - failedBefore)]);
	const faults: string[] = [];
	for (const [at, { name, paymentReference }] of BATCHES.entries()) {
		const { cutOff, executed, twice, unknown } = counts[at]!;
		facts.push([`${name}: batches of ${ITEMS} that were cut off`, `${cutOff} of ${ROUNDS}`]);
		facts.push(['… executed in the end', `${executed} of ${ITEMS * ROUNDS}`]);
		facts.push(['… executed twice', String(twice)]);
		if (twice > 0) faults.push(`${name}: ${twice} were executed twice`);
		if (paymentReference !== FROM_DATA) continue;
		facts.push(['… told unknown in the end, because they were in flight', String(unknown)]);
		const lost = ITEMS * ROUNDS - executed - unknown;
		if (lost > 0) faults.push(`${name}: ${lost} were neither executed nor told unknown`);
	}
	return { facts, faults };
}

async function oneRound(target: Target, simulator: Simulator, counts: Count[]): Promise<void> {
	const chains: Chain[] = [];
	for (const batch of BATCHES)
		chains.push(await publishChain(target.n8n(), await nodesOf(batch, target, simulator)));
	const paid = ({ decimals }: Batch) =>
		simulator.ledger.flatMap(({ amountText }) =>
			amountText?.endsWith(decimals) ? [amountText] : [],
		);
	for (const chain of chains) await startChain(target.n8n(), chain);
	await until(() => BATCHES.every((batch) => paid(batch).length >= 5), 60_000);
	await target.killExecuting();
	for (const [at, batch] of BATCHES.entries()) {
		const chain = chains[at]!;
		const cutOff = await firstEnded(target, chain);
		if (cutOff.status !== 'success') {
			counts[at]!.cutOff += 1;
			counts[at]!.unknown += await doAgain(target, chain, cutOff, batch);
		}
		const amounts = paid(batch);
		const different = new Set(amounts).size;
		counts[at]!.executed += different;
		counts[at]!.twice += amounts.length - different;
	}
}

async function nodesOf(
	{ decimals, paymentReference, idempotencyWindowHours }: Batch,
	target: Target,
	simulator: Simulator,
): Promise<ChainNode[]> {
	const credential = await createCredential(target.n8n(), {
		...simulatorKeys(simulator),
		...(idempotencyWindowHours && { idempotencyWindowHours }),
	});
	const items: ChainNode = {
		name: 'Items',
		type: 'n8n-nodes-base.code',
		typeVersion: 2,
		parameters: {
			jsCode: `return Array.from({ length: ${ITEMS} }, (_, index) => ({ json: { number: index + 1, random: String(Math.random()) } }));`,
		},
	};
	const parameters = transferOf(`={{ $json.number }}${decimals}`, {
		requestsPerSecond: REQUESTS_PER_SECOND,
	});
	const transfer = cardTreasury({ ...parameters, paymentReference }, credential, {
		// Payments that were in flight stay open, and would stop the others.
		onError: 'continueRegularOutput',
	});
	return [items, transfer];
}

async function firstEnded(target: Target, chain: Chain) {
	return await eventually(async () => {
		const [row] = await executions(target.n8n(), chain);
		return row && ['success', target.cutOffStatus].includes(row.status) && row;
	}, target.noticesWithinMs);
}

/**
 * Retries. If the references stay the same, a new execution follows, which must not pay what has been paid.
 * @returns number of transfers that the new execution told unknown
 */
async function doAgain(
	target: Target,
	chain: Chain,
	{ id }: { id: string },
	{ paymentReference }: Batch,
): Promise<number> {
	await retryExecution(target.n8n(), id);
	await endedExecutions(target.n8n(), chain, 2);
	if (paymentReference !== FROM_DATA) return 0;
	await startChain(target.n8n(), chain);
	const last = (await endedExecutions(target.n8n(), chain, 3)).at(-1)!;
	const [items = []] = (await readExecution(target.n8n(), last.id)).outputs('Card Treasury') ?? [];
	return items.filter(({ outcome }) => outcome === 'unknown').length;
}
