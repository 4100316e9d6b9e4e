import { eventually, type TriggerWorkflow } from '../harness/n8n/scenario.mts';
import { readTable, setRow, writeTable } from '../harness/workflows/dataTables.mts';
import { runFrom } from '../harness/workflows/imported.mts';
import { harness, useWorkflows } from '../harness/workflows/useWorkflows.mts';
import { REJECTION_MARKER } from '../simulator/documentReview.mts';
import { IDS } from '../simulator/index.mts';
import { IMAGE } from '../tools/start/operations.mts';

const ANA = 'ana.souza@example.com';
const PNG = Buffer.from(IMAGE, 'base64');

let workflow: TriggerWorkflow;

useWorkflows();

beforeAll(async () => {
	workflow = await harness.open('kyc-follow-up.json');
	const { n8n } = harness.scenario;
	await runFrom(n8n, workflow, 'Every weekday at 9:00');
	await harness.ended(workflow, 1);
	await writeTable(n8n, 'KYC clients to follow', [
		{ client_id: IDS.client, name: 'Ana Souza', email: ANA },
	]);
});

const followUp = async () =>
	await harness.during(
		workflow,
		async () => void (await runFrom(harness.scenario.n8n, workflow, 'Every weekday at 9:00')),
	);

/** The link of a document in the last mail, as it is reached from here. */
function linkOf(document: string): string {
	const line = harness.smtp.mails
		.at(-1)!
		.text.split('\n')
		.find((each) => each.includes(`${document}: http`));
	return line!.replace(/^.*: http:\/\/[^/]+/, harness.scenario.n8n.url);
}

/** While the execution runs, n8n answers neither a page nor an upload (n8n 2.41): whoever waits asks again. */
const answerOf = async (url: string, init: RequestInit = {}) =>
	await fetch(url, { ...init, signal: AbortSignal.timeout(5_000) }).then(
		async (answer) => await answer.text(),
		() => '',
	);

const post = async (url: string, fields: Record<string, string | Blob>) => {
	const body = new FormData();
	for (const [name, value] of Object.entries(fields)) body.append(name, value);
	return await answerOf(url, { method: 'POST', body });
};

/** What the page says, once it says it. */
const page = async (url: string, wanted: string) =>
	await eventually(async () => {
		const text = await answerOf(url);
		return text.includes(wanted) && text;
	});

/** The last page. It tells n8n that it was shown, and only then the execution ends (n8n 2.41). */
async function lastPage(url: string, wanted: string): Promise<void> {
	await page(url, wanted);
	await answerOf(url, { method: 'POST' });
}

/** Opens a link and goes on to the second page, as a browser does. Gives that page's URL. */
async function open(
	link: string,
	show: (url: string, wanted: string) => Promise<unknown>,
	wanted: string,
): Promise<string> {
	const query = new URL(link).searchParams;
	const fields = ['token', 'request', 'type'].map((name, at) => [`field-${at}`, query.get(name)!]);
	const { formWaitingUrl } = JSON.parse(
		await post(link, Object.fromEntries(fields) as Record<string, string>),
	) as { formWaitingUrl: string };
	const next = formWaitingUrl.replace(/^http:\/\/[^/]+/, harness.scenario.n8n.url);
	await show(next, wanted);
	return next;
}

it('writes to the client with a link for each document; what was uploaded goes to the service, and no more is asked for it', async () => {
	expect((await followUp()).told).toEqual([]);
	const [mail] = harness.smtp.mails;
	expect(mail).toMatchObject({ to: ANA, subject: 'We need documents from you' });
	expect(mail!.text).toContain('Proof of identity: A government-issued identification document.');
	expect(mail!.text).toContain('Please answer this email with: Contact (phone, nickname)');

	const upload = await open(linkOf('Passport'), page, 'Passport number');
	await post(upload, {
		'field-0': new File([PNG], 'passport.png', { type: 'image/png' }),
		'field-1': 'X1234567',
	});
	await lastPage(upload, 'Thank you.');
	expect(harness.simulator.ledger.map(({ operation }) => operation)).toEqual([
		'productRequest.submitDocument',
	]);
	await harness.ended(workflow, 3);

	harness.smtp.mails.length = 0;
	await followUp();
	expect(harness.smtp.mails.map(({ text }) => text.includes('Proof of identity'))).toEqual([false]);
	await followUp();
	expect(harness.smtp.mails).toHaveLength(1);
});

it('gives what was rejected back to the client, on the page and by email, with its reason and the link', async () => {
	await followUp();
	const link = linkOf('Utility bill');
	const upload = await open(link, page, 'Contact phone');
	const image = Buffer.concat([PNG, Buffer.from(REJECTION_MARKER)]);
	await post(upload, { 'field-0': new File([image], 'bill.png', { type: 'image/png' }) });
	await lastPage(upload, 'was rejected');
	const again = await eventually(async () =>
		harness.smtp.mails.find(({ subject }) => subject === 'Your document was rejected'),
	);
	expect(again.to).toBe(ANA);
	expect(again.text).toMatch(/^• \S.*$/m);
	expect(again.text).toContain(new URL(link).search);
});

it('takes nothing for a link that is unknown, too old, or of a document that is not asked for', async () => {
	const table = 'KYC upload links';
	const [entry] = await readTable(harness.scenario.n8n, table);
	const link = (token: unknown, type: string) =>
		`${harness.scenario.n8n.url}/form/kyc-document?token=${String(token)}&request=${IDS.pendingProductRequest}&type=${type}`;
	await open(link('guessed', 'passport'), lastPage, 'This link is not valid');
	await open(link(entry!.token, 'visa'), lastPage, 'This link is not valid');
	await setRow(harness.scenario.n8n, table, 'token', String(entry!.token), {
		sent_at: '2026-01-01T00:00:00.000Z',
	});
	await open(link(entry!.token, 'passport'), lastPage, 'This link is not valid');
	expect(harness.simulator.requests).toEqual([]);
});
