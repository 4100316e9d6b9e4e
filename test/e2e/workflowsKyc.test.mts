import { eventually, type TriggerWorkflow } from '../harness/n8n/scenario.mts';
import { emptyTable, readTable, setRow, writeTable } from '../harness/workflows/dataTables.mts';
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
import { withParameters } from '../harness/workflows/workflowFiles.mts';
import { REJECTION_MARKER } from '../simulator/documentReview.mts';
import { IDS, sampleEvent } from '../simulator/index.mts';

const TABLE = 'KYC clients';
const GRACE = { client_id: IDS.otherClient, name: 'Grace Hill', email: 'grace@example.com' };
const SAMPLE = { client_id: IDS.sampleClient, name: 'Sam Ple', email: 'sam@example.com' };
const row = (client: object, type = '') => ({ ...client, type, link: '', link_until: null });

useWorkflows();

const told = () => harness.told('#kyc');
const mailed = () => harness.smtp.mails.filter(({ to }) => to !== OPERATIONS).map(({ to }) => to);

describe('KYC reminders', () => {
	const FILE = 'kyc-reminders.json';
	let workflow: Awaited<ReturnType<typeof harness.openOnDemand>>;

	beforeAll(async () => {
		const { url } = harness.form;
		workflow = await harness.openOnDemand(FILE, (file) =>
			withParameters(file, 'Upload form', { url }),
		);
	});
	beforeEach(async () => {
		await writeTable(harness.scenario.n8n, TABLE, [row(ANA), row(SAMPLE)]);
	});

	it('mails nobody while the address of the form is empty', async () => {
		const fresh = await harness.openOnDemand(FILE).catch((error: Error) => error);
		if (fresh instanceof Error) expect(fresh.message).toMatch(/URL|issues/i);
		else expect(await fresh.run()).toBe('error');
		expect(harness.smtp.mails.filter(({ to }) => to !== OPERATIONS)).toEqual([]);
	});

	it('mails each client whose documents are missing once, with the link in its row, and reports to the officer once', async () => {
		const clients = [ANA, GRACE, { ...GRACE, client_id: IDS.newClient, name: 'Nina New' }];
		await writeTable(harness.scenario.n8n, TABLE, [
			...[...clients, ANA, ANA].map((client) => row(client)),
			row({ client_id: 'cl-business', name: 'Acme', email: 'acme@example.com' }, 'business'),
		]);
		expect(await workflow.run()).toBe('success');
		expect(mailed()).toEqual([ANA.email]);
		const [mail] = harness.smtp.mails;
		expect(mail!.text).toContain('Proof of identity');
		const [client] = await readTable(harness.scenario.n8n, TABLE);
		expect(mail!.text).toContain(`${harness.form.url}?link=${String(client!.link)}\n`);
		expect(told()).toHaveLength(1);
		expect(told()[0]).toContain(
			'Clients: 3, in 5 rows\nMailed: 1 (in *KYC clients*: the newest `link_until`)\n',
		);
		expect(told()[0]).toContain('Failed, in lookup or mail: 0');
		const asked = harness.simulator.requests.map(({ path }) => path);
		expect(asked.filter((path) => path.includes('cl-business'))).toEqual([]);
		expect(asked).toHaveLength(3);
	});

	it('replaces the link of an earlier mail with one for 14 days', async () => {
		await writeTable(harness.scenario.n8n, TABLE, [
			{ ...row(ANA), link: 'before', link_until: '2999-01-01T00:00:00.000Z' },
		]);
		expect(await workflow.run()).toBe('success');
		const [{ link, link_until }] = (await readTable(harness.scenario.n8n, TABLE)) as [
			Record<string, unknown>,
		];
		expect(link).toMatch(/^[\da-f-]{36}$/);
		const days = (Date.parse(String(link_until)) - Date.now()) / 86_400_000;
		expect(Math.round(days)).toBe(14);
	});

	it('reports clients that cannot be looked up or mailed, and mails the others once', async () => {
		const unknown = { client_id: 'cl-unknown', name: 'Uma Unknown', email: 'uma@example.com' };
		await writeTable(harness.scenario.n8n, TABLE, [row(unknown), row(ANA), row(SAMPLE)]);
		harness.smtp.refuse = (recipient) => recipient === ANA.email;
		expect(await workflow.run()).toBe('success');
		expect(mailed()).toEqual([SAMPLE.email]);
		expect(told()).toHaveLength(1);
		const [, ana] = await readTable(harness.scenario.n8n, TABLE);
		expect(told()[0]).toContain(
			'Mailed: 1 (in *KYC clients*: the newest `link_until`)\nFailed, in lookup or mail: 2',
		);
		expect(told()[0]).toContain(`Refused by the mail server: 1 ${String(ana!.id)}`);
		expect(told()[0]).toMatch(/^Not read: .*cl-unknown/m);
	});

	it('reports 300 clients in one short message, failures first', async () => {
		const many = Array.from({ length: 300 }, (_, at) =>
			row({ ...GRACE, client_id: at % 2 ? IDS.otherClient + at : IDS.otherClient }),
		);
		await writeTable(harness.scenario.n8n, TABLE, many);
		expect(await workflow.run()).toBe('success');
		expect(told()).toHaveLength(1);
		expect(told()[0]).toContain(
			'Clients: 151, in 300 rows\nMailed: 0 (in *KYC clients*: the newest `link_until`)\n',
		);
		expect(told()[0]).toContain('Failed, in lookup or mail: 150');
		expect(told()[0]!.match(/^Not read: /gm)).toHaveLength(10);
		expect(told()[0]!.length).toBeLessThan(3_000);
	});

	it.each(faultsOf(FILE))(
		'$name fails $fault ($kind): no client is mailed twice, and one report or alarm is sent',
		async ({ name, fault, node, kind, text }) => {
			breakNode(harness, node, fault);
			expect(await workflow.run()).toBe(kind === 'stops' ? 'error' : 'success');
			await untilTold(harness, workflow, told, kind === 'stops' && { file: FILE, node: name });
			expect(told()).toEqual([expect.stringContaining(text)]);
			const unmailed = kind === 'told' ? (fault === 'once' ? 1 : 2) : 0;
			expect(mailed()).toHaveLength(2 - unmailed);
			expect(new Set(mailed()).size).toBe(2 - unmailed);
			expect(alarms(harness)).toHaveLength(kind === 'stops' ? 1 : 0);
		},
	);
});

