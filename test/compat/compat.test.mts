import { setTimeout as wait } from 'node:timers/promises';
import type { INodeTypeDescription } from 'n8n-workflow';

import { CardTreasury } from '../../nodes/CardTreasury/CardTreasury.node.ts';
import { lockDatabase } from '../harness/database/database.mts';
import { transferOf } from '../harness/fixtures.mts';
import { toolExecutor } from '../harness/n8n/agent.mts';
import { answered, BY_WORKFLOW, OK, send } from '../harness/n8n/deliveries.mts';
import { ended, endedExecutions, outputsOf, retryExecution } from '../harness/n8n/executions.mts';
import { N8N_VERSION } from '../harness/n8n/install.mts';
import { cardTreasury, cardTreasuryTool, noOp, respond } from '../harness/n8n/nodes.mts';
import {
	publishChain,
	publishWorkflow,
	startChain,
	type TriggerWorkflow,
} from '../harness/n8n/workflows.mts';
import type { SlackUser } from '../harness/slack/slackStandIn.mts';
import {
	ASKING,
	expectLeft,
	labelOf,
	question,
	startAsking,
} from '../harness/workflows/asking.mts';
import { CASES } from '../harness/workflows/cases.mts';
import { visit, waits } from '../harness/workflows/decision.mts';
import {
	checkResult,
	runEveryWorkflow,
	RUNS,
	untilEnded,
	type Opened,
} from '../harness/workflows/runCase.mts';
import { harness, n8n, useWorkflows } from '../harness/workflows/useWorkflows.mts';
import {
	readWorkflow,
	withParameters,
	type WorkflowFile,
} from '../harness/workflows/workflowFiles.mts';
import { APPROVER, STRANGER } from '../harness/workflows/workflowHarness.mts';
import { sampleEvent } from '../simulator/index.mts';

/** Checks for every supported n8n; `npm run test:compat` makes a column of the table from each run. */

useWorkflows();

const credential = () => harness.credentials.cardTreasuryApi!;

const authorize = async (workflow: TriggerWorkflow, amount: string) =>
	await send(workflow, sampleEvent('cards.authorization', { data: { bill_amount: amount } }));

it('Loads: both nodes and the tool, with all operations', async () => {
	const types = (await n8n.rest('GET', '/types/nodes.json')) as unknown as INodeTypeDescription[];
	const ours = types.filter(({ name }) => name.startsWith('n8n-nodes-card-treasury.'));
	const versions = ours.map(({ name, version }) => `${name.split('.').at(-1)} ${String(version)}`);
	expect(versions.sort()).toEqual([
		'cardTreasury 1',
		'cardTreasuryTool 1',
		'cardTreasuryTrigger 2',
	]);
	// n8n adds "Custom API Call".
	const operationsOf = ({ properties }: INodeTypeDescription) =>
		properties
			.filter(({ name }) => name === 'operation')
			.map(({ options = [] }) => options.filter(({ name }) => name !== 'Custom API Call'));
	const action = ours.find(({ name }) => name.endsWith('.cardTreasury'))!;
	expect(operationsOf(action)).toEqual(operationsOf(new CardTreasury().description));
});

it('Action: a transfer, not sent again by a second run', async () => {
	const run = await publishTransfer();
	for (const outcome of ['done', 'already_sent'])
		expect((await run()).outputs('Card Treasury')).toMatchObject([[{ outcome }]]);
	expect(harness.simulator.requests).toHaveLength(1);
});

it('Action: a transfer of unknown outcome, not sent again by Retry', async () => {
	harness.simulator.faults.add({ kind: 'status', status: 409, effect: true });
	const run = await publishTransfer();
	const { id, failure } = await run();
	expect(failure.description).toContain('1 unknown');
	const retried = await run(async () => await retryExecution(n8n, id));
	expect(retried.failure.message).toContain('INV-1 was sent before');
	expect(harness.simulator.requests).toHaveLength(1);
});

/** Publishes a transfer. The result runs it by its webhook, or in another way, and reads the execution. */
async function publishTransfer() {
	const chain = await publishChain(n8n, [cardTreasury(transferOf('1'), credential())]);
	let runs = 0;
	return async (start = async () => await startChain(chain)) => {
		await start();
		return await ended(n8n, chain, ++runs);
	};
}

it('Action: no transfer by an agent', async () => {
	const tool = cardTreasuryTool('Pay', transferOf('1'), credential());
	const attachments = [{ node: tool, into: 'Call', as: 'ai_tool' as const }];
	const chain = await publishChain(n8n, [toolExecutor('Call', 'Pay')], { attachments });
	await startChain(chain);
	const { failure } = await ended(n8n, chain, 1);
	expect(failure.message).toContain('An AI agent cannot move money with this node');
	expect(harness.simulator.requests).toEqual([]);
});

