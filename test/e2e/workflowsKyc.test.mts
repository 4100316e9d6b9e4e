import { eventually } from '../harness/n8n/executions.mts';
import { caseOf, said } from '../harness/workflows/cases.mts';
import { readTable, writeTable, type Row } from '../harness/workflows/dataTables.mts';
import { COULD_NOT, HAVE_IT, image, upload, type Upload } from '../harness/workflows/form.mts';
import { ANA, clientRow, CLIENTS, LINK } from '../harness/workflows/rows.mts';
import { done, openCase, told, untilEnded } from '../harness/workflows/runCase.mts';
import { harness, useWorkflows } from '../harness/workflows/useWorkflows.mts';
import { REJECTION_MARKER } from '../simulator/documentReview.mts';
import { IDS } from '../simulator/index.mts';

useWorkflows();

const clients = async (...rows: object[]) =>
	await writeTable(harness.scenario.n8n, CLIENTS, rows as Row[]);
const table = async () => await readTable(harness.scenario.n8n, CLIENTS);

/** Lets the service list these product requests, also some that its description does not allow. */
function answerWith(requests: object[]): void {
	const body = JSON.stringify(requests);
	harness.simulator.faults.add({ kind: 'body', body, match: { path: '/products$' }, times: 99 });
}

describe('KYC reminders', () => {
	const GRACE = { client_id: IDS.otherClient, name: 'Grace Hill', email: 'grace@example.com' };
	const open = async () => await openCase(harness, caseOf('reminders'));

	it('mails nobody while the address of the form is empty', async () => {
		const fresh = await harness.openOnDemand('kyc-reminders.json').catch((error: Error) => error);
		if (fresh instanceof Error) expect(fresh.message).toMatch(/URL|issues/i);
		else {
			await fresh.start();
			expect(await untilEnded(harness, fresh, 1)).toMatchObject([{ status: 'error' }]);
		}
		expect(done(harness)).toEqual([]);
	});

	it('mails each client whose documents are missing once, with a new link for 14 days', async () => {
		const { run } = await open();
		const before = { link: 'before', link_until: '2999-01-01T00:00:00.000Z' };
		await clients(
			clientRow(ANA, before),
			...[ANA, ANA, GRACE, { ...GRACE, client_id: IDS.newClient }].map((each) => clientRow(each)),
			clientRow({ ...GRACE, client_id: 'cl-business' }, { type: 'business' }),
		);
		expect(await run()).toBe('success');
		expect(done(harness)).toEqual([ANA.email]);
		expect(told(harness)).toEqual(['*KYC reminders mailed: 1*']);
		const [{ link, link_until }] = (await table()) as [Record<string, string>];
		expect(link).toMatch(/^[\da-f-]{36}$/);
		const days = (Date.parse(link_until!) - Date.now()) / 86_400_000;
		expect(Math.round(days)).toBe(14);
		const [mail] = harness.smtp.mails;
		expect(mail!.text).toContain('• Proof of identity (Cards for Individuals): Passport or');
		expect(mail!.text).toContain(`${harness.form.url}?link=${link}\n`);
		expect(harness.simulator.requests).toHaveLength(3);
	});

	it('names who was not mailed, and mails the others once', async () => {
		const { run } = await open();
		const sample = { client_id: IDS.sampleClient, name: 'Sam Ple', email: 'sam@example.com' };
		await clients(
			...[{ ...ANA, client_id: 'cl-unknown' }, ANA, sample].map((each) => clientRow(each)),
		);
		harness.smtp.refuse = (recipient) => recipient === ANA.email;
		expect(await run()).toBe('success');
		expect(done(harness)).toEqual([sample.email]);
		expect(told(harness).sort()).toEqual([
			'*KYC reminders mailed: 1*',
			expect.stringMatching(/^\*KYC reminders not mailed: 1\*\ncl-0001/),
			expect.stringMatching(said(/^\*KYC reminders not mailed: 1\*\ncl-unknown <rejected>: /)),
		]);
	});

	it('names a client of whom the service does not say what is missing, and mails nobody', async () => {
		const { run } = await open();
		await clients(clientRow(ANA));
		const requests = structuredClone(harness.simulator.state.productRequestsOf(IDS.client));
		for (const request of requests) delete request.missing_requirements;
		answerWith(requests);
		expect(await run()).toBe('success');
		expect(done(harness)).toEqual([]);
		expect(told(harness)).toEqual([expect.stringMatching(/: 1\*\ncl-0001 .*did not say/)]);
	});

	it('tells of 1,000 clients in one short message', async () => {
		const { run } = await open();
		const many = Array.from({ length: 1_000 }, (_, at) =>
			clientRow({ ...GRACE, client_id: `cl-${at % 500}-` }),
		);
		await clients(...many);
		expect(await run()).toBe('success');
		expect(told(harness)).toEqual([expect.stringMatching(/^\*KYC reminders not mailed: 500\*\n/)]);
		expect(told(harness)[0]!.match(said(/ <rejected>: /g))).toHaveLength(10);
		expect(told(harness)[0]!.length).toBeLessThan(3_000);
	});
});

