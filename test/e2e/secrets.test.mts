import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { openDatabase } from '../harness/database/database.mts';
import { createCredential, keys, type Reference } from '../harness/n8n/credentials.mts';
import { BY_WORKFLOW, send as deliverOnce } from '../harness/n8n/deliveries.mts';
import { endedExecutions } from '../harness/n8n/executions.mts';
import { failing, noOp, respond } from '../harness/n8n/nodes.mts';
import { ACTIONS } from '../harness/n8n/secretActions.mts';
import { scenario, useN8n } from '../harness/n8n/useN8n.mts';
import {
	publishChain,
	publishWorkflow,
	type ChainNode,
	type TriggerWorkflow,
} from '../harness/n8n/workflows.mts';
import { API_KEYS, sampleEvent } from '../simulator/index.mts';
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
	credential = await createCredential(scenario.n8n, dataWith(SECRET.apiKey));
	wrongCredential = await createCredential(scenario.n8n, dataWith(SECRET.wrongApiKey));
});

const dataWith = (apiKey: string) => ({
	...keys(SECRET.webhookKey, SECRET.previousWebhookKey),
	baseUrl: simulator.url,
	apiKey,
});

/** Runs the node after a webhook that receives the image, and returns how the execution ended. */
async function runAction(step: ChainNode): Promise<string> {
	const chain = await publishChain(scenario.n8n, [step, noOp('Behind')]);
	const form = new FormData();
	form.append('data', new Blob([new Uint8Array(image)], { type: 'image/png' }), 'front.png');
	const answer = await fetch(chain.url, {
		method: 'POST',
		body: form,
	});
	answers.push(await answer.text());
	const [row] = await endedExecutions(scenario.n8n, chain, 1);
	answers.push(JSON.stringify(await scenario.n8n.rest('GET', `/rest/executions/${row!.id}`)));
	return row!.status;
}

async function send(
	workflow: TriggerWorkflow,
	webhookKey: string,
	event: unknown = sampleEvent('cards.cleared'),
) {
	const { status, body, error } = await deliverOnce(workflow, event, { webhookKey });
	answers.push(JSON.stringify({ body, error }));
	return status;
}

describe('traffic in which secrets are then looked for', () => {
	it.each(ACTIONS)('an execution with $what ends as $ends', async ({ step, ends, fault }) => {
		if (fault) simulator.faults.add(fault);
		expect(await runAction(step(credential, wrongCredential))).toBe(ends);
		expect(simulator.requests.length).toBeGreaterThan(0);
	});

	it('the credential test accepts a valid key and rejects an invalid one', async () => {
		for (const [reference, apiKey] of [
			[credential, SECRET.apiKey],
			[wrongCredential, SECRET.wrongApiKey],
		] as const) {
			const { rest } = scenario.n8n;
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
		const workflow = await publishWorkflow(scenario.n8n, credential, parameters, [
			[noOp('Good')],
			[failing('Bad')],
		]);
		expect(await send(workflow, SECRET.webhookKey)).toBe(200);
		const event = sampleEvent('cards.cleared');
		for (const key of [SECRET.previousWebhookKey, SECRET.previousWebhookKey])
			expect(await send(workflow, key, event)).toBe(200);
		expect(await send(workflow, SECRET.webhookKey, sampleEvent('cards.declined'))).toBe(200);
		expect(await send(workflow, SECRET.forgedKey)).toBe(401);
		expect(await send(workflow, '')).toBe(401);
		expect(await send(workflow, SECRET.webhookKey, { product: 'cards' })).toBe(400);
		expect(
			(await endedExecutions(scenario.n8n, workflow, 4)).map(({ status }) => status).sort(),
		).toEqual(['error', 'success', 'success', 'success']);
	});

	it('the trigger answers authorizations by rules, by the workflow and if it fails, and refuses forged ones', async () => {
		const events = ['cards.authorization'];
		const byRules = {
			events,
			rules: {
				rule: [
					{
						name: 'small',
						decision: 'approve',
						conditions: { amountTo: '100', currencies: 'USD' },
					},
				],
			},
		};
		const byWorkflow = { events, ...BY_WORKFLOW };
		for (const [parameters, behind] of [
			[byRules, [noOp('Good')]],
			[byWorkflow, [respond(credential)]],
			[byWorkflow, [failing('Bad'), respond(credential)]],
		] as const) {
			const workflow = await publishWorkflow(scenario.n8n, credential, parameters, [[...behind]]);
			expect(await send(workflow, SECRET.webhookKey, sampleEvent('cards.authorization'))).toBe(200);
			expect(await send(workflow, SECRET.forgedKey, sampleEvent('cards.authorization'))).toBe(401);
			await endedExecutions(scenario.n8n, workflow, 1);
		}
	});
});

describe('secrets and images', () => {
	/** Returns the forbidden texts within a text. */
	const leaked = (text: string) => FORBIDDEN.filter((secret) => text.includes(secret));

	it('are not in the debug log', async () => {
		expect(scenario.n8n.log()).toMatch(/\bdebug\b/);
		for (const line of ['Received webhook', 'Stopped on purpose'])
			expect(scenario.n8n.log()).toContain(line);
		expect(leaked(scenario.n8n.log())).toEqual([]);
	});

	it('are not in any reply', () => {
		expect(answers.length).toBeGreaterThan(30);
		expect(leaked(answers.join('\n'))).toEqual([]);
	});

	it('are not in any row of the database', async () => {
		const database = await openDatabase(scenario.n8n.userFolder);
		try {
			const tables = await database.query("SELECT name FROM sqlite_master WHERE type = 'table'");
			const rows: string[] = [];
			for (const { name } of tables) {
				for (const row of await database.query(`SELECT * FROM "${String(name)}"`)) {
					const values = Object.values(row).map((value) =>
						Buffer.isBuffer(value) ? value.toString('latin1') : String(value),
					);
					rows.push([name, ...values].join(' '));
				}
			}
			// Stored executions are readable here: those of the actions and the trigger.
			const executions = rows.filter((row) => row.startsWith('execution_data '));
			expect(executions.length).toBeGreaterThan(15);
			expect(executions.some((row) => row.includes('The API key was rejected'))).toBe(true);
			expect(executions.some((row) => row.includes('front.png'))).toBe(true);
			expect(
				rows.flatMap((row) =>
					leaked(row).map((secret) => `${row.slice(0, row.indexOf(' '))}: ${secret}`),
				),
			).toEqual([]);
		} finally {
			await database.close();
		}
	});

	it('are not in any file that n8n wrote', () => {
		const folder = join(scenario.n8n.userFolder, '.n8n');
		const files = readdirSync(folder, { recursive: true, encoding: 'utf8', withFileTypes: true })
			.filter((entry) => entry.isFile())
			.map(({ parentPath, name }) => join(parentPath, name))
			.filter((file) => !file.includes('node_modules'));
		expect(files.some((file) => /database\.sqlite$/.test(file))).toBe(true);
		expect(
			files.flatMap((file) =>
				leaked(readFileSync(file, 'latin1')).map((secret) => `${file}: ${secret}`),
			),
		).toEqual([]);
	});
});
