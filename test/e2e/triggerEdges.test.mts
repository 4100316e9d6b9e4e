import { post } from '../harness/deliveries/post.mts';
import { publishNodes } from '../harness/n8n/chain.mts';
import { answered, BY_WORKFLOW, OK, send } from '../harness/n8n/deliveries.mts';
import { moveToMember } from '../harness/n8n/member.mts';
import { calledTrigger, callWorkflow } from '../harness/n8n/nodes.mts';
import {
	createCredential,
	createWorkflow,
	endedExecutions,
	eventually,
	executions,
	keys,
	noOp,
	outputsOf,
	publish,
	publishWorkflow,
	respond,
	saveWorkflow,
	type TriggerWorkflow,
} from '../harness/n8n/scenario.mts';
import { credential, scenario, useN8n } from '../harness/n8n/useN8n.mts';
import { runFrom } from '../harness/workflows/imported.mts';
import { DEFAULT_WEBHOOK_KEY, sampleEvent } from '../simulator/index.mts';

useN8n();

interface Saved {
	versionId: string;
	nodes: Array<Record<string, unknown>>;
	connections: object;
}

/** Changes the trigger of a workflow as the editor saves it. */
async function withTrigger(workflow: TriggerWorkflow, change: object): Promise<TriggerWorkflow> {
	const { rest } = scenario.n8n;
	const path = `/rest/workflows/${workflow.id}`;
	const { nodes, connections, versionId } = (await rest('GET', path)) as unknown as Saved;
	const changed = nodes.map((node) => (node.name === 'Trigger' ? { ...node, ...change } : node));
	const saved = await rest('PATCH', path, { nodes: changed, connections, versionId });
	return { ...workflow, versionId: String(saved.versionId) };
}

describe('forbidden setting of the trigger', () => {
	it.each([
		['Retry On Fail', { retryOnFail: true }],
		['Always Output Data', { alwaysOutputData: true }],
		['On Error', { onError: 'continueRegularOutput' }],
		['On Error', { onError: 'continueErrorOutput' }],
	])('prevents publication: %s (%j)', async (setting, change) => {
		const created = await createWorkflow(scenario.n8n, credential, { events: ['cards.cleared'] });
		const refused = publish(scenario.n8n, await withTrigger(created, change));
		await expect(refused).rejects.toThrow(new RegExp(`Settings tab.*${setting}`));
	});

	it('lets events be refused and authorizations be decided, both without an execution, if n8n publishes it unchecked', async () => {
		const { n8n } = scenario;
		const events = ['cards.cleared', 'cards.authorization'];
		const parameters = { events, defaultDecision: 'approve' };
		const workflow = await publishWorkflow(n8n, credential, parameters, [[noOp('Behind')], []]);
		await publish(n8n, await withTrigger(workflow, { alwaysOutputData: true }));
		const refused = await eventually(async () => {
			const attempt = await send(workflow, sampleEvent('cards.cleared'));
			return attempt.status === 503 && attempt;
		});
		expect(refused.body).toContain('Always Output Data is on');
		const before = (await executions(n8n, workflow)).length;
		expect(await send(workflow, sampleEvent('cards.authorization'))).toMatchObject(answered('00'));
		expect(await send(workflow, sampleEvent('cards.cleared'))).toMatchObject({ status: 503 });
		expect(n8n.log()).toMatch(/Trigger starts no executions.*Always Output Data is on/);
		const current = await withTrigger(workflow, { alwaysOutputData: false });
		await publish(n8n, current);
		const event = sampleEvent('cards.cleared');
		await eventually(async () => (await send(workflow, event)).status === 200);
		const rows = await endedExecutions(n8n, workflow, before + 1);
		expect(rows).toHaveLength(before + 1);
		expect(await outputsOf(n8n, rows.at(-1)!.id, 'Behind')).toMatchObject([[event]]);
	});
});

describe('republication with a mistake', () => {
	it('leaves the URL at 404, as the message says, until the workflow is published', async () => {
		const { n8n } = scenario;
		const workflow = await publishWorkflow(n8n, credential, { events: ['cards.cleared'] });
		expect(await send(workflow, sampleEvent('cards.cleared'))).toMatchObject(OK);
		const mistaken = await withTrigger(workflow, { parameters: { events: ['cards.cleard'] } });
		await expect(publish(n8n, mistaken)).rejects.toThrow(
			/cards\.cleard.*Until this workflow is published, its webhook URL answers 404/,
		);
		expect(await send(workflow, sampleEvent('cards.cleared'))).toMatchObject({ status: 404 });
		const parameters = { events: ['cards.cleared'] };
		await publish(n8n, await withTrigger(mistaken, { parameters }));
		expect(await send(workflow, sampleEvent('cards.cleared'))).toMatchObject(OK);
	});
});

