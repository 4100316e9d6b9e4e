import { eventually, type TriggerWorkflow } from '../harness/n8n/scenario.mts';
import { readTable, setRow, writeTable } from '../harness/workflows/dataTables.mts';
import { ANA, image } from '../harness/workflows/everyWorkflow.mts';
import {
	alarm,
	alarms,
	breakNode,
	faultsOf,
	mend,
	OPERATIONS,
	untilTold,
} from '../harness/workflows/faults.mts';
import { lastPage, openForm, readPage, sendPage } from '../harness/workflows/form.mts';
import { harness, useWorkflows } from '../harness/workflows/useWorkflows.mts';
import { REJECTION_MARKER } from '../simulator/documentReview.mts';
import { IDS, sampleEvent } from '../simulator/index.mts';

const TABLE = 'KYC clients';
const GRACE = { client_id: IDS.otherClient, name: 'Grace Hill', email: 'grace@example.com' };
const SAMPLE = { client_id: IDS.sampleClient, name: 'Sam Ple', email: 'sam@example.com' };
const row = (client: object, type = '') => ({ ...client, type, link: '', link_until: '' });

useWorkflows();

const told = () => harness.told('#kyc');
const mailed = () => harness.smtp.mails.filter(({ to }) => to !== OPERATIONS).map(({ to }) => to);

describe('KYC reminders', () => {
	const FILE = 'kyc-reminders.json';
	let workflow: Awaited<ReturnType<typeof harness.openOnDemand>>;

	beforeAll(async () => {
		workflow = await harness.openOnDemand(FILE);
	});
	beforeEach(async () => {
		await writeTable(harness.scenario.n8n, TABLE, [row(ANA), row(SAMPLE)]);
	});

	it('mails each client its missing documents once, with a link, and reports all to the officer once', async () => {
		const clients = [ANA, GRACE, { ...GRACE, client_id: IDS.newClient, name: 'Nina New' }];
		await writeTable(harness.scenario.n8n, TABLE, [
			...clients.map((client) => row(client)),
			row({ client_id: 'cl-business', name: 'Acme', email: 'acme@example.com' }, 'business'),
		]);
		expect(await workflow.run()).toBe('success');
		expect(mailed()).toEqual([ANA.email]);
		const [mail] = harness.smtp.mails;
		expect(mail!.text).toContain('Proof of identity');
		const [client] = await readTable(harness.scenario.n8n, TABLE);
		expect(mail!.text).toContain(`/form/kyc-document?link=${String(client!.link)}`);
		expect(told()).toHaveLength(1);
		expect(told()[0]).toContain('• Ana Souza: • Proof of identity');
		expect(told()[0]).toContain('• Grace Hill: ');
		expect(told()[0]).toContain('• Nina New: No product request exists.');
		expect(told()[0]).toContain('Emails refused: 0');
		const asked = harness.simulator.requests.map(({ path }) => path);
		expect(asked.filter((path) => path.includes('cl-business'))).toEqual([]);
	});

	it('keeps a link that is still valid, for the older mail, and replaces an expired one', async () => {
		await writeTable(harness.scenario.n8n, TABLE, [
			{ ...row(ANA), link: 'valid', link_until: '2999-01-01T00:00:00.000Z' },
			{ ...row(SAMPLE), link: 'expired', link_until: '2026-01-01T00:00:00.000Z' },
		]);
		expect(await workflow.run()).toBe('success');
		const links = (await readTable(harness.scenario.n8n, TABLE)).map(({ link }) => String(link));
		expect(links).toEqual(['valid', expect.stringMatching(/^[\w-]{20,}$/)]);
	});

	it('reports clients that cannot be looked up or mailed, and mails the others once', async () => {
		const unknown = { client_id: 'cl-unknown', name: 'Uma Unknown', email: 'uma@example.com' };
		await writeTable(harness.scenario.n8n, TABLE, [row(unknown), row(ANA), row(SAMPLE)]);
		harness.smtp.refuse = (recipient) => recipient === ANA.email;
		expect(await workflow.run()).toBe('success');
		expect(mailed()).toEqual([SAMPLE.email]);
		expect(told()).toHaveLength(1);
		expect(told()[0]).toContain('• Uma Unknown: Client not found');
		expect(told()[0]).toMatch(/Emails refused: 1\nAna Souza/);
	});

	it.each(faultsOf(FILE))(
		'$name fails $fault ($kind): no client is mailed twice, and nothing stays unreported',
		async ({ name, fault, node, kind, text }) => {
			breakNode(harness, node, fault);
			expect(await workflow.run()).toBe(kind === 'stops' ? 'error' : 'success');
			await untilTold(harness, workflow, told, kind === 'stops' && { file: FILE, node: name });
			expect(told()).toEqual([expect.stringContaining(text)]);
			const unmailed = kind === 'told' ? (fault === 'once' ? 1 : 2) : 0;
			expect(mailed()).toHaveLength(2 - unmailed);
			expect(new Set(mailed()).size).toBe(2 - unmailed);
			if (name === 'Missing') expect(told()[0]).toMatch(/• Ana Souza: .*not allowed/);
			expect(alarms(harness)).toHaveLength(kind === 'stops' ? 1 : 0);
		},
	);
});

