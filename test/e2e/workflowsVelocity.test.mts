import { eventually, type TriggerWorkflow } from '../harness/n8n/scenario.mts';
import { emptyTable, readTable } from '../harness/workflows/dataTables.mts';
import { runFrom } from '../harness/workflows/imported.mts';
import { harness, useWorkflows } from '../harness/workflows/useWorkflows.mts';
import {
	withParameters,
	withSettings,
	type WorkflowFile,
} from '../harness/workflows/workflowFiles.mts';
import { APPROVER, STRANGER } from '../harness/workflows/workflowHarness.mts';
import { IDS, sampleEvent, type EventEnvelope } from '../simulator/index.mts';

/** As the workflow writes the approver down. */
const BY = `${APPROVER.name}, ${APPROVER.id}`;

/** n8n looks once a minute for what has waited long enough. */
const LONGEST_WAIT_MS = 100_000;
const TABLE = 'Card velocity blocks';
const QUESTIONS = ['Ask a person', 'Ask again', 'Ask about the list'];

useWorkflows();

beforeEach(async () => {
	await emptyTable(harness.scenario.n8n, TABLE);
});

describe('Card blocked by velocity', () => {
	let workflow: TriggerWorkflow;
	const open = async (fillIn = (file: WorkflowFile) => file) =>
		await harness.open('card-blocked-by-velocity.json', (file) =>
			fillIn(
				QUESTIONS.reduce(
					(filled, name) => withParameters(filled, name, { approvers: [APPROVER.id] }),
					file,
				),
			),
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
		expect(await readTable(harness.scenario.n8n, TABLE)).toMatchObject([
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
		expect(question!.text).toContain(
			`Card: •••• 4006, ANA SOUZA (${IDS.sampleCard})\nClient: ${IDS.sampleClient}`,
		);
	});

	const limitWaitTime = {
		values: { limitType: 'afterTimeInterval', resumeAmount: 0.02, resumeUnit: 'minutes' },
	};

	it('asks another channel when nobody answers, takes the answer given there, and leaves the card blocked when nobody does there either', async () => {
		const hasty = async (...questions: string[]) =>
			await open((file) =>
				questions.reduce(
					(filled, name) => withParameters(filled, name, { options: { limitWaitTime } }),
					file,
				),
			);
		const answered = await hasty('Ask a person');
		const unanswered = await hasty('Ask a person', 'Ask again');
		await harness.send(answered, block(IDS.activeCard));
		await harness.send(unanswered, block(IDS.secondActiveCard));
		const again = await harness.messages('#card-risk', 2, LONGEST_WAIT_MS);
		for (const { text } of again)
			expect(text).toContain(
				'*Nobody has answered for an hour: card blocked by a velocity rule*\nCard: ••••',
			);
		const question = again.find(({ text }) => text.includes(IDS.activeCard))!;
		await harness.click(answered, question, 'Unblock the card');
		const outcomes = (await harness.messages('#card-blocks', 4, LONGEST_WAIT_MS)).slice(2);
		expect(outcomes.map(({ text }) => text).sort()).toEqual([
			expect.stringMatching(/^\*Nobody decided within 24 hours:\* card •••• 4004/),
			expect.stringMatching(new RegExp(`^Card •••• 4001.* is unblocked, as decided by ${BY}`)),
		]);
		expect(unblocks()).toHaveLength(1);
	});

	it('asks once for all from the sixth block within ten minutes on, and unblocks all of them or none', async () => {
		const many = await open((file) =>
			withParameters(file, 'Wait for the others', { amount: 3, unit: 'seconds' }),
		);
		const asked = [0, 1, 2, 3, 4].map((digit) => `ca4d0000-0000-4000-8000-0000000001${digit}0`);
		const listed = [IDS.sampleCard, IDS.blockedCard, 'ca4d0000-0000-4000-8000-000000000200'];
		for (const card_id of [...asked, ...listed])
			await harness.send(
				many,
				sampleEvent('cards.card_blocked_by_velocity', { data: { card_id } }),
			);
		const [question] = await harness.messages('#card-risk', 1);
		expect(question!.text).toContain('*3 more cards blocked by velocity rules within minutes.*');
		for (const card of listed) expect(question!.text).toContain(card);
		expect(await harness.messages('#card-blocks', 5)).toHaveLength(5);
		// The first five questions go on waiting, so that the workflow never stops to.
		await eventually(async () => {
			await harness.press(many, question!, 'Unblock all of them', APPROVER);
			return await eventually(async () => unblocks().length === 2, 5_000).catch(() => false);
		});
		const outcome = (await harness.messages('#card-blocks', 6))[5]!;
		expect(outcome.text.split('\n').filter((line) => /^\*?Card /.test(line))).toHaveLength(3);
		const rows = await readTable(harness.scenario.n8n, TABLE);
		expect(Object.fromEntries(rows.map(({ card_id, decision }) => [card_id, decision]))).toEqual({
			...Object.fromEntries(asked.map((card) => [card, 'not decided yet'])),
			[IDS.sampleCard]: 'unblocked',
			[IDS.blockedCard]: 'unblocked',
			'ca4d0000-0000-4000-8000-000000000200': 'not unblocked',
		});
		expect(unblocks()).toHaveLength(2);
		expect(harness.slack.messages.filter(({ channel }) => channel === '#card-risk')).toHaveLength(
			1,
		);
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
