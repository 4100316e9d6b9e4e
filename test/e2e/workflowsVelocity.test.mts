import { IDS, sampleEvent, type EventEnvelope } from '../simulator/index.mts';
import { readTable } from '../harness/workflows/dataTables.mts';
import { runFrom } from '../harness/workflows/imported.mts';
import {
	APPROVER,
	startWorkflowHarness,
	STRANGER,
	type WorkflowHarness,
} from '../harness/workflows/workflowHarness.mts';
import type { TriggerWorkflow } from '../harness/n8n/scenario.mts';
import {
	withParameters,
	withSettings,
	type WorkflowFile,
} from '../harness/workflows/workflowFiles.mts';

/** As the workflow writes the approver down. */
const BY = `${APPROVER.name}, ${APPROVER.id}`;

let harness: WorkflowHarness;

beforeAll(async () => {
	harness = await startWorkflowHarness();
}, 1_500_000);

afterAll(async () => await harness?.close());

beforeEach(() => harness.reset());

describe('Card blocked by velocity', () => {
	let workflow: TriggerWorkflow;
	const open = async (fillIn = (file: WorkflowFile) => file) =>
		await harness.open('card-blocked-by-velocity.json', (file) =>
			fillIn(withParameters(file, 'Ask a person', { approvers: [APPROVER.id] })),
		);
	const unblocks = () =>
		harness.simulator.ledger.filter(({ operation }) => operation === 'card.unblock');

	beforeAll(async () => {
		workflow = await open();
	});

	/** Authorizations until the velocity rule blocks the card: the event that the service sends. */
	function block(cardId: string): EventEnvelope {
		for (;;) {
			const { event } = harness.simulator.events.authorize(cardId);
			if (event) return event;
		}
	}

	it('asks once with card, client, rule and time; unblocks on a click; notes the next block within a day', async () => {
		const event = block(IDS.activeCard);
		await harness.send(workflow, event);
		await harness.send(workflow, event);
		const [question] = await harness.messages('#card-blocks', 1);
		const time = String(event.data.blocked_at)
			.replace('T', ' ')
			.replace(/\.\d+Z/, ' UTC');
		expect(question!.text.split('\n')).toEqual([
			'*Card blocked by a velocity rule*',
			`Card: •••• 4001, ANA SOUZA (${IDS.activeCard})`,
			`Client: ${IDS.client}`,
			'Rule: more than 3 approved authorizations within 60 seconds',
			`Time: ${time}`,
			`Last authorization: ${String(event.data.last_authorization_id)}`,
		]);
		expect(unblocks()).toEqual([]);
		await harness.click(workflow, question!, 'Unblock the card');
		const [, outcome] = await harness.messages('#card-blocks', 2);
		expect(outcome!.text).toContain(`is unblocked, as decided by ${BY}`);
		expect(harness.simulator.state.card(IDS.activeCard).blocked).toBe(false);
		await harness.ended(workflow, 1);

		await harness.send(workflow, block(IDS.activeCard));
		const [note] = await harness.messages('#card-risk', 1);
		expect(note!.text).toContain('block number 2 within 24 hours');
		expect(note!.text).toContain(`Earlier: ${time}, unblocked`);
		const second = (await harness.messages('#card-blocks', 3))[2]!;
		expect(second.text).toContain(note!.text);
		await harness.click(workflow, second, 'Leave it blocked');
		expect((await harness.messages('#card-blocks', 4))[3]!.text).toContain(
			`stays blocked, as decided by ${BY}`,
		);
		expect(harness.simulator.state.card(IDS.activeCard).blocked).toBe(true);
		expect(unblocks()).toMatchObject([
			{ idempotencyKey: `unblock-${IDS.activeCard}-${String(event.data.blocked_at)}` },
		]);
		await harness.ended(workflow, 2);
		expect(harness.slack.messages).toHaveLength(5);
		expect(await readTable(harness.scenario.n8n, 'Card velocity blocks')).toMatchObject([
			{ card_id: IDS.activeCard, decision: 'unblocked', decided_by: BY },
			{ card_id: IDS.activeCard, decision: 'left blocked', decided_by: BY },
		]);
	});

	it('asks without the details of a card that cannot be looked up, and tells when the service refuses the unblock', async () => {
		const unknown = 'ca4d0000-0000-4000-8000-00000000ffff';
		await harness.send(
			workflow,
			sampleEvent('cards.card_blocked_by_velocity', { data: { card_id: unknown } }),
		);
		const [question] = await harness.messages('#card-blocks', 1);
		expect(question!.text).toContain(`Card: ${unknown}\nClient: not known (Card not found)`);
		await harness.click(workflow, question!, 'Unblock the card');
		const [, outcome] = await harness.messages('#card-blocks', 2);
		expect(outcome!.text).toContain(
			`Card ${unknown} could not be unblocked*, as ${BY} decided. Card not found`,
		);
		expect(outcome!.text).toContain('HTTP status: 404 · Trace ID: simulator');
		expect(unblocks()).toEqual([]);
	});

	it('ignores the click of anybody who is not an approver, and of everybody before approvers are chosen', async () => {
		await harness.send(workflow, block(IDS.secondActiveCard));
		const [question] = await harness.messages('#card-blocks', 1);
		await harness.press(workflow, question!, 'Unblock the card', STRANGER);
		const [notice] = await harness.messages(STRANGER.id, 1);
		expect(notice!.text).toContain('You are not authorized');
		await harness.click(workflow, question!, 'Leave it blocked');
		await harness.messages('#card-blocks', 2);
		expect(unblocks()).toEqual([]);

		const imported = await harness.open('card-blocked-by-velocity.json');
		await harness.send(imported, block(IDS.activeCard));
		const asked = (await harness.messages('#card-blocks', 3))[2]!;
		await harness.press(imported, asked, 'Unblock the card', APPROVER);
		await harness.messages(APPROVER.id, 1);
		expect(unblocks()).toEqual([]);
	});

	it('runs with a sample block as it was imported', async () => {
		const imported = await harness.open('card-blocked-by-velocity.json');
		await runFrom(harness.scenario.n8n, imported, 'Card blocked');
		const [question] = await harness.messages('#card-blocks', 1);
		expect(question!.text).toContain('Card: sample-card\nClient: not known (Card not found)');
	});

	it('leaves the card blocked when nobody answers in time', async () => {
		const limitWaitTime = {
			values: { limitType: 'afterTimeInterval', resumeAmount: 0.02, resumeUnit: 'minutes' },
		};
		const hasty = await open((file) =>
			withParameters(file, 'Ask a person', { options: { limitWaitTime } }),
		);
		await harness.send(hasty, block(IDS.secondActiveCard));
		const [, outcome] = await harness.messages('#card-blocks', 2);
		expect(outcome!.text).toContain('Nobody decided');
		expect(unblocks()).toEqual([]);
	});

	it('keeps the execution to be retried when Slack refuses the message', async () => {
		harness.slack.refusal = 'channel_not_found';
		const retried = await open((file) =>
			withSettings(file, 'Ask a person', { retryOnFail: false }),
		);
		await harness.send(retried, block(IDS.secondActiveCard));
		const [failed] = await harness.ended(retried, 1);
		expect(failed!.status).toBe('error');
		harness.slack.refusal = undefined;
		await harness.scenario.n8n.rest('POST', `/rest/executions/${failed!.id}/retry`, {
			loadWorkflow: false,
		});
		const [question] = await harness.messages('#card-blocks', 1);
		await harness.click(retried, question!, 'Unblock the card');
		await harness.messages('#card-blocks', 2);
		expect(unblocks()).toHaveLength(1);
	});
});