describe('KYC upload', () => {
	let form: string;

	/** Opens the form for Ana, with a link that works. */
	async function open() {
		const opened = await openCase(harness, caseOf('upload'));
		form = opened.form;
		await clients(clientRow(ANA, { link: LINK, link_until: '2999-01-01T00:00:00.000Z' }));
		return opened;
	}
	const send = async (given: Upload = {}) => await upload(form, given);
	const submitted = () =>
		harness.simulator.requests
			.filter(({ path }) => path.endsWith('/documentation'))
			.map(
				({ bodyText }) => (JSON.parse(bodyText) as { document: Record<string, unknown> }).document,
			);
	const officer = async () => await eventually(async () => told(harness)[0]);

	it('shows no ID of the service to the client', async () => {
		const { workflow } = await open();
		const page = await send();
		expect(page).toContain(HAVE_IT);
		expect(page).not.toMatch(/cl-0|pr-0|done/);
		await untilEnded(harness, workflow, 1);
		expect(submitted()).toMatchObject([{ metadata: { number: 'X1234567' } }]);
		expect(submitted()[0]).not.toHaveProperty('image_back');
	});

	const notAFile = new File(['no'], 'a.txt', { type: 'text/plain' });
	it.each<[string, Upload, string, RegExp, number]>([
		['a part was rejected', { front: image(REJECTION_MARKER) }, '', /^<done>: .*verified/m, 0],
		['its file is none', { front: notAFile }, '', /^(<done>|<rejected>|<not_sent>): /m, 0],
		['its outcome is unknown', {}, '/documentation', /<unknown>: /, 1],
	])(
		'says that it could not be taken when %s, and the officer why',
		async (_, given, broken, words, count) => {
			const { workflow } = await open();
			if (broken) harness.simulator.faults.add({ kind: 'reset-after', match: { path: broken } });
			expect(await send(given)).toContain(COULD_NOT);
			expect(await officer()).toMatch(said(words));
			expect(harness.simulator.state.submittedDocuments).toHaveLength(count);
			await untilEnded(harness, workflow, 1);
		},
	);

	it('replaces a document only if the client says that it was not taken', async () => {
		const { workflow } = await open();
		const bill = { document: 'Utility bill', details: [] };
		expect(await send({ ...bill, front: image(REJECTION_MARKER) })).toContain(COULD_NOT);
		expect(await send({ ...bill, again: 'Yes' })).toContain(HAVE_IT);
		await untilEnded(harness, workflow, 2);
		expect(submitted().map(({ replace }) => replace)).toEqual([undefined, true]);
	});

	const field = (id: string, name: string) => ({ id, name, data_type: 'STRING', required: false });
	it.each([
		['null', null, [], undefined],
		['absent', undefined, [], undefined],
		[
			'two of one name, and a name that n8n uses',
			[field('a', 'Number'), field('b', 'Number'), field('submittedAt', 'Sent on')],
			['1', '2', '3'],
			{ a: '1', b: '2', submittedAt: '3' },
		],
	])(
		'submits what was filled in when the fields of a document are %s',
		async (_, metadata, details, sent) => {
			const { workflow } = await open();
			const requests = structuredClone(harness.simulator.state.productRequestsOf(ANA.client_id));
			for (const { missing_requirements: missing } of requests)
				for (const { valid_documents: types } of missing?.documents ?? [])
					for (const type of types) if (type.id === 'passport') Object.assign(type, { metadata });
			answerWith(requests);
			// The simulator wants the number of a passport, whatever the list says.
			expect(await send({ details })).toContain(COULD_NOT);
			await untilEnded(harness, workflow, 1);
			expect(submitted().map((document) => document.metadata)).toEqual([sent]);
		},
	);

	it.each([
		['is unknown', {}, 'guessed'],
		['is empty', { link: '' }, ''],
		['has expired', { link_until: '2026-01-01T00:00:00.000Z' }, LINK],
		['belongs to a client of whom nothing is asked', { client_id: IDS.otherClient }, LINK],
	])('reveals nothing for a link that %s', async (_, differences, link) => {
		const { workflow } = await open();
		const row = { link: LINK, link_until: '2999-01-01T00:00:00.000Z', ...differences };
		await clients(clientRow(ANA, row));
		const page = await send({ link });
		expect(page).toContain(COULD_NOT);
		expect(page).not.toMatch(/Ana|cl-000|example\.com|Not sent|Rejected/);
		await untilEnded(harness, workflow, 1);
		expect(told(harness)).toEqual([]);
	});
});