describe("n8n's Engine 2.0", () => {
	it('prevents publication, and lets the trigger reject deliveries if it is set later', async () => {
		const { n8n } = scenario;
		const setEngine = async ({ id, versionId }: TriggerWorkflow) =>
			await n8n.rest('PATCH', `/rest/workflows/${id}`, {
				settings: { engineType: 'v2' },
				versionId,
			});
		const created = await createWorkflow(n8n, credential, { events: ['cards.cleared'] });
		const { versionId } = await setEngine(created);
		const refused = publish(n8n, { ...created, versionId: String(versionId) });
		await expect(refused).rejects.toThrow('Engine 2.0');

		const workflow = await publishWorkflow(n8n, credential, { events: ['cards.cleared'] }, [
			[noOp('Behind')],
		]);
		await setEngine(workflow);
		expect(await send(workflow, sampleEvent('cards.cleared'))).toMatchObject({
			status: 503,
			body: expect.stringContaining('Engine 2.0'),
		});
	});
});

describe('event of a workflow without access to its credential', () => {
	const errorTrigger = {
		name: 'When a run fails',
		type: 'n8n-nodes-base.errorTrigger',
		typeVersion: 1,
		parameters: {},
	};

	it('is acknowledged but erased by n8n, and reported only to a separate error workflow', async () => {
		const { n8n } = scenario;
		const errors = await saveWorkflow(n8n, 'errors', [errorTrigger]);
		const workflow = await createWorkflow(n8n, credential, { events: ['cards.cleared'] }, [
			[noOp('Behind')],
			[errorTrigger],
		]);
		await moveToMember(n8n, errors.id, workflow.id);
		await publish(n8n, errors);
		await publish(n8n, workflow);

		const [first, second] = [sampleEvent('cards.cleared'), sampleEvent('cards.cleared')];
		expect(await send(workflow, first)).toMatchObject(OK);
		// The error branch of the same workflow fails as the run did.
		const rows = await endedExecutions(n8n, workflow, 2);
		expect(rows.map(({ mode, status }) => [mode, status])).toEqual([
			['webhook', 'error'],
			['error', 'error'],
		]);
		const { data } = await n8n.rest('GET', `/rest/executions/${rows[0]!.id}`);
		expect(data).toContain('does not have access to the credential');
		expect(data).not.toContain(first.operation_id);

		await n8n.rest('PATCH', `/rest/workflows/${workflow.id}`, {
			settings: { errorWorkflow: errors.id },
			versionId: workflow.versionId,
		});
		expect(await send(workflow, second)).toMatchObject(OK);
		expect(await endedExecutions(n8n, errors, 1)).toMatchObject([
			{ mode: 'error', status: 'success' },
		]);
	});
});

describe('webhook key of a test run', () => {
	it('does not open the production URL', async () => {
		const { n8n } = scenario;
		const published = await publishWorkflow(n8n, credential, { events: ['cards.cleared'] });
		const sandbox = await createCredential(n8n, keys('sandbox-key'));
		const parameters = { events: ['cards.cleared'], testEvent: 'real' };
		await withTrigger(published, { parameters, credentials: { cardTreasuryApi: sandbox } });
		await runFrom(n8n, published, 'Trigger');
		const event = sampleEvent('cards.cleared');
		expect(await post(published.testUrl, event, { key: 'sandbox-key' })).toMatchObject({
			status: 200,
		});
		expect(await post(published.url, event, { key: 'sandbox-key' })).toMatchObject({ status: 401 });
		expect(await post(published.url, event, { key: DEFAULT_WEBHOOK_KEY })).toMatchObject({
			status: 200,
		});
	});
});

describe('respond operation', () => {
	const byWorkflow = {
		events: ['cards.authorization'],
		...BY_WORKFLOW,
	};

	it('fails in a sub-workflow, where n8n sends nothing', async () => {
		const { n8n } = scenario;
		const { id } = await publishNodes(n8n, 'sub-workflow', [calledTrigger, respond(credential)], {
			[calledTrigger.name]: { main: [[{ node: 'Respond', type: 'main', index: 0 }]] },
		});
		const workflow = await publishWorkflow(n8n, credential, byWorkflow, [
			[callWorkflow(id), respond(credential, 'Too late')],
		]);
		expect(await send(workflow, sampleEvent('cards.authorization'))).toMatchObject(answered('91'));
		const [row] = await endedExecutions(n8n, workflow, 1);
		const { data } = await n8n.rest('GET', `/rest/executions/${row!.id}`);
		expect(row!.status).toBe('error');
		expect(data).toContain('cannot answer from a sub-workflow');
	});
});
