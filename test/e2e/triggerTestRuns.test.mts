import { post } from '../harness/deliveries/post.mts';
import { endedExecutions, outputsOf } from '../harness/n8n/executions.mts';
import { noOp } from '../harness/n8n/nodes.mts';
import { credential, scenario, useN8n } from '../harness/n8n/useN8n.mts';
import { createWorkflow, runFrom } from '../harness/n8n/workflows.mts';
import { EVENT_NAMES, sampleEvent } from '../simulator/index.mts';

useN8n();

const listen = async (parameters: object) => {
	const workflow = await createWorkflow(scenario.n8n, credential, parameters, [[noOp('Behind')]]);
	await runFrom(scenario.n8n, workflow, 'Trigger');
	return workflow;
};

describe('Execute Step', () => {
	it('runs at once with the sample and its changes, which the rules decide about', async () => {
		const { n8n } = scenario;
		const events = [...EVENT_NAMES, 'other'];
		const conditions = { mccCodes: '7995' };
		const workflow = await listen({
			events,
			testEvent: 'cards.authorization',
			rules: { rule: [{ name: 'No gambling', decision: 'decline', conditions }] },
			options: { sampleChanges: '{"data": {"merchant_data": {"mcc_code": "7995"}}}' },
		});
		const [row] = await endedExecutions(n8n, workflow, 1);
		expect([row!.mode, row!.status]).toEqual(['manual', 'success']);
		const outputs = (await outputsOf(n8n, row!.id, 'Trigger'))!;
		const position = events.indexOf('cards.authorization');
		expect(outputs.map((items) => items.length)).toEqual(
			events.map((_, index) => Number(index === position)),
		);
		expect(outputs[position]![0]).toMatchObject({
			operation_id: expect.stringMatching(/^sample-/),
			decision: { outcome: 'declined', source: 'rule', rule: 'No gambling' },
			data: { merchant_data: { mcc_code: '7995' } },
		});
	});

	it('is refused if the sample is not of a chosen event', async () => {
		const parameters = { events: ['cards.cleared'], testEvent: 'cards.refund' };
		await expect(listen(parameters)).rejects.toThrow(/Test With is not one of the chosen events/);
	});

	it('waits for a real event with the key, as often as it is clicked', async () => {
		const { n8n } = scenario;
		const workflow = await listen({ events: ['cards.cleared'], testEvent: 'real' });
		const event = sampleEvent('cards.cleared');
		const refused = await post(workflow.testUrl, event, { key: 'wrong-key' });
		expect(refused).toMatchObject({ status: 401, json: { code: 'AUTH' } });
		for (const count of [1, 2]) {
			const taken = await post(workflow.testUrl, event);
			expect(taken).toMatchObject({ status: 200, json: { response_code: 'OK' } });
			const rows = await endedExecutions(n8n, workflow, count);
			expect(await outputsOf(n8n, rows.at(-1)!.id, 'Behind')).toMatchObject([[event]]);
			await runFrom(n8n, workflow, 'Trigger');
		}
	});
});
