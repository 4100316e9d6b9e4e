import { moveToMember } from '../harness/n8n/member.mts';
import {
	createCredential,
	createWorkflow,
	eventually,
	executions,
	keys,
	publish,
	type TriggerWorkflow,
} from '../harness/n8n/scenario.mts';
import { waits } from '../harness/workflows/decision.mts';
import { runFrom } from '../harness/workflows/imported.mts';
import { harness, useWorkflows } from '../harness/workflows/useWorkflows.mts';
import { withParameters } from '../harness/workflows/workflowFiles.mts';
import { APPROVER } from '../harness/workflows/workflowHarness.mts';
import { IDS, sampleEvent } from '../simulator/index.mts';

let router: TriggerWorkflow;
const behind: Record<string, TriggerWorkflow> = {};

useWorkflows();

beforeAll(async () => {
	behind['Card blocked by velocity'] = await harness.open('card-blocked-by-velocity.json', (file) =>
		withParameters(file, 'Ask a person', { approvers: [APPROVER.id] }),
	);
	behind['Treasury sweep'] = await harness.open('treasury-sweep.json');
	behind['KYC follow-up'] = await harness.open('kyc-follow-up.json');
	router = await harness.openRouter(behind);
});

it('hands each event to its workflow once, where a person can decide', async () => {
	const block = sampleEvent('cards.card_blocked_by_velocity', {
		data: { card_id: IDS.blockedCard },
	});
	const events = [
		block,
		sampleEvent('company_activity.client_status'),
		sampleEvent('treasury.transfer'),
		sampleEvent('cards.cleared'),
	];
	for (const event of [...events, ...events]) await harness.send(router, event);
	const [question] = await harness.messages('#card-blocks', 1);
	const { n8n } = harness.scenario;
	await waits(n8n, behind['Card blocked by velocity']!);
	// The router does not wait along: a person may take a day.
	await harness.ended(router, 4);
	expect((await executions(n8n, router)).map(({ status }) => status)).toEqual(
		Array(4).fill('success'),
	);
	const [rejection] = await harness.messages('@kyc-officer', 1);
	expect(rejection!.text).toContain('Client rejected:* Ana Souza');
	await harness.click(behind['Card blocked by velocity']!, question!, 'Unblock the card');
	const [, outcome] = await harness.messages('#card-blocks', 2);
	expect(outcome!.text).toContain('is unblocked, as decided');
	expect(harness.simulator.state.card(IDS.blockedCard).blocked).toBe(false);
	expect(harness.simulator.ledger).toMatchObject([
		{ operation: 'card.unblock', idempotencyKey: expect.stringContaining(IDS.blockedCard) },
	]);
	for (const workflow of Object.values(behind))
		expect(await harness.ended(workflow, 1)).toMatchObject([{ status: 'success' }]);
	expect(harness.slack.messages).toHaveLength(3);
});

it('tells operations of an event that no workflow takes; a retry hands it over once the workflow is published', async () => {
	const { n8n } = harness.scenario;
	const kyc = behind['KYC follow-up']!;
	await n8n.rest('POST', `/rest/workflows/${kyc.id}/deactivate`, {});
	await harness.send(router, sampleEvent('company_activity.client_status'));
	const [alarm] = await harness.messages('#operations', 1);
	expect(alarm!.text).toContain('Event not handed over* by KYC follow-up');
	const failed = (await executions(n8n, router)).find(({ status }) => status === 'error')!;
	expect(alarm!.text).toContain(`/executions/${failed.id}`);

	await publish(n8n, kyc);
	await n8n.rest('POST', `/rest/executions/${failed.id}/retry`, { loadWorkflow: false });
	await harness.messages('@kyc-officer', 1);
	expect(await harness.ended(kyc, 2)).toHaveLength(2);
});

it('tells operations, from a workflow of its own, that events are being lost when a credential is out of reach', async () => {
	const { n8n } = harness.scenario;
	const told = ['When a run fails', 'Tell operations'];
	const errors = await harness.open('event-router.json', (file) => ({
		...file,
		nodes: file.nodes.filter(({ name }) => told.includes(name)),
		connections: { [told[0]!]: file.connections[told[0]!]! },
		settings: { callerPolicy: 'any' },
	}));
	const credential = await createCredential(n8n, keys());
	const workflow = await createWorkflow(n8n, credential, { events: ['cards.cleared'] });
	// First of all, because n8n remembers to whom a workflow belongs.
	await moveToMember(n8n, workflow.id);
	const { versionId } = await n8n.rest('PATCH', `/rest/workflows/${workflow.id}`, {
		settings: { errorWorkflow: errors.id },
	});
	await publish(n8n, { id: workflow.id, versionId: String(versionId) });
	await harness.send(workflow, sampleEvent('cards.cleared'));
	const [alarm] = await harness.messages('#operations', 1);
	expect(alarm!.text).toContain('Events are being lost');
	expect(alarm!.text).toContain('does not have access to the credential');
	expect(alarm!.text).toContain('Share the credential');
});

it('runs with a sample event as it was imported', async () => {
	const before = (await executions(harness.scenario.n8n, router)).length;
	await runFrom(harness.scenario.n8n, router, 'Company webhook');
	const sweep = behind['Treasury sweep']!;
	await eventually(async () => (await executions(harness.scenario.n8n, sweep)).length === 2);
	const ended = await harness.ended(router, before + 1);
	expect(ended.at(-1)).toMatchObject({ status: 'success', mode: 'manual' });
});