describe('KYC upload', () => {
	const FILE = 'kyc-upload.json';
	const LINK = 'test-only-link';
	const TAKEN = 'We have your document.';
	/** Answer to a passport without the number that the simulator wants, whatever the list of §4.3 says. */
	const NO_NUMBER = 'parts of it were not taken: Passport number is required.';
	const NOTHING =
		'Nothing was sent: this link asks for no document now. If one is missing, answer our last email.';
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
	async function upload(
		document = 'Passport',
		marker = '',
		again = 'No',
		details = document === 'Passport' ? ['X1234567'] : [],
		front = image(marker),
		back: File | '' = '',
	): Promise<string> {
		const page = await open();
		await readPage(page, 'Which document do you send?');
		await sendPage(page, [document]);
		await readPage(page, 'Fill in what is asked here');
		await sendPage(page, details);
		await readPage(page, 'Front image');
		await sendPage(page, [front, back, again]);
		return page;
	}

	/** The one answer on the last page. */
	const ANSWERS =
		/We have your (?:document|upload)|We may have|We did not take|We could not take|Nothing was sent/g;
	const requestsOfAna = () => harness.simulator.state.productRequestsOf(ANA.client_id);
	const answersOn = (page: string) => page.match(ANSWERS);

	it('submits the document, shows the result and reports to the officer', async () => {
		const page = await lastPage(
			await upload(),
			`${TAKEN} Still missing: Proof of address and Proof of income (optional). Please answer our email with: Contact and Employment (optional).`,
		);
		expect(page).not.toMatch(/cl-0|pr-0|product request|done/);
		expect(answersOn(page)).toEqual(['We have your document']);
		expect(harness.simulator.state.submittedDocuments).toMatchObject([
			{ documentType: 'passport' },
		]);
		expect(harness.simulator.requests.at(-1)!.bodyText).toContain('"number":"X1234567"');
		await eventually(async () => told().length === 1);
		expect(told()[0]).toContain('*KYC document*\nSent: ');
		expect(told()[0]).toContain('passport');
		const [client] = await readTable(harness.scenario.n8n, 'KYC clients');
		expect(told()[0]).toContain(
			`Row in *KYC clients*: ${String(client!.id)}. The client reads (nothing below: that nothing was sent):\n${TAKEN} Still missing: `,
		);
	});

	it('tells the client when nothing else is missing', async () => {
		for (const { missing_requirements: missing } of requestsOfAna()) {
			missing?.documents.splice(1);
			missing?.data.splice(0);
		}
		const page = await lastPage(await upload(), `${TAKEN} Nothing else is missing here.`);
		expect(answersOn(page)).toEqual(['We have your document']);
		await eventually(async () => told().length === 1);
	});

	it('tells the client which file cannot be read, and sends nothing', async () => {
		const text = new File(['no image'], 'passport.jpg', { type: 'image/jpeg' });
		const page = await lastPage(
			await upload('Passport', '', 'No', ['X1'], text),
			'We did not take your document: the front image is not an image in a format that we can read. Send JPEG, PNG, WebP, HEIC or PDF.',
		);
		expect(answersOn(page)).toEqual(['We did not take']);
		expect(page).not.toContain('Front Image Field');
		await eventually(async () => told().length === 1);
		expect(told()[0]).toContain('Not sent: ');
		expect(harness.simulator.state.submittedDocuments).toEqual([]);
	});

	it('does not take one image for both sides, although it was uploaded twice', async () => {
		const page = await lastPage(
			await upload('Passport', '', 'No', ['X1'], image(), image()),
			'We did not take your document: the back image is the same as the front image. Send a photo of each side.',
		);
		expect(answersOn(page)).toEqual(['We did not take']);
		await eventually(async () => told().length === 1);
		expect(harness.simulator.state.submittedDocuments).toEqual([]);
	});

	it('shows the reasons of a rejection to client and officer, and replaces a document only on request', async () => {
		const replaced = () =>
			harness.simulator.requests
				.filter(({ path }) => path.endsWith('/documentation'))
				.map(({ bodyText }) => bodyText.includes('"replace":true'));
		const page = await lastPage(
			await upload('Utility bill', REJECTION_MARKER),
			'We have your upload, but parts of it were not taken: front image: The document could not be verified. Correct that and send it again. Still missing: Proof of identity, Proof of address and Proof of income (optional). Please answer our email with: Contact and Employment (optional).',
		);
		expect(page).toContain('If it was not taken, answer Yes there to');
		expect(answersOn(page)).toEqual(['We have your upload']);
		await eventually(async () => told().length === 1);
		expect(told()[0]).toContain('could not be verified');
		await lastPage(await upload('Utility bill', '', 'Yes'), TAKEN);
		expect(replaced()).toEqual([false, true]);
		// The officer's message follows the client's page.
		await eventually(async () => told().length === 2);
	});

	/** Lets the service ask for other metadata with a passport, also for what the document does not allow. */
	function askFor(metadata: unknown): void {
		const requests = structuredClone(requestsOfAna());
		const types = requests
			.flatMap(({ missing_requirements }) => missing_requirements?.documents ?? [])
			.flatMap(({ valid_documents }) => valid_documents);
		for (const type of types) if (type.id === 'passport') Object.assign(type, { metadata });
		harness.simulator.faults.add({
			kind: 'body',
			body: JSON.stringify(requests),
			match: { path: '/products$' },
			times: 99,
		});
	}
	const submitted = () =>
		harness.simulator.requests
			.filter(({ path }) => path.endsWith('/documentation'))
			.map(({ bodyText }) => (JSON.parse(bodyText) as any).document.metadata as unknown);

	it.each([['null'], ['absent']])(
		'submits a document when the service lists its metadata as %s',
		async (kind) => {
			askFor(kind === 'null' ? null : undefined);
			await lastPage(await upload('Passport', '', 'No', []), NO_NUMBER);
			expect([undefined, {}]).toContainEqual(submitted()[0]);
			await eventually(async () => told().length === 1);
		},
	);

	it('asks for each field of a document, also for two of the same name', async () => {
		const field = (id: string, name: string) => ({
			id,
			name,
			data_type: 'STRING',
			required: false,
		});
		askFor([field('a', 'Number'), field('b', 'Number'), field('submittedAt', 'Sent on')]);
		await lastPage(await upload('Passport', '', 'No', ['1', '2', '3']), NO_NUMBER);
		expect(submitted()).toEqual([{ a: '1', b: '2', submittedAt: '3' }]);
		await eventually(async () => told().length === 1);
	});

	it('reports a submission of unknown outcome as one that may have been sent', async () => {
		harness.simulator.faults.add({ kind: 'reset-after', match: { path: '/documentation' } });
		const page = await lastPage(
			await upload(),
			'We may have your document: please wait for our answer before you send it again.',
		);
		expect(answersOn(page)).toEqual(['We may have']);
		await eventually(async () => told().length === 1);
		expect(told()[0]).toContain('May have been sent: ');
		expect(harness.simulator.state.submittedDocuments).toHaveLength(1);
	});

	it('reveals nothing for a link that is unknown, used up, expired or empty', async () => {
		const nothing = async (link: string) => {
			const page = await lastPage(await open(link), NOTHING);
			expect(answersOn(page)).toEqual(['Nothing was sent']);
			return page;
		};
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
		const empty = await nothing('');
		for (const page of [unknown, used, old, empty])
			expect(page).not.toMatch(/Ana|cl-000|example\.com|Not read/);
		await harness.ended(workflow, 4);
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
			if (name === 'Missing') await lastPage(await open(), NOTHING);
			else if (name === 'Submit')
				await lastPage(
					await upload(),
					'We could not take your document now. Please try again later, or answer our email.',
				);
			else await lastPage(await upload(), TAKEN);
			const officerMissed = stops && name === 'Tell the officer';
			await untilTold(harness, workflow, told, officerMissed && { file: FILE, node: name });
			expect(told()).toEqual([expect.stringContaining(kind === 'told' ? text : 'Sent: ')]);
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

	beforeEach(async () => await emptyTable(harness.scenario.n8n, 'KYC statuses told'));

	it('tells the officer once, with the row of the client in the table', async () => {
		await writeTable(harness.scenario.n8n, TABLE, [row(ANA)]);
		const rejected = event();
		for (const copy of [rejected, rejected]) await harness.send(router, copy);
		await eventually(async () => told().length > 0);
		await harness.send(router, event({ id: 'cl-unknown' }));
		await eventually(async () => told().length > 1);
		const [client] = await readTable(harness.scenario.n8n, TABLE);
		expect(told()[0]).toMatch(/^Client status: .*\(cl-0001\) is rejected/m);
		expect(told()[0]).toContain(`Row in KYC clients: ${String(client!.id)} (`);
		expect(told()[1]).toContain('Row in KYC clients:  (no number: not in the table)');
	});

	it('reports no change that is older than the last reported one, and shows the time of each', async () => {
		const at = (updated_at: string, status: string) => event({ updated_at, status });
		await harness.send(router, at('2026-02-02T10:00:00.000Z', 'enabled'));
		await eventually(async () => told().length > 0);
		await harness.send(router, at('2026-02-01T10:00:00.000Z', 'rejected'));
		await harness.ended(router, 1);
		await harness.ended(workflow, 2);
		await harness.send(router, at('2026-02-03T10:00:00.000Z', 'blocked'));
		await eventually(async () => told().length > 1);
		expect(told()[0]).toContain('Changed at: 2026-02-02T10:00:00.000Z');
		expect(told()[1]).toContain('Client is blocked');
		expect(told()).toHaveLength(2);
	});

	it('reports 40 changes that arrive together, nearly in order, in a channel that takes one message a second', async () => {
		const patient = await harness.openPatient(FILE);
		const toPatient = await harness.openRouter({ 'KYC status changed': patient });
		for (let at = 0; at < 40; at++) await harness.send(toPatient, event({ id: `cl-${at}` }));
		const messages = await harness.messages('#kyc', 40, 150_000);
		const clients = messages.map(({ text }) => Number(/\(cl-(\d+)\)/.exec(text)![1]));
		expect(new Set(clients).size).toBe(40);
		const late = clients.filter((client, at) => at > 0 && client < clients[at - 1]!);
		// The minute begins again once, and a message may be a second late.
		expect(late.length).toBeLessThan(8);
		expect(alarms(harness)).toEqual([]);
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
