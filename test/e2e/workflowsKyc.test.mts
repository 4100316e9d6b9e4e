import type { TriggerWorkflow } from '../harness/n8n/scenario.mts';
import { writeTable } from '../harness/workflows/dataTables.mts';
import { runFrom } from '../harness/workflows/imported.mts';
import { harness, useWorkflows } from '../harness/workflows/useWorkflows.mts';
import { withSettings } from '../harness/workflows/workflowFiles.mts';
import { IDS, sampleEvent } from '../simulator/index.mts';

let workflow: TriggerWorkflow;
let router: TriggerWorkflow;

useWorkflows();

beforeAll(async () => {
	workflow = await harness.open('kyc-follow-up.json', (file) =>
		withSettings(file, 'Tell a person', { retryOnFail: false }),
	);
	router = await harness.openRouter({ 'KYC follow-up': workflow });
});

/** Starts the workflow and gives what was told, sorted. */
async function told(start: () => Promise<unknown>, status = 'success'): Promise<string[]> {
	const ran = await harness.during(workflow, async () => void (await start()));
	expect(ran.status).toBe(status);
	return ran.told;
}

const run = async (trigger: string, status?: string) =>
	await told(async () => await runFrom(harness.scenario.n8n, workflow, trigger), status);

const followUp = async (status?: string) => await run('Every weekday at 9:00', status);

async function event(data: object): Promise<string[]> {
	const change = sampleEvent('company_activity.client_status', { data: { ...data } });
	return await told(async () => await harness.send(router, change));
}

/** The request of the client that waits for documents. */
const pending = () =>
	harness.simulator.state.records.productRequests.find(
		({ id }) => id === IDS.pendingProductRequest,
	)!;

function waitsSince(days: number): void {
	pending().updated_at = new Date(Date.now() - days * 86_400_000 - 60_000).toISOString();
}

function reject(): void {
	delete pending().missing_requirements;
	Object.assign(pending(), {
		status: 'rejected',
		rejection_code: 'EXPIRED_DOCUMENT',
		rejection_description: 'The passport <expired> & more.',
	});
}

const missing = (who: string, days: number) =>
	expect.stringMatching(
		new RegExp(
			`^#kyc \\*Still missing:\\* ${who} \\(${IDS.client}\\)\nWaiting for ${days} days:\n• Proof of identity .*: Passport or National identity card\n`,
		),
	);

const REJECTED = `@kyc-officer *Rejected:* cards_individuals for Ana Souza (${IDS.client})
Reason: The passport <expired> & more. (EXPIRED_DOCUMENT)`;

it('runs from both its triggers as it was imported: a sample rejection, and a message that there are no clients yet', async () => {
	expect(await run('Called by the event router')).toEqual([
		expect.stringMatching(/^@kyc-officer \*Client rejected:\* Sample Client \(sample-client\)/),
	]);
	expect(await followUp()).toEqual([
		'@kyc-officer *There are no clients to follow yet.*\nAdd them to the table "KYC clients to follow", under Data tables.',
	]);
	expect(await followUp()).toEqual([]);
});

it('sends one message per client with what is missing, and tells a person once a day of a client that is not known', async () => {
	await writeTable(harness.scenario.n8n, 'KYC clients to follow', [
		{ client_id: IDS.client, name: 'Ana Souza' },
		{ client_id: IDS.otherClient, name: 'Grace Hill' },
		{ client_id: 'cl-9999', name: 'Nobody' },
	]);
	waitsSince(2);
	// The rejection of a month ago is history: the client has asked again since.
	expect(await followUp()).toEqual([
		missing('Ana Souza', 2),
		expect.stringMatching(
			/^@kyc-officer \*Could not be looked up:\* Nobody \(cl-9999\)\nClient not found\. Check Client ID, /,
		),
	]);
	waitsSince(3);
	expect(await followUp()).toEqual([]);
});

it('writes again when something has changed, and after every 7 days of waiting', async () => {
	waitsSince(3);
	const [document] = pending().missing_requirements!.documents.splice(1, 1);
	expect(await followUp()).toEqual([missing('Ana Souza', 3)]);
	expect(await followUp()).toEqual([]);
	pending().missing_requirements!.documents.push(document!);
	expect(await followUp()).toEqual([missing('Ana Souza', 3)]);
	waitsSince(8);
	expect(await followUp()).toEqual([missing('Ana Souza', 8)]);
	waitsSince(13);
	expect(await followUp()).toEqual([]);
	waitsSince(14);
	expect(await followUp()).toEqual([missing('Ana Souza', 14)]);
});

it('tells a person the reason of a rejection: again after Slack failed, and then no more', async () => {
	reject();
	harness.slack.refusal = 'channel_not_found';
	expect(await followUp('error')).toEqual([]);
	harness.slack.refusal = undefined;
	expect(await followUp()).toEqual([REJECTED]);
	expect(await followUp()).toEqual([]);
});

it('follows the event: a rejection goes to a person at once, any other status asks for what is missing', async () => {
	waitsSince(2);
	expect(await event({})).toEqual([
		`@kyc-officer *Client rejected:* Ana Souza (${IDS.client})\nReason: The front image of the passport could not be read. (DOCUMENT_UNREADABLE)`,
	]);
	const inReview = { status: 'in_review', first_name: 'Ana', last_name: '' };
	expect(await event(inReview)).toEqual([]);
	expect(await event(inReview)).toEqual([]);
	expect(harness.smtp.mails.map(({ to }) => to)).toEqual(['ana.souza@example.com']);
	expect(await event({ ...inReview, email: undefined, id: IDS.sampleClient })).toEqual([
		expect.stringContaining(`Still missing:* Ana (${IDS.sampleClient})`),
	]);
	expect(await event({ id: IDS.otherClient, status: 'approved' })).toEqual([]);
});

it('tells a person when the second look-up fails', async () => {
	// The first reading of a client succeeds, the one for its missing requirements does not.
	let reads = 0;
	const listed = harness.simulator.state.productRequestsOf.bind(harness.simulator.state);
	harness.simulator.state.productRequestsOf = (id) => listed(++reads === 1 ? id : 'cl-gone');
	try {
		expect(await event({ status: 'in_review' })).toEqual([
			expect.stringMatching(
				new RegExp(`^@kyc-officer \\*Could not be looked up:\\* .* \\(${IDS.client}\\)\n`),
			),
		]);
	} finally {
		harness.simulator.state.productRequestsOf = listed;
	}
});
