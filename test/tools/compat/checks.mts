import { setTimeout as wait } from 'node:timers/promises';

import { lockDatabase } from '../../harness/database/lockDatabase.mts';
import { publishChain, startChain } from '../../harness/n8n/chain.mts';
import { send } from '../../harness/n8n/deliveries.mts';
import type { RunningN8n } from '../../harness/n8n/n8n.mts';
import {
	createCredential,
	endedExecutions,
	noOp,
	outputsOf,
	publishWorkflow,
	respond,
	simulatorKeys,
	type Reference,
	type TriggerWorkflow,
} from '../../harness/n8n/scenario.mts';
import type { WorkflowHarness } from '../../harness/workflows/workflowHarness.mts';
import { IDS, sampleEvent, type Attempt, type Simulator } from '../../simulator/index.mts';
import { expectEqual } from './expectEqual.mts';
import { runTheFourWorkflows } from './workflows.mts';

/** One n8n with the pack installed, and the simulator that its credential points to. */
export interface Host {
	n8n: RunningN8n;
	simulator: Simulator;
	credential: Reference;
	/** The same n8n and simulator, as the workflows of `docs/workflows` meet them. */
	harness: WorkflowHarness;
}

/** A column of the table: what is tried in every n8n, and what it says there. */
interface Check {
	title: string;
	/** @throws Error when it does not work; what it returns goes into the table */
	run(host: Host): Promise<string>;
}

export async function prepare(harness: WorkflowHarness): Promise<Host> {
	const { simulator } = harness;
	const { n8n } = harness.scenario;
	const credential = await createCredential(n8n, simulatorKeys(simulator));
	return { n8n, simulator, credential, harness };
}

export const CHECKS: Check[] = [
	{
		title: 'Loads: both nodes and the tool',
		async run({ n8n }) {
			const types = (await n8n.rest('GET', '/types/nodes.json')) as unknown as Array<{
				name: string;
				version: unknown;
			}>;
			const ours = types.filter(({ name }) => name.startsWith('n8n-nodes-card-treasury.'));
			const wanted = { cardTreasury: 1, cardTreasuryTool: 1, cardTreasuryTrigger: 2 };
			expectEqual(
				Object.fromEntries(
					ours.map(({ name, version }) => [name.split('.').at(-1), version]).sort(),
				),
				wanted,
			);
			return 'yes';
		},
	},
	{
		title: 'Action: a transfer',
		async run({ n8n, simulator, credential }) {
			const chain = await publishChain(n8n, [
				{
					name: 'Transfer',
					type: 'n8n-nodes-card-treasury.cardTreasury',
					typeVersion: 1,
					parameters: {
						resource: 'wallet',
						operation: 'transfer',
						accountId: IDS.account,
						walletId: IDS.wallet,
						to: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
						tokenAddress: { __rl: true, mode: 'list', value: 'native' },
						amount: '0.000001',
						options: {},
					},
					credentials: { cardTreasuryApi: credential },
				},
			]);
			await startChain(n8n, chain);
			const [row] = await endedExecutions(n8n, chain, 1);
			expectEqual(row!.status, 'success');
			expectEqual(
				simulator.ledger.map(({ amountText }) => amountText),
				['0.000001'],
			);
			// The very same work: its key outlives the execution that it was derived in.
			expectEqual(typeof simulator.ledger[0]!.idempotencyKey, 'string');
			return 'yes';
		},
	},
	{
		title: 'Delivery: one of two outputs, its copy dropped',
		async run({ n8n, credential }) {
			const events = ['cards.cleared', 'virtual_wallets.deposit'];
			const workflow = await publishWorkflow(
				n8n,
				credential,
				{ events },
				events.map((name) => [noOp(name)]),
			);
			const event = sampleEvent('virtual_wallets.deposit');
			for (const copy of [event, event]) expectAnswer(await send(workflow, copy), 'OK');
			expectEqual((await send(workflow, event, { webhookKey: 'wrong-key' })).status, 401);
			const rows = await endedExecutions(n8n, workflow, 1);
			expectEqual(
				rows.map(({ status }) => status),
				['success'],
			);
			const outputs = await outputsOf(n8n, rows[0]!.id, 'Trigger');
			expectEqual(
				outputs!.map(([item]) => item?.operation_id),
				[undefined, event.operation_id],
			);
			return 'yes';
		},
	},
	{
		title: 'Authorization: by rules',
		async run({ n8n, credential }) {
			const workflow = await publishWorkflow(n8n, credential, {
				events: ['cards.authorization'],
				rules: {
					rule: [{ name: 'small', decision: 'approve', conditions: { amountTo: '100' } }],
				},
			});
			expectAnswer(await authorize(workflow, '100.00'), '00');
			expectAnswer(await authorize(workflow, '100.01'), '05');
			expectEqual(
				(await endedExecutions(n8n, workflow, 2)).map(({ status }) => status),
				['success', 'success'],
			);
			return 'yes';
		},
	},
	{
		title: 'Authorization: by the workflow',
		async run({ n8n, credential }) {
			const parameters = {
				events: ['cards.authorization'],
				authorizationDecision: 'workflow',
				fallbackDecision: 'other',
				fallbackResponseCode: '91',
			};
			const workflow = await publishWorkflow(n8n, credential, parameters, [[respond(credential)]]);
			// A cold n8n may miss the deadline with its first ones; how fast it is is measured elsewhere.
			let answer = await authorize(workflow, '1');
			for (let tries = 1; answer.body?.includes('91') && tries < 10; tries++)
				answer = await authorize(workflow, '1');
			expectAnswer(answer, '00');
			return 'yes';
		},
	},
	{
		title: 'Event stored before it is acknowledged',
		async run({ n8n, credential }) {
			const workflow = await publishWorkflow(n8n, credential, { events: ['cards.cleared'] }, [
				[noOp('Behind')],
			]);
			const unlock = await lockDatabase(n8n.userFolder);
			// Nothing can be stored now: whoever acknowledges in spite of it has not stored the event.
			const answer = await Promise.race([
				send(workflow, sampleEvent('cards.cleared')),
				wait(5_000),
			]);
			await unlock();
			return answer && answer.status === 200 ? 'no' : 'yes';
		},
	},
	{
		title: 'The four workflows',
		async run({ harness }) {
			await runTheFourWorkflows(harness);
			return 'yes';
		},
	},
];

const authorize = async (workflow: TriggerWorkflow, amount: string) =>
	await send(workflow, sampleEvent('cards.authorization', { data: { bill_amount: amount } }));

function expectAnswer({ status, body, error }: Attempt, responseCode: string): void {
	expectEqual(
		{ status, body, error },
		{ status: 200, body: JSON.stringify({ response_code: responseCode }), error: undefined },
	);
}
