import {
	createCredential,
	executions,
	endedExecutions,
	eventually,
	publish,
	startScenario,
	type Reference,
	type Scenario,
	type TriggerWorkflow,
} from '../n8n/scenario.mts';
import { API_KEYS, DEFAULT_WEBHOOK_KEY, deliver, IDS, sampleEvent, type EventEnvelope, startSimulator, type Simulator } from '../simulator/index.mts';
import { SLACK_CREDENTIAL, startSlackStandIn, type SlackMessage, type SlackStandIn } from '../slack/slackStandIn.mts';
import { createSlackCredential, importWorkflow } from '../workflows/imported.mts';
import { readWorkflow, withCredentials, withParameters, withSettings } from '../workflows/workflowFiles.mts';

let slack: SlackStandIn;
let simulator: Simulator;
let scenario: Scenario;
let credentials: Record<string, Reference>;

beforeAll(async () => {
	slack = await startSlackStandIn();
	simulator = await startSimulator();
	scenario = await startScenario(slack.env);
	credentials = {
		cardTreasuryApi: await createCredential(scenario.n8n, {
			environment: 'sandbox',
			baseUrl: simulator.url,
			apiKey: API_KEYS[3],
			webhookKey: DEFAULT_WEBHOOK_KEY,
			previousWebhookKey: '',
			allowedHttpRequestDomains: 'all',
		}),
		slackApi: await createSlackCredential(scenario.n8n, SLACK_CREDENTIAL),
	};
}, 1_500_000);

afterAll(async () => {
	await scenario?.close();
	await simulator?.close();
	await slack?.close();
});

async function send(workflow: TriggerWorkflow, event: object): Promise<void> {
	const { delivered, attempts } = await deliver(event, { url: workflow.url, webhookKey: DEFAULT_WEBHOOK_KEY, attempts: 1 });
	expect([delivered, attempts]).toMatchObject([true, {}]);
}

/** Messages to a channel since the test began, once there are so many. */
async function messages(channel: string, count: number): Promise<SlackMessage[]> {
	return await eventually(async () => {
		const found = slack.messages.filter((message) => message.channel === channel);
		return found.length >= count && found;
	});
}

/** Opens a button's link as a browser does, once n8n has stored that the execution waits; a robot has opened the others before. */
async function click(workflow: TriggerWorkflow, { buttons }: SlackMessage, label: string): Promise<void> {
	await eventually(async () => (await executions(scenario.n8n, workflow)).some(({ status }) => status === 'waiting'));
	for (const { url } of buttons.filter((button) => button.label !== label)) await open(url, 'Slackbot-LinkExpanding 1.0');
	await open(buttons.find((button) => button.label === label)!.url);
}

async function open(url: string, browser = 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0'): Promise<void> {
	await fetch(url, { headers: { 'user-agent': browser } });
}

beforeEach(() => {
	simulator.reset();
	slack.messages.length = 0;
	slack.refusal = undefined;
});

