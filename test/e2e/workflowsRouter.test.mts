import type { TriggerWorkflow } from '../harness/n8n/scenario.mts';
import { IDS, sampleEvent } from '../simulator/index.mts';
import { startStage, type Stage } from '../harness/workflows/stage.mts';
import { withParameters, withSettings } from '../harness/workflows/workflowFiles.mts';

let stage: Stage;
let router: TriggerWorkflow;
const behind: Record<string, TriggerWorkflow> = {};

beforeAll(async () => {
	stage = await startStage();
	behind['Card blocked by velocity'] = await stage.open('card-blocked-by-velocity.json');
	behind['Treasury sweep'] = await stage.open('treasury-sweep.json');
	behind['KYC follow-up'] = await stage.open('kyc-follow-up.json');
	router = await stage.open('event-router.json', (file) =>
		Object.entries(behind).reduce(
			(filled, [node, { id }]) =>
				withParameters(filled, node, { workflowId: { __rl: true, mode: 'id', value: id } }),
			withSettings(file, 'Tell operations', { retryOnFail: false }),
		),
	);
}, 1_500_000);

afterAll(async () => await stage?.close());

beforeEach(() => stage.reset());

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
	for (const event of [...events, ...events]) await stage.send(router, event);
	const [question] = await stage.messages('#card-blocks', 1);
	const [rejection] = await stage.messages('@kyc-officer', 1);
	expect(rejection!.text).toContain('Client rejected:* Ana Souza');
	await stage.click(behind['Card blocked by velocity']!, question!, 'Unblock the card');
	const [, outcome] = await stage.messages('#card-blocks', 2);
	expect(outcome!.text).toContain('is unblocked, as decided');
	expect(stage.simulator.state.card(IDS.blockedCard).blocked).toBe(false);
	expect(stage.simulator.ledger).toMatchObject([
		{ operation: 'card.unblock', idempotencyKey: expect.stringContaining(IDS.blockedCard) },
	]);
	for (const workflow of Object.values(behind))
		expect(await stage.ended(workflow, 1)).toMatchObject([{ status: 'success' }]);
	await stage.ended(router, 4);
	expect(stage.slack.messages).toHaveLength(3);
});

it('tells operations of an event that no workflow takes, and keeps it for a retry', async () => {
	const { rest } = stage.scenario.n8n;
	const kyc = behind['KYC follow-up']!;
	await rest('POST', `/rest/workflows/${kyc.id}/deactivate`, {});
	await stage.send(router, sampleEvent('company_activity.client_status'));
	const [alarm] = await stage.messages('#operations', 1);
	expect(alarm!.text).toContain('Event not handed over:* company_activity.client_status');
	const failed = (await stage.ended(router, 5)).at(-1)!;
	expect(failed.status).toBe('error');
});
