import { byId, documentOf, image, PNG } from '../harness/fixtures.mts';
import { API_KEYS, IDS, type Fault } from '../simulator/index.mts';
import { simulator, useSimulator } from '../simulator/useSimulator.mts';
import { type CoreOptions, type CoreRun } from './core.mts';
import { run } from './payments.mts';

useSimulator({ requestsPerSecond: 0 });

const png = (text = '') => Buffer.concat([PNG, Buffer.from(text)]);
const item = (json = {}, bytes = png()) => ({
	json,
	binary: { data: image(bytes), back: image(png()) },
});
const filled = (value: object) => ({
	mappingMode: 'defineBelow',
	value: value as Record<string, string>,
});

const passport: CoreOptions['parameters'] = { ...documentOf('passport'), options: {} };

const submit = async (parameters: object = {}, more: Partial<CoreOptions> = {}): Promise<CoreRun> =>
	await run({ ...passport, ...parameters }, { items: [item()], ...more });
const sent = () => simulator.requests.map(({ method }) => method);
const hints = ({ run }: CoreRun) =>
	(run.data.resultData.runData['Card Treasury']?.at(-1)?.hints ?? []).map(({ message }) => message);

it('a requested document is submitted after one check', async () => {
	const { outputs, error } = await submit();
	expect(error).toBeUndefined();
	expect(outputs[0]![0]!.json).toMatchObject({
		product: { id: IDS.pendingProductRequest },
		rejected_items: [],
		trace_id: expect.any(String),
	});
	expect(sent()).toEqual(['GET', 'POST']);
	expect(simulator.state.submittedDocuments).toHaveLength(1);
});

it.each<[string, object, RegExp, RegExp]>([
	[
		'a type that is not asked for',
		{ documentType: byId('drivers_license') },
		/^Document Type is "drivers_license"/,
		/Passport \(passport\), National identity card \(national_id\), Utility bill/,
	],
	[
		'no back image where one is needed',
		{ documentType: byId('national_id') },
		/^Back Image Field is empty, but National identity card needs/,
		/binary field/,
	],
	[
		'required metadata left empty',
		{ metadata: filled({ number: '', issuing_country: 'DO' }) },
		/^Metadata lacks Passport number \(number\), which Passport requires/,
		/Enter it/,
	],
	['no metadata at all', { metadata: filled({}) }, /^Metadata lacks Passport number/, /Enter it/],
	[
		'a request that was rejected',
		{ productRequestId: byId(IDS.rejectedProductRequest) },
		/^Product Request is rejected, but takes documents only/,
		/Get Missing Requirements/,
	],
	[
		'a request in review',
		{ clientId: IDS.otherClient, productRequestId: byId(IDS.inKycProductRequest) },
		/^Product Request is in_kyc/,
		/Get Missing/,
	],
	[
		"another client's request",
		{ clientId: IDS.otherClient },
		/^Product Request does not belong to this client$/,
		/Client ID and Product Request/,
	],
])('%s sends nothing, and the error names the field', async (_, parameters, message, fix) => {
	const { error } = await submit(parameters);
	expect(error?.message).toMatch(message);
	expect(error?.description).toMatch(fix);
	expect(error?.description).toContain('Nothing was sent.');
	expect(sent()).toEqual(['GET']);
});

it.each([
	['text', Buffer.from('<html>')],
	['nothing', Buffer.alloc(0)],
])('a file that is %s sends nothing, not even the check', async (_, bytes) => {
	const { error } = await submit({}, { items: [item({}, bytes)] });
	expect(error?.message).toMatch(/^Front Image Field holds/);
	expect(sent()).toEqual([]);
});

it('all items of a client share one check, and one invalid item stops the batch', async () => {
	const items = ['utility_bill', 'payslip', 'visa'].map((type) => item({ type }));
	const parameters = { documentType: byId('={{ $json.type }}'), metadata: filled({}) };
	const stopped = await submit(parameters, { items });
	expect(stopped.error?.message).toBe(
		'Document Type is "visa", which this product request does not ask for',
	);
	expect(stopped.error?.description).toContain('Nothing was sent for any of the 3 items.');
	expect(sent()).toEqual(['GET']);

	simulator.reset();
	const { outputs } = await submit(parameters, {
		items,
		node: { onError: 'continueRegularOutput' },
	});
	expect(sent().sort()).toEqual(['GET', 'POST', 'POST']);
	expect(outputs[0]!.map(({ json }) => json.error ?? json.rejected_items)).toEqual([
		[],
		[],
		expect.stringMatching(/^Document Type is "visa"/),
	]);
});

