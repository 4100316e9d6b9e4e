import { post } from '../harness/deliveries/post.mts';
import { OK, send } from '../harness/n8n/deliveries.mts';
import {
	createWorkflow,
	endedExecutions,
	eventually,
	noOp,
	outputsOf,
	publishWorkflow,
} from '../harness/n8n/scenario.mts';
import { credential, scenario, useN8n } from '../harness/n8n/useN8n.mts';
import { runFrom } from '../harness/workflows/imported.mts';
import { EVENT_NAMES, sampleEvent } from '../simulator/index.mts';

useN8n();

describe('test URL of the trigger', () => {
	it('requires the key, and keeps listening after a rejection', async () => {
		const { n8n } = scenario;
		const parameters = { events: ['cards.cleared'], testEvent: 'real' };
		const workflow = await createWorkflow(n8n, credential, parameters, [[noOp('Behind')]]);
		await runFrom(n8n, workflow, 'Trigger');
		const event = sampleEvent('cards.cleared');
		const headers: Array<[string, string]> = [['content-type', 'application/json']];
		const refused = { status: 401, json: { code: 'AUTH' } };
		const taken = { status: 200, json: { response_code: 'OK' } };
		expect(await post(workflow.testUrl, event, { key: 'wrong-key' })).toMatchObject(refused);
		expect(await post(workflow.testUrl, event, { headers })).toMatchObject(refused);
		expect(await post(workflow.testUrl, event)).toMatchObject(taken);
		const [row, ...more] = await endedExecutions(n8n, workflow, 1);
		expect([row!.mode, row!.status, more]).toEqual(['manual', 'success', []]);
		expect(await outputsOf(n8n, row!.id, 'Behind')).toMatchObject([[event]]);
		// The same sample again, because a test run is never a duplicate.
		await runFrom(n8n, workflow, 'Trigger');
		expect(await post(workflow.testUrl, event)).toMatchObject(taken);
		const again = await endedExecutions(n8n, workflow, 2);
		expect(await outputsOf(n8n, again[1]!.id, 'Behind')).toMatchObject([[event]]);
	});
});

describe('sample event of the trigger', () => {
	const listen = async (parameters: object) => {
		const workflow = await createWorkflow(scenario.n8n, credential, parameters);
		await runFrom(scenario.n8n, workflow, 'Trigger');
		return workflow;
	};

	it.each(['cards.cleared', 'cards.authorization'])(
		'starts the test run at once on its own output (%s)',
		async (name) => {
			const events = [...EVENT_NAMES, 'other'];
			const workflow = await listen({ events, testEvent: name });
			const [row] = await endedExecutions(scenario.n8n, workflow, 1);
			expect([row!.mode, row!.status]).toEqual(['manual', 'success']);
			const outputs = await outputsOf(scenario.n8n, row!.id, 'Trigger');
			expect(outputs!.map((items) => items.length)).toEqual(
				events.map((event) => Number(event === name)),
			);
			const [item] = outputs![events.indexOf(name)]!;
			expect(item!.operation_id).toMatch(/^sample-/);
			expect(item!.delivery.schema_issues).toBeUndefined();
			if (name === 'cards.authorization')
				expect(item!.decision).toMatchObject({ response_code: '05', source: 'default' });
		},
	);

	it('shows which rule decided about its Sample Changes', async () => {
		const rule = [
			{ name: 'small', decision: 'approve', conditions: { amountTo: '100' } },
			{ name: 'No gambling', decision: 'decline', conditions: { mccCodes: '7995' } },
		];
		const sampleChanges = '{"bill_amount": "20.00", "merchant_data": {"mcc_code": "7995"}}';
		const workflow = await listen({
			events: ['cards.authorization'],
			rules: { rule },
			options: { sampleChanges },
		});
		const [row] = await endedExecutions(scenario.n8n, workflow, 1);
		const [[item]] = (await outputsOf(scenario.n8n, row!.id, 'Trigger')) as any;
		expect(item).toMatchObject({
			decision: { outcome: 'approved', rule: 'small' },
			data: { bill_amount: '20.00', merchant_data: { mcc_code: '7995' } },
		});
		const { data } = await scenario.n8n.rest('GET', `/rest/executions/${row!.id}`);
		expect(data).toContain('\\"No gambling\\" would have declined');
	});

	it('is refused if its event is not chosen, and is not sent by a published workflow', async () => {
		const parameters = { events: ['cards.cleared'], testEvent: 'cards.refund' };
		await expect(listen(parameters)).rejects.toThrow(/Test With is Cards: Refund/);
		const workflow = await publishWorkflow(scenario.n8n, credential, {
			events: ['cards.cleared'],
			testEvent: 'cards.cleared',
		});
		expect(await send(workflow, sampleEvent('cards.cleared'))).toMatchObject(OK);
		const rows = await endedExecutions(scenario.n8n, workflow, 1);
		expect(rows.map(({ mode }) => mode)).toEqual(['webhook']);
	});

	it('is logged if it cannot be delivered, and the trigger keeps waiting', async () => {
		const { n8n } = scenario;
		const options = { ipAllowlist: '192.0.2.1' };
		const workflow = await listen({ events: ['cards.cleared'], options });
		await eventually(async () => /did not reach the test URL.*IP Allowlist/.test(n8n.log()));
		expect(await endedExecutions(n8n, workflow, 0)).toEqual([]);
	});
});
