import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { installN8n } from '../harness/n8n/install.mts';
import { transferOf } from '../harness/n8n/nodes.mts';
import { packPack, startN8n, type RunningN8n } from '../harness/n8n/n8n.mts';
import { startReceiver } from '../harness/receiver.mts';
import { createCredential, simulatorKeys, type Reference } from '../harness/n8n/scenario.mts';
import {
	API_KEYS,
	IDS,
	MAGIC_RECIPIENTS,
	startSimulator,
	type Simulator,
} from '../simulator/index.mts';

let n8n: RunningN8n;
let simulator: Simulator;
let folder: string;
let credential: Reference;
let wrongCredential: Reference;
let workflows = 0;

beforeAll(async () => {
	simulator = await startSimulator();
	folder = mkdtempSync(join(tmpdir(), 'card-treasury-e2e-'));
	const installation = await installN8n((line) => process.stdout.write(`${line}\n`));
	n8n = await startN8n(installation, await packPack(folder));
	credential = await createCredential(n8n, credentialData(API_KEYS[3]));
	wrongCredential = await createCredential(n8n, credentialData('test-wrong-key'));
}, 1_500_000);

afterAll(async () => {
	await n8n?.stop();
	await simulator?.close();
	rmSync(folder, { recursive: true, force: true });
});

beforeEach(() => simulator.reset());

/** The base URL as a user may type it: with a slash at its end. */
const credentialData = (apiKey: string) => simulatorKeys({ url: `${simulator.url}/` }, apiKey);

const transfer = transferOf('0.000001');

interface Step {
	parameters: object;
	/** What the webhook answers with; the items of the last node unless given. */
	response?: object;
	credential?: { id: string; name: string };
	onError?: string;
}

/** Runs a workflow of a webhook and one step as a user does: saved, activated, called. */
async function call(
	{
		parameters,
		credential: chosen = credential,
		onError,
		response = { responseData: 'allEntries' },
	}: Step,
	upload?: Buffer,
) {
	const path = `e2e-${++workflows}`;
	const created = await n8n.rest('POST', '/rest/workflows', {
		name: path,
		active: false,
		settings: {},
		nodes: [
			{
				id: 'a',
				name: 'Webhook',
				type: 'n8n-nodes-base.webhook',
				typeVersion: 2,
				position: [0, 0],
				webhookId: path,
				parameters: {
					path,
					httpMethod: 'POST',
					responseMode: 'lastNode',
					options: {},
					...response,
				},
			},
			{
				id: 'b',
				name: 'Card Treasury',
				type: 'n8n-nodes-card-treasury.cardTreasury',
				typeVersion: 1,
				position: [200, 0],
				parameters,
				credentials: { cardTreasuryApi: chosen },
				...(onError ? { onError } : {}),
			},
			{
				id: 'c',
				name: 'Good',
				type: 'n8n-nodes-base.noOp',
				typeVersion: 1,
				position: [400, 0],
				parameters: {},
			},
			{
				id: 'd',
				name: 'Bad',
				type: 'n8n-nodes-base.noOp',
				typeVersion: 1,
				position: [400, 200],
				parameters: {},
			},
		],
		connections: {
			Webhook: { main: [[{ node: 'Card Treasury', type: 'main', index: 0 }]] },
			'Card Treasury': {
				main: [
					[{ node: 'Good', type: 'main', index: 0 }],
					...(onError === 'continueErrorOutput' ? [[{ node: 'Bad', type: 'main', index: 0 }]] : []),
				],
			},
		},
	});
	await n8n.rest('POST', `/rest/workflows/${String(created.id)}/activate`, {
		versionId: created.versionId,
	});
	for (let tries = 1; ; tries++) {
		const form = new FormData();
		if (upload)
			form.append('data', new Blob([new Uint8Array(upload)], { type: 'text/plain' }), 'front.bin');
		const answer = await fetch(`${n8n.url}/webhook/${path}`, {
			method: 'POST',
			...(upload ? { body: form } : {}),
		});
		const text = await answer.text();
		const isJson = answer.ok && answer.headers.get('content-type')?.includes('json');
		const items = isJson ? (JSON.parse(text) as Array<Record<string, unknown>>) : [];
		if (answer.status !== 404 || tries >= 20)
			return { status: answer.status, type: answer.headers.get('content-type'), text, items };
		await new Promise((resolve) => setTimeout(resolve, 250));
	}
}

