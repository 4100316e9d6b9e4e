import { publishChain, startChain, type Chain, type ChainNode } from '../n8n/chain.mts';
import { createCredential, endedExecutions, eventually, executions, keys } from '../n8n/scenario.mts';
import { API_KEYS, IDS, startSimulator, type Simulator } from '../simulator/index.mts';
import { until } from '../simulator/until.mts';
import type { SoakedN8n } from './instance.mts';
import type { Verdict } from './verdict.mts';

const ITEMS = 45;

interface Batch {
	name: string;
	/** Whether every item carries a key of the user's own. */
	ownKeys: boolean;
	operation: 'wallet.transfer' | 'card.freeze';
	parameters: object;
}

const TRANSFER = {
	resource: 'wallet',
	operation: 'transfer',
	accountId: IDS.account,
	walletId: IDS.wallet,
	to: '0x52908400098527886E0F7030069857D2E4169EE7',
	tokenAddress: { __rl: true, mode: 'id', value: '' },
};

const batches = (round: number): Batch[] => [
	{
		name: 'Transfers with keys of their own',
		ownKeys: true,
		operation: 'wallet.transfer',
		parameters: { ...TRANSFER, amount: '={{ $json.amount }}', options: { idempotencyKey: `=invoice-${round}-{{ $json.amount }}` } },
	},
	{
		name: 'Freezes with keys of their own',
		ownKeys: true,
		operation: 'card.freeze',
		parameters: { resource: 'card', operation: 'freeze', cardId: IDS.activeCard, options: { idempotencyKey: `=freeze-${round}-{{ $json.amount }}` } },
	},
	{
		name: 'Transfers with derived keys',
		ownKeys: false,
		operation: 'wallet.transfer',
		parameters: { ...TRANSFER, amount: '={{ $json.amount }}' },
	},
];

/**
 * Batches of writes, each cut off by a kill of n8n while it is sending, then retried as a user would. The service's
 * ledger is the witness: with keys of one's own each is carried out exactly once, with derived ones at most once.
 */
export async function soakActions(soaked: SoakedN8n, rounds: number, say: (line: string) => void): Promise<Verdict> {
	const simulator = await startSimulator();
	const facts: Verdict['facts'] = [];
	const faults: string[] = [];
	try {
		const credential = await createCredential(soaked.n8n, { ...keys(''), baseUrl: simulator.url, apiKey: API_KEYS[3] });
		for (const [place, { name }] of batches(0).entries()) {
			let [carriedOut, twice, cutOff] = [0, 0, 0];
			for (let round = 0; round < rounds; round++) {
				const batch = batches(round)[place]!;
				simulator.reset();
				const write: ChainNode = {
					name: 'Write', type: 'n8n-nodes-card-treasury.cardTreasury', typeVersion: 1,
					parameters: batch.parameters, credentials: { cardTreasuryApi: credential },
				};
				const chain = await publishChain(soaked.n8n, [ITEMS_NODE, write]);
				await cutOffAndRetry(soaked, simulator, chain);
				const keysDone = simulator.ledger.map(({ idempotencyKey, amountText }) => idempotencyKey ?? amountText);
				const different = batch.operation === 'wallet.transfer' ? new Set(simulator.ledger.map(({ amountText }) => amountText)) : new Set(keysDone);
				carriedOut += different.size;
				twice += keysDone.length - different.size;
				cutOff += 1;
				if (batch.ownKeys && different.size !== ITEMS) faults.push(`${name}: ${ITEMS - different.size} of ${ITEMS} were never carried out`);
				say(`${name}, round ${round + 1}: ${different.size} of ${ITEMS} carried out, ${keysDone.length - different.size} twice`);
			}
			if (twice > 0) faults.push(`${name}: ${twice} were carried out twice`);
			facts.push([`${name}: cut off ${cutOff} times; carried out of ${ITEMS * rounds}, twice`, `${carriedOut}, ${twice}`]);
		}
	} finally {
		await simulator.close();
	}
	return { facts, faults };
}

const ITEMS_NODE: ChainNode = {
	name: 'Items', type: 'n8n-nodes-base.code', typeVersion: 2,
	parameters: { jsCode: `return Array.from({ length: ${ITEMS} }, (_, index) => ({ json: { amount: String(index + 1) } }));` },
};

async function cutOffAndRetry(soaked: SoakedN8n, simulator: Simulator, chain: Chain): Promise<void> {
	await startChain(soaked.n8n, chain);
	await until(() => simulator.ledger.length >= 10, 60_000);
	await soaked.kill();
	const crashed = await eventually(async () => {
		const [row] = await executions(soaked.n8n, chain);
		return row?.status === 'crashed' && row;
	});
	await soaked.n8n.rest('POST', `/rest/executions/${crashed.id}/retry`, { loadWorkflow: false });
	await endedExecutions(soaked.n8n, chain, 2);
}
