import { readTable, setRow, writeTable } from '../harness/workflows/dataTables.mts';
import { COULD_NOT, HAVE_IT, image, upload, type Upload } from '../harness/workflows/form.mts';
import { ANA, clientRow, CLIENTS, LINK, waitsFor } from '../harness/workflows/rows.mts';
import { done, openCase, told, untilEnded } from '../harness/workflows/runCase.mts';
import { harness, n8n, useWorkflows } from '../harness/workflows/useWorkflows.mts';
import { REJECTION_MARKER } from '../simulator/documentReview.mts';
import { IDS } from '../simulator/index.mts';

useWorkflows();

const clients = async (...rows: object[]) => await writeTable(n8n, CLIENTS, rows);
const table = async () => await readTable(n8n, CLIENTS);

/** Lets the service list these product requests, also some that its description does not allow. */
function answerWith(requests: object[]): void {
	const body = JSON.stringify(requests);
	harness.simulator.faults.add({ kind: 'body', body, match: { path: '/products$' }, times: 99 });
}

describe('KYC follow-up', () => {
	const GRACE = { client_id: IDS.otherClient, name: 'Grace Hill', email: 'grace@example.com' };
	const open = async () => await openCase(harness, 'kyc-follow-up.json');
	beforeEach(() => waitsFor(harness.simulator, 2));

	it('mails on the days 2, 4 and 8, and tells the officer once on day 16, at two runs a day', async () => {
		const { run } = await open();
		await clients(clientRow(ANA));
		const heard: Array<[day: number, mails: number, messages: number]> = [];
		let before = 0;
		for (const day of [1, 2, 3, 4, 7, 8, 15, 16, 17]) {
			const [{ remind_on: due }] = (await table()) as [{ remind_on: string | null }];
			const passed = (day - before) * 86_400_000;
			const remind_on = due && new Date(Date.parse(due) - passed).toISOString();
			await setRow(n8n, CLIENTS, 'client_id', ANA.client_id, { remind_on });
			before = day;
			waitsFor(harness.simulator, day);
			for (let n = 0; n < 2; n++) expect(await run()).toBe('success');
			heard.push([day, done(harness).length, told(harness).length]);
		}
		expect(heard.filter((each, at) => String(each.slice(1)) !== String(heard[at - 1]?.slice(1))))
			.toEqual([[1, 0, 0], [2, 1, 0], [4, 2, 0], [8, 3, 0], [16, 3, 1]]); // prettier-ignore
	});

	it('tells of each rejection once, when nothing is missing any more', async () => {
		const { run } = await open();
		await clients(clientRow(ANA));
		waitsFor(harness.simulator, 1);
		const [waiting] = harness.simulator.state.productRequestsOf(ANA.client_id);
		const rejected = { id: 'a', product: 'b', status: 'rejected' };
		for (const [count, status] of ['pending_documentation', 'enabled', 'rejected'].entries()) {
			harness.simulator.faults.clear();
			answerWith([rejected, { ...waiting, status }]);
			for (let n = 0; n < 2; n++) expect(await run()).toBe('success');
			expect(told(harness)).toHaveLength(count);
		}
	});

	it('mails a new link, and each client once', async () => {
		const { run } = await open();
		await clients(
			clientRow(ANA, { link: 'before' }),
			...[ANA, GRACE, { ...GRACE, client_id: IDS.newClient }].map((each) => clientRow(each)),
			clientRow({ ...GRACE, client_id: 'cl-business' }, { type: 'business' }),
		);
		expect(await run()).toBe('success');
		expect(done(harness)).toEqual([ANA.email]);
		const [{ link }] = (await table()) as [Record<string, string>];
		expect(link).toMatch(/^[\da-f-]{36}$/);
		const [mail] = harness.smtp.mails;
		expect(mail!.text).toContain('• Proof of identity (Cards for Individuals): Passport or');
		expect(mail!.text).toContain(`${harness.web.form}?link=${link}\n`);
		expect(harness.simulator.requests).toHaveLength(3);
	});
});

describe('KYC upload', () => {
	const NEVER = '2999-01-01T00:00:00.000Z';
	let form: string;

	/** Opens the form for Ana, with a link that works. */
	async function open() {
		const opened = await openCase(harness, 'kyc-upload.json');
		form = opened.form;
		await clients(clientRow(ANA, { link: LINK, remind_on: NEVER }));
		return opened;
	}
	const send = async (given: Upload = {}) => await upload(form, given);
	const submitted = () =>
		harness.simulator.requests
			.filter(({ path }) => path.endsWith('/documentation'))
			.map(
				({ bodyText }) => (JSON.parse(bodyText) as { document: Record<string, unknown> }).document,
			);

	it('replaces a document only if the client says that it was not taken', async () => {
		const { workflow } = await open();
		const bill = { document: 'Utility bill · cards_individuals', details: [] };
		expect(await send({ ...bill, front: image(REJECTION_MARKER) })).toContain(COULD_NOT);
		expect(await send({ ...bill, again: 'Yes' })).toContain(HAVE_IT);
		await untilEnded(harness, workflow, 2);
		expect(submitted().map(({ replace }) => replace)).toEqual([undefined, true]);
	});

	it.each([
		['of the chosen product', 'Passport · ramps_individuals', 'Passport'],
		['whose name has a line break', 'Pass\r\nport · ramps_individuals', 'Pass\nport'],
	])('submits a document %s', async (_, document, name) => {
		const { workflow } = await open();
		const [cards] = structuredClone(harness.simulator.state.productRequestsOf(ANA.client_id));
		const ramps = { ...structuredClone(cards!), id: 'pr-ramps', product: 'ramps_individuals' };
		for (const { valid_documents: types } of ramps.missing_requirements!.documents)
			for (const type of types) if (type.id === 'passport') type.name = name;
		answerWith([cards!, ramps]);
		await send({ document });
		await untilEnded(harness, workflow, 1);
		const paths = harness.simulator.requests.map(({ path }) => path);
		expect(paths.at(-1)).toMatch(/\/pr-ramps\/documentation$/);
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
});