describe('the test of the credential', () => {
	const test = async ({ id, name }: Reference, data: object) =>
		await n8n.rest('POST', '/rest/credentials/test', {
			credentials: { id, name, type: 'cardTreasuryApi', data },
		});

	it('says whether the key is right', async () => {
		expect(await test(credential, credentialData(API_KEYS[3]))).toMatchObject({ status: 'OK' });
		expect(await test(wrongCredential, credentialData('test-wrong-key'))).toMatchObject({
			status: 'Error',
			message: expect.stringContaining('The API key was rejected (HTTP 401)'),
		});
	});

	it('passes for a company without tokens', async () => {
		const empty = await startReceiver(200, undefined, '[]');
		try {
			const data = { ...credentialData(API_KEYS[3]), baseUrl: empty.url };
			expect(await test(credential, data)).toMatchObject({ status: 'OK' });
		} finally {
			await empty.close();
		}
	});

	it.each(['http://api.example.com', 'api.example.com', 'https://my host.example.com'])(
		'says what a base URL such as %j should be',
		async (baseUrl) => {
			expect(await test(credential, { ...credentialData(API_KEYS[3]), baseUrl })).toMatchObject({
				status: 'Error',
				message: expect.stringContaining('a Base URL such as https://api.example.com'),
			});
		},
	);

	it.each([
		[200, '<!doctype html><p>n8n', 'A web page answered instead of the service'],
		[200, '{"status":"ok"}', 'not with the list of tokens'],
		[200, '"ok"', 'not with the list of tokens'],
		[200, '\n<p>n8n', 'not with the list of tokens'],
		[200, '', 'not with the list of tokens'],
		[404, '<p>Not found', 'The reply did not come from the service (HTTP 404)'],
		[503, '', 'The service is not available at the moment (HTTP 503)'],
	])('takes nothing for the service that answers %s with %s', async (status, body, message) => {
		const other = await startReceiver(status, undefined, body);
		try {
			const data = { ...credentialData(API_KEYS[3]), baseUrl: other.url };
			expect(await test(credential, data)).toMatchObject({
				status: 'Error',
				message: expect.stringContaining(message),
			});
		} finally {
			await other.close();
		}
	});
});

it('gives 302 WARNING as one pending item after exactly one request', async () => {
	const { items } = await call({ parameters: { ...transfer, to: MAGIC_RECIPIENTS.WARNING } });
	expect(items).toEqual([
		expect.objectContaining({ transaction_hash: null, status: 'PENDING', code: 'WARNING' }),
	]);
	expect(simulator.requests).toHaveLength(1);
});

it('sends a transfer with a refused key exactly once', async () => {
	const { status } = await call({ parameters: transfer, credential: wrongCredential });
	expect(status).toBe(500);
	expect(simulator.requests).toHaveLength(1);
	expect(simulator.ledger).toHaveLength(0);
});

it('puts a refused item on the error output', async () => {
	const parameters = { resource: 'card', operation: 'get', cardId: 'unknown' };
	const { items } = await call({ parameters, onError: 'continueErrorOutput' });
	expect(items[0]).toMatchObject({
		code: 'NOT_FOUND',
		http_status: 404,
		trace_id: expect.any(String),
	});
});

it('submits a document from an uploaded file', async () => {
	const png = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(256)]);
	const { items, text } = await call(
		{
			parameters: {
				resource: 'productRequest',
				operation: 'submitDocument',
				clientId: IDS.client,
				productRequestId: { __rl: true, mode: 'id', value: IDS.pendingProductRequest },
				documentType: { __rl: true, mode: 'id', value: 'national_id' },
				frontImageField: 'data',
				backImageField: 'data',
				metadata: { mappingMode: 'defineBelow', value: { number: 'X1' } },
			},
			onError: 'continueRegularOutput',
		},
		png,
	);
	expect(simulator.requests.map(({ method }) => method)).toEqual(['GET', 'POST']);
	expect(simulator.state.submittedDocuments).toHaveLength(1);
	expect(text).not.toContain(png.toString('base64').slice(0, 60));
	expect(items).toEqual([expect.objectContaining({ rejected_items: [] })]);
});

it('downloads a statement as a PDF file', async () => {
	const parameters = {
		resource: 'cardTransaction',
		operation: 'downloadStatement',
		cardId: IDS.activeCard,
		fromDate: '2026-01-01',
		toDate: '2026-01-31',
		binaryPropertyName: 'statement',
	};
	const { text, type } = await call({
		parameters,
		response: { responseData: 'firstEntryBinary', responseBinaryPropertyName: 'statement' },
	});
	expect(type).toContain('application/pdf');
	expect(text).toMatch(/^%PDF-[\s\S]*%%EOF\s*$/);
});

it('uses a credential with the domains only that it is allowed for', async () => {
	const data = {
		...credentialData(API_KEYS[3]),
		allowedHttpRequestDomains: 'domains',
		allowedDomains: 'api.example.com',
	};
	const elsewhere = await createCredential(n8n, data);
	const parameters = { resource: 'card', operation: 'get', cardId: IDS.activeCard };
	const { items } = await call({
		parameters,
		credential: elsewhere,
		onError: 'continueRegularOutput',
	});
	expect(JSON.stringify(items)).toContain(
		'Allowed Domains in the credential does not list 127.0.0.1',
	);
	expect(simulator.requests).toHaveLength(0);
});

it('keeps the API key out of the log', () => {
	expect(n8n.log()).not.toContain(API_KEYS[3]);
});