describe('KYC upload', () => {
	const FILE = 'kyc-upload.json';
	const LINK = 'test-only-link';
	let workflow: TriggerWorkflow;

	beforeAll(async () => {
		workflow = await harness.open(FILE);
	});
	beforeEach(async () => {
		await writeTable(harness.scenario.n8n, TABLE, [
			{ ...row(ANA), link: LINK, link_until: '2999-01-01T00:00:00.000Z' },
		]);
	});

	const open = async (link = LINK) =>
		await openForm(harness.scenario.n8n.url, `http://127.0.0.1/form/kyc-document?link=${link}`);

	/** Sends a document as a client does, up to the last page. @returns the URL of that page */
	async function upload(document = 'Passport', marker = '', again = 'No'): Promise<string> {
		const page = await open();
		await readPage(page, 'Which document do you send?');
		await sendPage(page, [document]);
		await readPage(page, 'Front image');
		const details = document === 'Passport' ? ['X1234567'] : [];
		await sendPage(page, [image(marker), '', again, ...details]);
		return page;
	}

	it('submits the document, shows the result and reports to the officer', async () => {
		await lastPage(await upload(), 'Thank you. It has been sent.');
		expect(harness.simulator.state.submittedDocuments).toMatchObject([
			{ documentType: 'passport' },
		]);
		expect(harness.simulator.requests.at(-1)!.bodyText).toContain('"number":"X1234567"');
		await eventually(async () => told().length === 1);
		expect(told()[0]).toContain(`*Document of Ana Souza (${IDS.client}):* Passport\nSent.`);
	});

	it('shows the reasons of a rejection to client and officer, and only then replaces a document', async () => {
		const replaced = () =>
			harness.simulator.requests
				.filter(({ path }) => path.endsWith('/documentation'))
				.map(({ bodyText }) => bodyText.includes('"replace":true'));
		const text = await lastPage(await upload('Utility bill', REJECTION_MARKER), 'It was rejected');
		expect(text).toContain('answer Yes there');
		await eventually(async () => told().length === 1);
		expect(told()[0]).toMatch(/Rejected:\n• \S/);
		await lastPage(await upload('Utility bill', '', 'Yes'), 'Thank you. It has been sent.');
		expect(replaced()).toEqual([false, true]);
		// The officer's message follows the client's page.
		await eventually(async () => told().length === 2);
	});

	it('does not call a document untaken whose fate is unknown', async () => {
		harness.simulator.faults.add({ kind: 'reset-after', match: { path: '/documentation' } });
		await lastPage(await upload(), 'We do not know yet whether it was taken');
		await eventually(async () => told().length === 1);
		expect(told()[0]).toContain('Perhaps taken: ');
		expect(harness.simulator.state.submittedDocuments).toHaveLength(1);
	});

	it('reveals nothing for a link that is unknown, expired or used up', async () => {
		const nothing = async (link: string) =>
			await lastPage(await open(link), 'There is nothing to send with this link now');
		const unknown = await nothing('guessed');
		expect(harness.simulator.requests).toEqual([]);
		await setRow(harness.scenario.n8n, TABLE, 'client_id', ANA.client_id, {
			client_id: IDS.otherClient,
		});
		const used = await nothing(LINK);
		await setRow(harness.scenario.n8n, TABLE, 'client_id', IDS.otherClient, {
			link_until: '2026-01-01T00:00:00.000Z',
		});
		const old = await nothing(LINK);
		for (const page of [unknown, used, old]) expect(page).not.toMatch(/Ana|cl-000|example\.com/);
		await harness.ended(workflow, 3);
		expect(told()).toEqual([]);
	});

	it.each(faultsOf(FILE))(
		'$name fails $fault ($kind): the client reads the truth, the officer is told, and nothing is submitted twice',
		async ({ name, fault, node, kind, text }) => {
			breakNode(harness, node, fault);
			const stops = kind === 'stops';
			if (stops && name === 'Client of the link') {
				await open().catch(() => undefined);
				await alarm(harness, FILE, name);
				mend(harness);
			}
			if (name === 'Missing') await lastPage(await open(), 'We cannot look it up now');
			else if (name === 'Submit') await lastPage(await upload(), 'It was not taken');
			else await lastPage(await upload(), 'Thank you. It has been sent.');
			const officerMissed = stops && name === 'Tell the officer';
			await untilTold(harness, workflow, told, officerMissed && { file: FILE, node: name });
			expect(told()).toEqual([expect.stringContaining(kind === 'told' ? text : 'Sent.')]);
			expect(harness.simulator.state.submittedDocuments).toHaveLength(kind === 'told' ? 0 : 1);
			expect(alarms(harness)).toHaveLength(stops ? 1 : 0);
		},
	);
});

