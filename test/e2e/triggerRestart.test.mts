import { OK, send } from '../harness/n8n/deliveries.mts';
import { endedExecutions, eventually, outputsOf } from '../harness/n8n/executions.mts';
import { failing, noOp, waitSeconds } from '../harness/n8n/nodes.mts';
import { credential, n8n, scenario, useN8n } from '../harness/n8n/useN8n.mts';
import { publishWorkflow, type TriggerWorkflow } from '../harness/n8n/workflows.mts';
import { sampleEvent } from '../simulator/index.mts';

useN8n(() => ({ N8N_LOG_LEVEL: 'debug' }));

const isActive = async (workflow: TriggerWorkflow) =>
	await eventually(async () => (await send(workflow, {}, { webhookKey: 'wrong' })).status === 401);

/** Waits until a node has started. The trigger has stored the key of the event then. */
const started = async (node: string) =>
	await eventually(async () =>
		new RegExp(`Running node "${node}" started|Start executing node "${node}"`).test(n8n.log()),
	);

describe('repetitions', () => {
	it('run nothing, also after a kill, while Retry of a failed or a crashed execution runs its event', async () => {
		const workflow = await publishWorkflow(
			n8n,
			credential,
			{ events: ['cards.cleared', 'cards.refund'] },
			[[failing('Fails')], [waitSeconds('Wait', 5), noOp('Behind')]],
		);
		const [failed, crashed] = [sampleEvent('cards.cleared'), sampleEvent('cards.refund')];
		const copies = Array.from({ length: 20 }, async () => await send(workflow, failed));
		for (const copy of await Promise.all(copies)) expect(copy).toMatchObject(OK);
		const statuses = (await endedExecutions(n8n, workflow, 20)).map((row) => row.status);
		expect(statuses.filter((status) => status === 'error')).toHaveLength(1);
		expect(await send(workflow, crashed)).toMatchObject(OK);
		await started('Wait');

		await scenario.restart('SIGKILL');
		await isActive(workflow);
		for (const event of [failed, crashed]) expect(await send(workflow, event)).toMatchObject(OK);
		const rows = await endedExecutions(n8n, workflow, 23);
		expect(rows.slice(20).map(({ status }) => status)).toEqual(['crashed', 'success', 'success']);
		for (const { id } of rows.slice(21))
			expect(await outputsOf(n8n, id, 'Trigger')).toEqual([[], []]);

		const unfinished = rows.filter(({ status }) => status !== 'success');
		for (const { id } of unfinished)
			await n8n.rest('POST', `/rest/executions/${id}/retry`, { loadWorkflow: false });
		const retried = (await endedExecutions(n8n, workflow, 25)).slice(23);
		expect(retried.map(({ mode, status }) => [mode, status])).toEqual([
			['retry', 'error'],
			['retry', 'success'],
		]);
		expect(await outputsOf(n8n, retried[1]!.id, 'Trigger')).toMatchObject([[], [crashed]]);
		expect(await outputsOf(n8n, retried[1]!.id, 'Behind')).toMatchObject([[crashed]]);
	});
});
