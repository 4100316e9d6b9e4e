import { OK, persist, send } from '../harness/n8n/deliveries.mts';
import { endedExecutions, eventually, executions, outputsOf } from '../harness/n8n/executions.mts';
import { failing, noOp, waitSeconds } from '../harness/n8n/nodes.mts';
import { credential, scenario, useN8n } from '../harness/n8n/useN8n.mts';
import { publishWorkflow, type TriggerWorkflow } from '../harness/n8n/workflows.mts';
import { sampleEvent } from '../simulator/index.mts';

useN8n(() => ({ N8N_LOG_LEVEL: 'debug' }));

const isActive = async (workflow: TriggerWorkflow) =>
	await eventually(async () => (await send(workflow, {}, { webhookKey: 'wrong' })).status === 401);

/** Waits until a node has started. The trigger has stored the key of the event then. */
const started = async (node: string) =>
	await eventually(async () =>
		new RegExp(`Running node "${node}" started|Start executing node "${node}"`).test(
			scenario.n8n.log(),
		),
	);

describe('repetitions', () => {
	it('run nothing, also after a kill, while Retry of a failed or a crashed execution runs its event', async () => {
		const workflow = await publishWorkflow(
			scenario.n8n,
			credential,
			{ events: ['cards.cleared', 'cards.refund'] },
			[[failing('Fails')], [waitSeconds('Wait', 5), noOp('Behind')]],
		);
		const [failed, crashed] = [sampleEvent('cards.cleared'), sampleEvent('cards.refund')];
		const copies = Array.from({ length: 20 }, async () => await send(workflow, failed));
		for (const copy of await Promise.all(copies)) expect(copy).toMatchObject(OK);
		const statuses = (await endedExecutions(scenario.n8n, workflow, 20)).map((row) => row.status);
		expect(statuses.filter((status) => status === 'error')).toHaveLength(1);
		expect(await send(workflow, crashed)).toMatchObject(OK);
		await started('Wait');

		await scenario.restart('SIGKILL');
		const { n8n } = scenario;
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

describe('SIGTERM during deliveries', () => {
	it('loses no event and runs none twice', async () => {
		const { n8n } = scenario;
		const workflow = await publishWorkflow(n8n, credential, { events: ['cards.cleared'] }, [
			[noOp('Behind')],
		]);
		const events = Array.from({ length: 40 }, () => sampleEvent('cards.cleared'));
		let answered = 0;
		let restarted: Promise<void> | undefined;
		const deliveries = await Promise.all(
			events.map(async (event) => {
				const first = await send(workflow, event);
				if (++answered === 10) restarted = scenario.restart('SIGTERM');
				return first.status === 200 ? first : (await persist(workflow, event)).attempts.at(-1);
			}),
		);
		await restarted;
		for (const last of deliveries) expect(last).toMatchObject(OK);
		await endedExecutions(scenario.n8n, workflow, events.length);
		const runs = await runsOf(workflow);
		for (const { operation_id } of events) {
			const own = runs.filter(({ text }) => text.includes(operation_id));
			const wentOn = own.filter((run) => run.wentOn).length;
			// n8n marks an execution that it cut off, so that a person can retry it.
			const cutOff = own.some(({ status }) => status === 'crashed' || status === 'canceled');
			expect({ operation_id, wentOn }).toEqual({
				operation_id,
				wentOn: cutOff ? expect.any(Number) : 1,
			});
			expect(wentOn).toBeLessThanOrEqual(1);
		}
	});
});

/** Executions of a workflow. */
async function runsOf(workflow: TriggerWorkflow) {
	const { n8n } = scenario;
	return await Promise.all(
		(await executions(n8n, workflow)).map(async ({ id, status }) => ({
			status,
			text: String((await n8n.rest('GET', `/rest/executions/${id}`)).data),
			wentOn: (await outputsOf(n8n, id, 'Behind')) !== undefined,
		})),
	);
}
