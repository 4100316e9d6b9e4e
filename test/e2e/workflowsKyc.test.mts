import type { TriggerWorkflow } from '../harness/n8n/scenario.mts';
import { IDS, sampleEvent } from '../simulator/index.mts';
import { writeTable } from '../harness/workflows/dataTables.mts';
import { runFrom } from '../harness/workflows/imported.mts';
import { startStage, type Stage } from '../harness/workflows/stage.mts';
import { withSettings } from '../harness/workflows/workflowFiles.mts';

let stage: Stage;
let workflow: TriggerWorkflow;
let runs = 0;

beforeAll(async () => {
	stage = await startStage();
	workflow = await stage.open('kyc-follow-up.json', (file) =>
		withSettings(file, 'Tell a person', { retryOnFail: false }),
	);
}, 1_500_000);

afterAll(async () => await stage?.close());

beforeEach(() => stage.reset());

/** Waits for the run and gives what was told, sorted. */
async function told(status = 'success'): Promise<string[]> {
	const ended = await stage.ended(workflow, ++runs);
	expect(ended.at(-1)!.status).toBe(status);
	return stage.slack.messages.map(({ channel, text }) => `${channel} ${text}`).sort();
}

async function followUp(status?: string): Promise<string[]> {
	stage.slack.messages.length = 0;
	await runFrom(stage.scenario.n8n, workflow, 'Every weekday at 9:00');
	return await told(status);
}

async function event(data: object): Promise<string[]> {
	stage.slack.messages.length = 0;
	await stage.send(workflow, sampleEvent('company_activity.client_status', { data: { ...data } }));
	return await told();
}

const MISSING = (who: string) => `#kyc *Still missing:* ${who}, cards_individuals
• Proof of identity: Passport (front, Passport number) or National identity card (front and back, Document number)
• Proof of address: Utility bill (front)
• Contact: phone, nickname (optional)
Optional:
• Proof of income: Payslip (front)
• Employment: occupation`;

/** The pending request of the client, turned down. */
function reject(): void {
	const request = stage.simulator.state.records.productRequests.find(
		({ id }) => id === IDS.pendingProductRequest,
	)!;
	delete request.missing_requirements;
	Object.assign(request, {
		status: 'rejected',
		rejection_code: 'EXPIRED_DOCUMENT',
		rejection_description: 'The passport <expired> & more.',
	});
}

const REJECTED = `@kyc-officer *Rejected:* cards_individuals for Ana Souza (${IDS.client})
Reason: The passport <expired> & more. (EXPIRED_DOCUMENT)`;

it('makes its tables at the first run, and says that there are no clients yet', async () => {
	expect(await followUp()).toEqual([
		expect.stringContaining(
			'@kyc-officer *Could not be looked up:* no client, because the table "KYC clients to follow" is empty',
		),
	]);
});

it('sends one message per client with what is missing, and tells a person once a day of a client that is not known', async () => {
	await writeTable(stage.scenario.n8n, 'KYC clients to follow', [
		{ client_id: IDS.client, name: 'Ana Souza' },
		{ client_id: IDS.otherClient, name: 'Grace Hill' },
		{ client_id: 'cl-9999', name: 'Nobody' },
	]);
	// The rejection of a month ago is history: the client has asked again since.
	expect(await followUp()).toEqual([
		MISSING(`Ana Souza (${IDS.client})`),
		expect.stringMatching(
			/^@kyc-officer \*Could not be looked up:\* cl-9999\. The service does not know this client/,
		),
	]);
	expect(await followUp()).toEqual([MISSING(`Ana Souza (${IDS.client})`)]);
});

it('tells a person the reason of a rejection: again after Slack failed, and then no more', async () => {
	reject();
	stage.slack.refusal = 'channel_not_found';
	expect(await followUp('error')).toEqual([]);
	stage.slack.refusal = undefined;
	expect(await followUp()).toEqual([REJECTED]);
	expect(await followUp()).toEqual([]);
});

it('follows the event: a rejection goes to a person at once, any other status asks for what is missing', async () => {
	expect(await event({})).toEqual([
		`@kyc-officer *Client rejected:* Ana Souza (${IDS.client})\nReason: The front image of the passport could not be read. (DOCUMENT_UNREADABLE)`,
	]);
	expect(await event({ status: 'in_review', first_name: 'Ana', last_name: '' })).toEqual([
		MISSING(`Ana (${IDS.client})`),
	]);
	expect(await event({ id: IDS.otherClient, status: 'approved' })).toEqual([]);
});

it('tells a person when the second look-up fails', async () => {
	// The first reading of a client succeeds, the one for its missing requirements does not.
	let reads = 0;
	const listed = stage.simulator.state.productRequestsOf.bind(stage.simulator.state);
	stage.simulator.state.productRequestsOf = (id) => listed(++reads === 1 ? id : 'cl-gone');
	try {
		expect(await event({ status: 'in_review' })).toEqual([
			expect.stringMatching(
				new RegExp(`^@kyc-officer \\*Could not be looked up:\\* ${IDS.client}\\. `),
			),
		]);
	} finally {
		stage.simulator.state.productRequestsOf = listed;
	}
});