describe('KYC status changed', () => {
	const FILE = 'kyc-status-changed.json';
	let workflow: TriggerWorkflow;
	let router: TriggerWorkflow;

	beforeAll(async () => {
		workflow = await harness.open(FILE);
		router = await harness.openRouter({ 'KYC status changed': workflow });
	});

	let sent = 0;
	const event = (data: object = {}) =>
		sampleEvent('company_activity.client_status', {
			operation_id: `status-${sent++}`,
			data: { id: IDS.client, email: 'mallory@example.com', ...data },
		});

	it('tells the officer once, with name and address from the table, not from the event', async () => {
		await writeTable(harness.scenario.n8n, TABLE, [row(ANA)]);
		const rejected = event();
		for (const copy of [rejected, rejected]) await harness.send(router, copy);
		await eventually(async () => told().length > 0);
		await harness.send(router, event({ id: 'cl-unknown' }));
		await eventually(async () => told().length > 1);
		expect(told()[0]).toContain('*Client rejected:* Ana Souza');
		expect(told()[0]).toContain(`Email: ${ANA.email}`);
		expect(told()[1]).toContain('not in the table KYC clients');
		expect(told()[1]).toContain('Email: none in the table');
		expect(told().join()).not.toContain('mallory');
	});

	it.each(faultsOf(FILE))(
		'$name fails $fault ($kind): the officer is told once',
		async ({ name, fault, node, kind }) => {
			breakNode(harness, node, fault);
			await harness.send(router, event());
			await untilTold(harness, workflow, told, kind === 'stops' && { file: FILE, node: name });
			expect(told()).toHaveLength(1);
			expect(alarms(harness)).toHaveLength(kind === 'stops' ? 1 : 0);
		},
	);
});
