import { byId, documentOf, image, PNG } from '../harness/fixtures.mts';
import { API_KEYS, IDS } from '../simulator/index.mts';
import { simulator, useSimulator } from '../simulator/useSimulator.mts';
import { type CoreOptions, type CoreRun } from './core.mts';
import { jsonOf, run } from './payments.mts';

useSimulator({ requestsPerSecond: 0 });

const png = (text = '') => Buffer.concat([PNG, Buffer.from(text)]);
const item = (json = {}, bytes = png()) => ({ json, binary: { data: image(bytes) } });
const filled = (value: object) => ({
	mappingMode: 'defineBelow',
	value: value as Record<string, string>,
});

const submit = async (parameters: object = {}, more: Partial<CoreOptions> = {}): Promise<CoreRun> =>
	await run({ ...documentOf('passport'), ...parameters }, { items: [item()], ...more });
const sent = () => simulator.requests.map(({ method }) => method);

it('a requested document is submitted after one check', async () => {
	const submitted = await submit();
	expect(submitted.error).toBeUndefined();
	expect(jsonOf(submitted)).toMatchObject([
		{
			product: { id: IDS.pendingProductRequest },
			rejected_items: [],
			trace_id: expect.any(String),
		},
	]);
	expect(sent()).toEqual(['GET', 'POST']);
	expect(simulator.state.submittedDocuments).toHaveLength(1);
});

describe('text for the client', () => {
	const goesOn = { node: { onError: 'continueRegularOutput' as const } };

	it('a submitted document tells what is still missing', async () => {
		const [json] = jsonOf(await submit({}, goesOn));
		expect(Object.keys(json!).slice(0, 3)).toEqual(['outcome', 'summary', 'for_client']);
		expect(json!.for_client).toBe(
			'We have your document. Still missing: Proof of address and Proof of income (optional). Please answer our email with: Contact and Employment (optional).',
		);
	});

	it('a failed document tells the reason, also if it was never sent', async () => {
		const [refused] = jsonOf(await submit({}, { ...goesOn, items: [item({}, Buffer.from('x'))] }));
		expect(refused).toMatchObject({
			outcome: 'not_sent',
			for_client:
				'We did not take your document: the front image is not an image in a format that we can read. Send JPEG, PNG, WebP, HEIC or PDF.',
		});
		const [keyless] = jsonOf(await submit({}, { ...goesOn, apiKey: API_KEYS[2] }));
		expect(keyless).toMatchObject({
			outcome: 'rejected',
			for_client:
				'We could not take your document now. Please try again later, or answer our email.',
		});
	});

	it('a document that an earlier try has sent tells to wait, although its file is gone', async () => {
		simulator.faults.add({ kind: 'slow-before', delayMs: 1, times: 1, match: { method: 'POST' } });
		simulator.faults.add({ kind: 'status', status: 400, times: 1, match: { method: 'POST' } });
		const types = ['passport', 'utility_bill'];
		const parameters = { documentType: byId('={{ $json.type }}') };
		const failed = await submit(parameters, { items: types.map((type) => item({ type })) });
		expect(failed.error?.description).toContain('Item 1 was accepted.');
		const gone = { ...parameters, frontImageField: 'gone' };
		const [retried] = jsonOf(await submit(gone, { ...goesOn, retryOf: failed.run.data }));
		expect(retried).toMatchObject({
			outcome: 'accepted',
			for_client: 'Your document was sent before. Please wait for our answer.',
		});
		expect(simulator.state.submittedDocuments).toHaveLength(1);
	});

	it('a document whose reply was lost tells that it may be there', async () => {
		simulator.faults.add({ kind: 'reset-after', match: { method: 'POST' } });
		expect(jsonOf(await submit({}, goesOn))).toMatchObject([
			{
				outcome: 'unknown',
				for_client:
					'We may have your document: please wait for our answer before you send it again.',
			},
		]);
	});
});

it.each<[string, object, RegExp]>([
	[
		'a type that is not asked for',
		{ documentType: byId('drivers_license') },
		/^Document Type is "drivers_license"/,
	],
	[
		'required metadata left empty',
		{ metadata: filled({ number: '', issuing_country: 'DO' }) },
		/^Metadata lacks Passport number \(number\), which Passport requires/,
	],
	[
		"another client's request",
		{ clientId: IDS.otherClient },
		/^Product Request does not belong to this client$/,
	],
])('%s sends nothing, and the error names the field', async (_, parameters, message) => {
	const { error } = await submit(parameters);
	expect(error?.message).toMatch(message);
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
		'1 of 3 is refused, so none was sent: item 3: Document Type is "visa", which this product request does not ask for',
	);
	expect(stopped.error?.description).toContain('Nothing was sent for any of the 3 items.');
	expect(sent()).toEqual(['GET']);

	simulator.reset();
	const node = { onError: 'continueRegularOutput' as const };
	const continued = await submit(parameters, { items, node });
	expect(sent().sort()).toEqual(['GET', 'POST', 'POST']);
	expect(jsonOf(continued).map(({ error, rejected_items }) => error ?? rejected_items)).toEqual([
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
	const replaced = await submit({ options: { replace: true } });
	expect(replaced.error).toBeUndefined();
	expect(simulator.state.submittedDocuments).toHaveLength(2);
});

it('rejected items are a result with a hint', async () => {
	const submitted = await submit({}, { items: [item({}, png('SIMULATOR-REJECT'))] });
	expect(jsonOf(submitted)).toMatchObject([
		{ rejected_items: [{ type: 'document', key: 'passport', reason: expect.any(String) }] },
	]);
	expect(submitted.hints).toEqual([
		'The service rejected parts of 1 document. Read the reasons in rejected_items, correct the parts and submit it again.',
	]);
});

it('the number of a document is sent as text, as its type says', async () => {
	await submit({ metadata: filled({ number: 12345678 }) });
	expect(simulator.requests[1]!.bodyText).toContain('"metadata":{"number":"12345678"}');
});

it('a document of unknown outcome is not sent again, and no error holds its image', async () => {
	simulator.faults.add({ kind: 'reset-after', match: { method: 'POST' } });
	const node = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
	const { run: ended, error } = await submit({}, { node });
	expect(error?.message).toBe(
		'Outcome unknown. This item was sent before, and its outcome is unknown',
	);
	expect(JSON.stringify(ended.data.resultData.error)).not.toContain(image().data.slice(0, 40));
	expect(sent().filter((method) => method === 'POST')).toHaveLength(1);
});

it('a failed check sends nothing, and is repeated, unlike the submission', async () => {
	simulator.faults.add({ kind: 'status', status: 503, times: 3, match: { method: 'GET' } });
	const { error } = await submit({ options: { maxAttempts: 2 } });
	expect(error?.message).toMatch(/not available/);
	expect(error?.description).toContain('Only the check before sending failed. It was not sent.');
	expect((await submit()).error).toBeUndefined();
	expect(sent()).toEqual(['GET', 'GET', 'GET', 'GET', 'POST']);
});

it('a key below the level of the submission is left to the service, and its message is shown', async () => {
	const { error } = await submit({}, { apiKey: API_KEYS[2] });
	expect(error?.message).toBe(
		'The API key was rejected (HTTP 401): This API key has level 2; level 3 is required',
	);
	expect(simulator.ledger).toHaveLength(0);
});
