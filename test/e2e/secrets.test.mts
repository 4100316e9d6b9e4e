import { randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { openDatabase } from '../harness/database/database.mts';
import { byId, transferOf } from '../harness/fixtures.mts';
import { createCredential, keys, type Reference } from '../harness/n8n/credentials.mts';
import { BY_WORKFLOW, send as deliverOnce } from '../harness/n8n/deliveries.mts';
import { endedExecutions } from '../harness/n8n/executions.mts';
import { cardTreasury, failing, noOp, respond } from '../harness/n8n/nodes.mts';
import { n8n, useN8n } from '../harness/n8n/useN8n.mts';
import {
	publishChain,
	publishWorkflow,
	type ChainNode,
	type TriggerWorkflow,
} from '../harness/n8n/workflows.mts';
import { sampleOf } from '../samples/operations.mts';
import { API_KEYS, IDS, sampleEvent, type Fault } from '../simulator/index.mts';
import { simulator } from '../simulator/useSimulator.mts';

/** Secrets recognizable by name alone, so none is part of another text. */
const SECRET = {
	apiKey: API_KEYS[3],
	wrongApiKey: 'test-refused-api-key-5d1f',
	webhookKey: 'test-current-webhook-key-9a3c',
	previousWebhookKey: 'test-previous-webhook-key-71be',
	/** Key of a sender who has no valid one, such as the key of another environment. */
	forgedKey: 'test-forged-webhook-key-e240',
};

/** Random bytes that start like an image. */
const image = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), randomBytes(20_000)]);
/** Parts of the image's base64 text from its start, middle and end. */
const imageText = image.toString('base64');
const imagePieces = [20, 9_000, 20_000].map((start) => imageText.slice(start, start + 40));

/** Plain, base64 and URL-encoded forms. */
const FORBIDDEN = [
	...Object.values(SECRET).flatMap((secret) => [
		secret,
		Buffer.from(secret).toString('base64').slice(0, -4),
	]),
	...imagePieces,
];

let credential: Reference;
let wrongCredential: Reference;
/** Replies to outside callers by n8n's API, its webhooks and the trigger. */
const answers: string[] = [];

useN8n(() => ({ N8N_LOG_LEVEL: 'debug', N8N_DEFAULT_BINARY_DATA_MODE: 'filesystem' }));

beforeAll(async () => {
	credential = await createCredential(n8n, dataWith(SECRET.apiKey));
	wrongCredential = await createCredential(n8n, dataWith(SECRET.wrongApiKey));
});

const dataWith = (apiKey: string) => ({
	...keys(SECRET.webhookKey, SECRET.previousWebhookKey),
	baseUrl: simulator.url,
	apiKey,
});

/** Runs the node after a webhook that receives the image, and returns how the execution ended. */
async function runAction(step: ChainNode): Promise<string> {
	const chain = await publishChain(n8n, [step, noOp('Behind')]);
	const form = new FormData();
	form.append('data', new Blob([new Uint8Array(image)], { type: 'image/png' }), 'front.png');
	const answer = await fetch(chain.url, { method: 'POST', body: form });
	answers.push(await answer.text());
	const [row] = await endedExecutions(n8n, chain, 1);
	answers.push(JSON.stringify(await n8n.rest('GET', `/rest/executions/${row!.id}`)));
	return row!.status;
}

async function send(workflow: TriggerWorkflow, webhookKey: string, event: unknown) {
	const { status, body, error } = await deliverOnce(workflow, event, { webhookKey });
	answers.push(JSON.stringify({ body, error }));
	return status;
}

interface Action {
	/** Default: a transfer. A document is the file `data`. */
	parameters?: object;
	fault?: Fault;
	/** Settings of a node whose key the service refuses. */
	refused?: Partial<ChainNode>;
}

const document = sampleOf('productRequest: submitDocument');
const productRequestId = byId(IDS.rejectedProductRequest);
const noPath = { resource: 'endpoint', operation: 'request', method: 'GET', path: '/no/such/path' };
const conflict: Fault = { kind: 'status', status: 409, match: { method: 'POST' } };
const broken: Fault = { ...conflict, kind: 'reset-before' };
const CONTINUE = { onError: 'continueRegularOutput' };
const ERROR_OUTPUT = { onError: 'continueErrorOutput' };