it('Delivery: one of two outputs, its copy dropped', async () => {
	const events = ['cards.cleared', 'virtual_wallets.deposit'];
	const outputs = events.map((name) => [noOp(name)]);
	const workflow = await publishWorkflow(n8n, credential(), { events }, outputs);
	const event = sampleEvent('virtual_wallets.deposit');
	for (const copy of [event, event]) expect(await send(workflow, copy)).toMatchObject(OK);
	expect((await send(workflow, event, { webhookKey: 'wrong-key' })).status).toEqual(401);
	const rows = await endedExecutions(n8n, workflow, 2);
	expect(rows.map(({ status }) => status)).toEqual(['success', 'success']);
	const ran = await Promise.all(rows.map(async ({ id }) => await outputsOf(n8n, id, 'Trigger')));
	const ids = ran.map((found) => (found ?? []).map(([item]) => item?.operation_id));
	expect(ids).toEqual([
		[undefined, event.operation_id],
		[undefined, undefined],
	]);
});

it('Authorization: by rules', async () => {
	const conditions = { amountTo: '100', currencies: 'USD' };
	const rule = [{ name: 'small', decision: 'approve', conditions }];
	const parameters = { events: ['cards.authorization'], rules: { rule } };
	const workflow = await publishWorkflow(n8n, credential(), parameters);
	expect(await authorize(workflow, '100.00')).toMatchObject(answered('00'));
	expect(await authorize(workflow, '100.01')).toMatchObject(answered('05'));
	const rows = await endedExecutions(n8n, workflow, 2);
	expect(rows.map(({ status }) => status)).toEqual(['success', 'success']);
});

it('Authorization: by the workflow', async () => {
	const parameters = { events: ['cards.authorization'], ...BY_WORKFLOW };
	const workflow = await publishWorkflow(n8n, credential(), parameters, [[respond(credential())]]);
	// A cold n8n may miss its first deadlines; the benchmarks measure its speed.
	let answer = await authorize(workflow, '1');
	for (let tries = 1; answer.body?.includes('05') && tries < 10; tries++)
		answer = await authorize(workflow, '1');
	expect(answer).toMatchObject(answered('00'));
});

it('Event stored before it is acknowledged', async () => {
	const workflow = await publishWorkflow(n8n, credential(), { events: ['cards.cleared'] }, [
		[noOp('Behind')],
	]);
	const unlock = await lockDatabase(n8n.userFolder);
	// Nothing can be stored now, so an acknowledgement would mean an event that was not stored.
	const answer = await Promise.race([send(workflow, sampleEvent('cards.cleared')), wait(5_000)]);
	await unlock();
	expect(answer && answer.status).not.toBe(200);
});

it('The shipped workflows', async () => {
	const pressed = CASES.filter(({ situations }) => Object.values(situations)[0]!.press);
	const asking = pressed.map(({ file }) => readWorkflow(file).name);
	const runs = RUNS.filter(([name]) => TELLS_WHO || !asking.includes(name));
	await runEveryWorkflow(harness, runs);
});

it('Approval: by named persons only', async () => {
	for (const { of, situation } of ASKING) {
		const start = async (change?: (file: WorkflowFile) => WorkflowFile) => {
			harness.reset();
			return await startAsking(harness, of, situation, change);
		};
		const nobody = await start((file) => withParameters(file, 'Ask', { approvers: [] }));
		await clickYes(nobody, APPROVER);
		await untilEnded(harness, nobody.workflow, 1);
		await expectLeft(harness, of);
		const asked = await start();
		await clickYes(asked, STRANGER);
		if (TELLS_WHO) {
			await harness.messages(STRANGER.id, 1);
			await Promise.all([clickYes(asked, APPROVER), clickYes(asked, APPROVER)]);
		}
		await untilEnded(harness, asked.workflow, 1);
		await (TELLS_WHO ? checkResult(harness, situation) : expectLeft(harness, of));
	}
});

/** From this version on, n8n tells who has pressed a button. Before, anybody may open its link. */
const TELLS_WHO = Number(N8N_VERSION.split('.')[1]) >= 32;

async function clickYes({ workflow }: Opened, user: SlackUser) {
	const asked = await question(harness);
	if (TELLS_WHO) return await harness.press(workflow, asked, labelOf(asked, 'yes'), user);
	await waits(n8n, workflow);
	await visit(asked.buttons.at(-1)!.url);
}