it('a document of the same type can be replaced, although it is no longer missing', async () => {
	await submit();
	expect((await submit()).error?.message).toMatch(
		/^Document Type is "passport", which this product request does not ask for/,
	);
	const { outputs, error } = await submit({ options: { replace: true } });
	expect(error).toBeUndefined();
	expect(outputs[0]![0]!.json.rejected_items).toEqual([]);
	expect(simulator.state.submittedDocuments).toHaveLength(2);
});

it('rejected items are a result with a hint', async () => {
	const run = await submit({}, { items: [item({}, png('SIMULATOR-REJECT'))] });
	expect(run.outputs[0]![0]!.json).toMatchObject({
		rejected_items: [{ type: 'document', key: 'passport', reason: expect.any(String) }],
	});
	expect(hints(run)).toEqual([
		'1 document has rejected items. Its rejected_items say why: correct them and submit again.',
	]);
});

it('the number of a document is sent as text, as its type says', async () => {
	await submit({ metadata: filled({ number: 12345678 }) });
	expect(simulator.requests[1]!.bodyText).toContain('"metadata":{"number":"12345678"}');
});

it('hidden values of an earlier type are omitted', async () => {
	const field = (name: string) => ({
		id: name,
		displayName: name,
		required: false,
		defaultMatch: false,
		display: true,
		type: 'string',
	});
	await submit({
		metadata: {
			...filled({ number: 'X1', contact_phone: '+34600000000' }),
			matchingColumns: [],
			schema: [field('number'), field('issuing_country')],
		},
	});
	expect(simulator.requests[1]!.bodyText).toContain('"metadata":{"number":"X1"}');
});

describe('failed check before a submission', () => {
	const onRead = (fault: Fault): Fault => ({ ...fault, match: { method: 'GET' } });

	it.each([403, 401])(
		'with %s leaves the decision to the service, because the key may still be allowed to submit',
		async (status) => {
			simulator.faults.add(onRead({ kind: 'status', status }));
			const { outputs, error } = await submit();
			expect(error).toBeUndefined();
			expect(outputs[0]![0]!.json.rejected_items).toEqual([]);
			expect(sent()).toEqual(['GET', 'POST']);
		},
	);

	it.each<[string, Fault, RegExp]>([
		['is not available', { kind: 'status', status: 503, times: 2 }, /not available/],
		['is not the service', { kind: 'html200' }, /not with a list of objects/],
	])('because the answer %s sends nothing', async (_, fault, message) => {
		simulator.faults.add(onRead(fault));
		const { error } = await submit({ options: { maxAttempts: 2 } });
		expect(error?.message).toMatch(message);
		expect(error?.description).toContain('only the check before sending: it was not sent');
		expect(sent()).not.toContain('POST');
	});

	it('is repeated once, unlike the submission', async () => {
		simulator.faults.add(onRead({ kind: 'reset-before' }));
		expect((await submit()).error).toBeUndefined();
		expect(sent()).toEqual(['GET', 'GET', 'POST']);
	});

	it('because of an unknown client is reported for each item', async () => {
		const { outputs } = await submit(
			{ clientId: 'unknown' },
			{ items: [item(), item()], node: { onError: 'continueRegularOutput' } },
		);
		expect(outputs[0]!.map(({ json }) => json)).toEqual(
			[0, 1].map(() =>
				expect.objectContaining({
					error: expect.stringMatching(/^Client not found$/),
					code: 'NOT_FOUND',
					http_status: 404,
					outcome: 'not_sent',
				}),
			),
		);
		expect(sent()).toEqual(['GET']);
	});
});

it('a key below the level of the submission is left to the service, and its message is shown', async () => {
	const { error } = await submit({}, { apiKey: API_KEYS[2] });
	expect(error?.message).toBe(
		'The API key was rejected (HTTP 401): This API key has level 2; level 3 is required',
	);
	expect(simulator.ledger).toHaveLength(0);
});