describe('Card blocked by velocity', () => {
	let workflow: TriggerWorkflow;
	const file = () => withCredentials(readWorkflow('card-blocked-by-velocity.json'), credentials);
	const unblocks = () => simulator.ledger.filter(({ operation }) => operation === 'card.unblock');

	beforeAll(async () => {
		workflow = await importWorkflow(scenario.n8n, file());
		await publish(scenario.n8n, workflow);
	});

	/** Authorizations until the velocity rule blocks the card: the event that the service sends. */
	function block(cardId: string): EventEnvelope {
		for (;;) {
			const { event } = simulator.events.authorize(cardId);
			if (event) return event;
		}
	}

	it('asks once with card, client, rule and time; unblocks on a click; notes the next block within a day', async () => {
		const event = block(IDS.activeCard);
		await send(workflow, event);
		await send(workflow, event);
		const [question] = await messages('#card-blocks', 1);
		const time = String(event.data.blocked_at).replace('T', ' ').replace(/\.\d+Z/, ' UTC');
		expect(question!.text.split('\n')).toEqual([
			'*Card blocked by a velocity rule*',
			`Card: •••• 4001, ANA SOUZA (${IDS.activeCard})`,
			`Client: ${IDS.client}`,
			'Rule: more than 3 approved authorizations within 60 seconds',
			`Time: ${time}`,
			`Last authorization: ${String(event.data.last_authorization_id)}`,
		]);
		expect(unblocks()).toEqual([]);
		await click(workflow, question!, 'Unblock the card');
		const [, outcome] = await messages('#card-blocks', 2);
		expect(outcome!.text).toContain('is unblocked, as decided');
		expect(simulator.state.card(IDS.activeCard).blocked).toBe(false);
		await endedExecutions(scenario.n8n, workflow, 1);
		await open(question!.buttons[1]!.url);

		await send(workflow, block(IDS.activeCard));
		const [note] = await messages('#card-risk', 1);
		expect(note!.text).toContain('block number 2 within 24 hours');
		expect(note!.text).toContain(`Earlier: ${time}, unblocked by a person`);
		const second = (await messages('#card-blocks', 3))[2]!;
		expect(second.text).toContain(note!.text);
		await click(workflow, second, 'Leave it blocked');
		expect((await messages('#card-blocks', 4))[3]!.text).toContain('stays blocked, as decided');
		expect(simulator.state.card(IDS.activeCard).blocked).toBe(true);
		expect(unblocks()).toMatchObject([{ idempotencyKey: `unblock-${IDS.activeCard}-${String(event.data.blocked_at)}` }]);
		await endedExecutions(scenario.n8n, workflow, 2);
		expect(slack.messages).toHaveLength(5);
	});

	it('asks without the details of a card that cannot be looked up, and tells when the service refuses the unblock', async () => {
		const unknown = 'ca4d0000-0000-4000-8000-00000000ffff';
		await send(workflow, sampleEvent('cards.card_blocked_by_velocity', { data: { card_id: unknown } }));
		const [question] = await messages('#card-blocks', 1);
		expect(question!.text).toContain(`Card: ${unknown}\nClient: not known (The service does not know this card)`);
		await click(workflow, question!, 'Unblock the card');
		const [, outcome] = await messages('#card-blocks', 2);
		expect(outcome!.text).toContain(`Card ${unknown} could not be unblocked`);
		expect(outcome!.text).toContain('HTTP status: 404 · Trace ID: simulator-trace');
		expect(unblocks()).toEqual([]);
	});

	it('leaves the card blocked when nobody answers in time', async () => {
		const limitWaitTime = { values: { limitType: 'afterTimeInterval', resumeAmount: 0.02, resumeUnit: 'minutes' } };
		const hasty = await importWorkflow(scenario.n8n, withParameters(file(), 'Ask a person', { options: { limitWaitTime } }));
		await publish(scenario.n8n, hasty);
		await send(hasty, block(IDS.secondActiveCard));
		const [, outcome] = await messages('#card-blocks', 2);
		expect(outcome!.text).toContain('Nobody decided');
		expect(unblocks()).toEqual([]);
	});

	it('keeps the execution to be retried when Slack refuses the message', async () => {
		slack.refusal = 'channel_not_found';
		const impatient = ['Ask a person', 'Tell the channel'].reduce((all, name) => withSettings(all, name, { retryOnFail: false }), file());
		const retried = await importWorkflow(scenario.n8n, impatient);
		await publish(scenario.n8n, retried);
		await send(retried, block(IDS.secondActiveCard));
		const [failed] = await endedExecutions(scenario.n8n, retried, 1);
		expect(failed!.status).toBe('error');
		slack.refusal = undefined;
		await scenario.n8n.rest('POST', `/rest/executions/${failed!.id}/retry`, { loadWorkflow: false });
		const [question] = await messages('#card-blocks', 1);
		await click(retried, question!, 'Unblock the card');
		await messages('#card-blocks', 2);
		expect(unblocks()).toHaveLength(1);
	});
});