describe('traffic in which secrets are then looked for', () => {
	it.each<[what: string, ends: 'success' | 'error', Action]>([
		['a transfer', 'success', {}],
		['a key that the service refuses', 'error', { refused: {} }],
		['a refused key under Continue On Fail', 'success', { refused: CONTINUE }],
		['a refused key and an error output', 'success', { refused: ERROR_OUTPUT }],
		['a connection that breaks and is repeated', 'success', { fault: { kind: 'reset-after' } }],
		['an error page of a proxy', 'error', { fault: { kind: 'proxy', status: 404 } }],
		['a path that does not exist', 'error', { parameters: noPath }],
		['a document', 'success', { parameters: document }],
		['a document for no request', 'error', { parameters: { ...document, productRequestId } }],
		['a document that the service refuses', 'error', { parameters: document, fault: conflict }],
		['a document whose connection breaks', 'error', { parameters: document, fault: broken }],
	])('an execution with %s ends as %s', async (_, ends, action) => {
		const { parameters = transferOf('1'), fault, refused } = action;
		if (fault) simulator.faults.add(fault);
		const reference = refused ? wrongCredential : credential;
		expect(await runAction(cardTreasury(parameters, reference, refused))).toBe(ends);
		expect(simulator.requests.length).toBeGreaterThan(0);
	});

	it('the credential test accepts a valid key and rejects an invalid one', async () => {
		for (const [reference, apiKey] of [
			[credential, SECRET.apiKey],
			[wrongCredential, SECRET.wrongApiKey],
		] as const) {
			const { rest } = n8n;
			const tested = await rest('POST', '/rest/credentials/test', {
				credentials: { ...reference, type: 'cardTreasuryApi', data: dataWith(apiKey) },
			});
			const read = await rest('GET', `/rest/credentials/${reference.id}?includeData=true`);
			answers.push(JSON.stringify(tested), JSON.stringify(read));
		}
		expect(answers.at(-4)).toContain('OK');
		expect(answers.at(-2)).toContain('Error');
	});

	it('the trigger accepts both keys, refuses a forged or missing one and a malformed event, and ends a repetition', async () => {
		const parameters = { events: ['cards.cleared', 'cards.declined'] };
		const workflow = await publishWorkflow(n8n, credential, parameters, [
			[noOp('Good')],
			[failing('Bad')],
		]);
		const event = sampleEvent('cards.cleared');
		for (const [status, key, sent] of [
			[200, SECRET.webhookKey, sampleEvent('cards.cleared')],
			[200, SECRET.previousWebhookKey, event],
			[200, SECRET.previousWebhookKey, event],
			[200, SECRET.webhookKey, sampleEvent('cards.declined')],
			[401, SECRET.forgedKey, event],
			[401, '', event],
			[400, SECRET.webhookKey, { product: 'cards' }],
		] as const)
			expect(await send(workflow, key, sent)).toBe(status);
		expect((await endedExecutions(n8n, workflow, 4)).map(({ status }) => status).sort()).toEqual([
			'error',
			'success',
			'success',
			'success',
		]);
	});

	it('the trigger answers authorizations by rules, by the workflow and if it fails, and refuses forged ones', async () => {
		const events = ['cards.authorization'];
		const byWorkflow = { events, ...BY_WORKFLOW };
		for (const [parameters, behind] of [
			[{ events, defaultDecision: 'approve' }, [noOp('Good')]],
			[byWorkflow, [respond(credential)]],
			[byWorkflow, [failing('Bad'), respond(credential)]],
		] as const) {
			const workflow = await publishWorkflow(n8n, credential, parameters, [[...behind]]);
			expect(await send(workflow, SECRET.webhookKey, sampleEvent('cards.authorization'))).toBe(200);
			expect(await send(workflow, SECRET.forgedKey, sampleEvent('cards.authorization'))).toBe(401);
			await endedExecutions(n8n, workflow, 1);
		}
	});
});

/** Rows of n8n's database, each behind the name of its table. Secrets can be split between the pages of the file. */
async function rowsOfDatabase(): Promise<string[]> {
	const database = await openDatabase(n8n.userFolder);
	const rows: string[] = [];
	const tables = await database.query("SELECT name FROM sqlite_master WHERE type = 'table'");
	for (const { name } of tables)
		for (const row of await database.query(`SELECT * FROM "${String(name)}"`)) {
			const values = Object.values(row).map((value) =>
				Buffer.isBuffer(value) ? value.toString('latin1') : String(value),
			);
			rows.push([name, ...values].join(' '));
		}
	await database.close();
	return rows;
}

/** Contents of n8n's files, each behind its path. */
const filesOfN8n = async () =>
	await Promise.all(
		readdirSync(join(n8n.userFolder, '.n8n'), { recursive: true, withFileTypes: true })
			.filter((entry) => entry.isFile())
			.map(({ parentPath, name }) => join(parentPath, name))
			.filter((file) => !file.includes('node_modules'))
			.map(async (file) => `${file} ${await readFile(file, 'latin1')}`),
	);

describe('secrets and images', () => {
	it.each<[string, read: () => Promise<string[]> | string[], proofs: RegExp[]]>([
		[
			'the debug log',
			() => n8n.log().split('\n'),
			[/\bdebug\b/, /Received webhook/, /Stopped on purpose/],
		],
		['any reply', () => answers, [/The API key was rejected/, /front\.png/, /"code\\?":\\?"AUTH/]],
		[
			'any row of the database',
			rowsOfDatabase,
			[/^execution_data .*The API key was rejected/, /^execution_data .*front\.png/],
		],
		['any file that n8n wrote', filesOfN8n, [/^\S+database\.sqlite /]],
	])('are not in %s', async (_, read, proofs) => {
		const texts = await read();
		for (const proof of proofs) expect(texts.some((text) => proof.test(text))).toBe(true);
		const leaked = texts.flatMap((text) =>
			FORBIDDEN.filter((secret) => text.includes(secret)).map((secret) => [
				text.slice(0, 99),
				secret,
			]),
		);
		expect(leaked).toEqual([]);
	});
});
