import { openDatabase } from '../harness/database/database.mts';
import { post } from '../harness/deliveries/post.mts';
import { answered, OK, send } from '../harness/n8n/deliveries.mts';
import { moveToMember } from '../harness/n8n/member.mts';
import {
	createCredential,
	createWorkflow,
	endedExecutions,
	keys,
	noOp,
	outputsOf,
	publish,
	publishWorkflow,
	respond,
	type TriggerWorkflow,
} from '../harness/n8n/scenario.mts';
import { credential, scenario, useN8n } from '../harness/n8n/useN8n.mts';
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

/** Runs SQL on n8n's database. */
async function query(sql: string, ...values: unknown[]) {
	const database = await openDatabase(scenario.n8n.userFolder);
	try {
		return await database.query(sql, ...values);
	} finally {
		await database.close();
	}
}

describe('Settings tab of the trigger', () => {
	it.each([
		['Retry On Fail', { retryOnFail: true }],
		['Always Output Data', { alwaysOutputData: true }],
		['On Error', { onError: 'continueRegularOutput' }],
		['On Error', { onError: 'continueErrorOutput' }],
	])('prevents publishing with %s', async (setting, change) => {
		const created = await createWorkflow(scenario.n8n, credential, { events: ['cards.cleared'] });
		const refused = publish(scenario.n8n, await withTrigger(created, change));
		await expect(refused).rejects.toThrow(new RegExp(`Settings tab.*${setting}`));
	});

	it('loses no event that n8n runs again because Retry On Fail was set after publishing', async () => {
		const { n8n } = scenario;
		const workflow = await publishWorkflow(n8n, credential, { events: ['cards.cleared'] }, [
			[noOp('Behind')],
		]);
		const [{ nodes } = { nodes: '' }] = await query(
			'SELECT nodes FROM workflow_history WHERE versionId = ?',
			workflow.versionId,
		);
		const changed = (JSON.parse(String(nodes)) as object[]).map((node) =>
			'name' in node && node.name === 'Trigger'
				? { ...node, retryOnFail: true, maxTries: 2, waitBetweenTries: 0 }
				: node,
		);
		await query(
			'UPDATE workflow_history SET nodes = ? WHERE versionId = ?',
			JSON.stringify(changed),
			workflow.versionId,
		);
		// n8n treats an item with a field `error` as a failed node and runs the node again.
		const event = sampleEvent('cards.cleared', { error: 'declined later' });
		expect(await send(workflow, event)).toMatchObject(OK);
		const [row] = await endedExecutions(n8n, workflow, 1);
		expect(await outputsOf(n8n, row!.id, 'Behind')).toMatchObject([[event]]);
	});
});

describe("n8n's Engine 2.0", () => {
	it('prevents publishing, and rejects deliveries if it is set later', async () => {
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
			status: 500,
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
		const created = await n8n.rest('POST', '/rest/workflows', {
			name: 'errors',
			nodes: [{ ...errorTrigger, id: '1', position: [0, 0] }],
			connections: {},
			active: false,
		});
		const errors = { id: String(created.id), versionId: String(created.versionId) };
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

describe('webhook key', () => {
	it('of a test run does not open the production URL', async () => {
		const { n8n } = scenario;
		const published = await publishWorkflow(n8n, credential, { events: ['cards.cleared'] });
		const sandbox = await createCredential(n8n, keys('sandbox-key'));
		const parameters = { events: ['cards.cleared'], testEvent: 'real' };
		await withTrigger(published, { parameters, credentials: { cardTreasuryApi: sandbox } });
		await n8n.rest('POST', `/rest/workflows/${published.id}/run`, {
			triggerToStartFrom: { name: 'Trigger' },
		});
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

describe('Respond', () => {
	const byWorkflow = {
		events: ['cards.authorization'],
		authorizationDecision: 'workflow',
		fallbackDecision: 'other',
		fallbackResponseCode: '91',
	};

	it('fails in a sub-workflow, where n8n sends nothing', async () => {
		const { n8n } = scenario;
		const start = {
			name: 'Start',
			type: 'n8n-nodes-base.executeWorkflowTrigger',
			typeVersion: 1.1,
			parameters: { inputSource: 'passthrough' },
		};
		const nodes = [start, respond(credential)].map((node, index) => ({
			...node,
			id: String(index),
			position: [index * 200, 0],
		}));
		const sub = await n8n.rest('POST', '/rest/workflows', {
			name: 'sub-workflow',
			nodes,
			connections: { Start: { main: [[{ node: 'Respond', type: 'main', index: 0 }]] } },
			active: false,
		});
		await publish(n8n, { id: String(sub.id), versionId: String(sub.versionId) });
		const call = {
			name: 'Call',
			type: 'n8n-nodes-base.executeWorkflow',
			typeVersion: 1.2,
			parameters: { workflowId: { __rl: true, mode: 'id', value: sub.id }, options: {} },
		};
		const workflow = await publishWorkflow(n8n, credential, byWorkflow, [[call]]);
		expect(await send(workflow, sampleEvent('cards.authorization'))).toMatchObject(answered('91'));
		const [row] = await endedExecutions(n8n, workflow, 1);
		const { data } = await n8n.rest('GET', `/rest/executions/${row!.id}`);
		expect(row!.status).toBe('error');
		expect(data).toContain('cannot answer from a sub-workflow');
	});
});
