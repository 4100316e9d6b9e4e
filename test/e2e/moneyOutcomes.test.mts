import { openDatabase } from '../harness/database/database.mts';
import { publishChain, startChain, type ChainNode } from '../harness/n8n/chain.mts';
import { cardTreasury, RECIPIENT, splitItems, transferOf } from '../harness/n8n/nodes.mts';
import { ended, runNode, type RunOptions } from '../harness/n8n/runNode.mts';
import {
	createCredential,
	executions,
	simulatorKeys,
	type Reference,
	type Scenario,
} from '../harness/n8n/scenario.mts';
import { startWithSimulator } from '../harness/n8n/withSimulator.mts';
import { startReceiver } from '../harness/receiver.mts';
import { API_KEYS, IDS, type Simulator } from '../simulator/index.mts';
import { until } from '../simulator/until.mts';

/** What is reported of a payment and what holds it up: Continue On Fail, answers that leave something open, slow nodes. */

let scenario: Scenario;
let simulator: Simulator;
let credential: Reference;
let close: (() => Promise<void>) | undefined;

beforeAll(async () => {
	({ scenario, simulator, credential, close } = await startWithSimulator());
}, 1_500_000);

afterAll(async () => await close?.());

beforeEach(() => simulator.reset());

const NODE = 'Card Treasury';
const run = async (parameters: object, options?: RunOptions, chosen = credential) =>
	await runNode(scenario.n8n, chosen, parameters, options);
const onCard = (operation: string, cardId: string = IDS.activeCard) => ({
	resource: 'card',
	operation,
	cardId,
});
const request = (more: object) => ({ resource: 'endpoint', operation: 'request', ...more });
const executed = () => simulator.ledger.map(({ operation }) => operation);

describe('under Continue On Fail', () => {
	const nowhere = "$('Nowhere').first().json.value";
	const goneFile: ChainNode = {
		name: 'Gone',
		type: 'n8n-nodes-base.code',
		typeVersion: 2,
		parameters: {
			jsCode: `return [1, 2].map(() => ({ json: {}, binary: { data: {
				data: 'filesystem-v2', id: 'filesystem-v2:gone', mimeType: 'image/png', bytes: 900 } } }));`,
		},
	};
	const document = {
		resource: 'productRequest',
		operation: 'submitDocument',
		clientId: IDS.client,
		productRequestId: { __rl: true, mode: 'id', value: IDS.pendingProductRequest },
		documentType: { __rl: true, mode: 'id', value: 'national_id' },
		frontImageField: 'data',
		backImageField: 'data',
		metadata: { mappingMode: 'defineBelow', value: { number: 'X1' } },
	};
	let unreadable: Reference;

	beforeAll(async () => {
		unreadable = await createCredential(scenario.n8n, simulatorKeys(simulator));
		const database = await openDatabase(scenario.n8n.userFolder);
		const sql = "UPDATE credentials_entity SET data = 'damaged' WHERE id = ?";
		await database.query(sql, unreadable.id).finally(async () => await database.close());
	});

	const CASES: Array<[string, object, RunOptions, (() => Reference)?]> = [
		['an expression that throws', transferOf(`={{ ${nowhere} }}`), {}],
		['a credential that cannot be read', transferOf('1'), {}, () => unreadable],
		['a file that is gone', document, { before: [goneFile] }],
		[
			'a decision that throws',
			{
				resource: 'authorization',
				operation: 'respond',
				decision: `={{ ${nowhere} }}`,
				responseCode: '05',
			},
			{},
		],
	];
	const failedItem = expect.objectContaining({ error: expect.any(String), outcome: 'not_sent' });

	it.each(CASES)('%s is the failure of its items, not their success', async (...given) => {
		const [, parameters, options, chosen] = given;
		for (const [onError, outputs] of [
			['continueRegularOutput', [[failedItem, failedItem]]],
			['continueErrorOutput', [[], [failedItem, failedItem]]],
		] as const) {
			const more = { items: [{}, {}], ...options, settings: { onError } };
			const execution = await run(parameters, more, chosen?.());
			expect(execution.status).toBe('success');
			expect(execution.outputs(NODE)).toEqual(outputs);
			expect(simulator.ledger).toEqual([]);
		}
	});

	it('an expression that throws for one item leaves the others alone', async () => {
		const { outputs } = await run(transferOf(`={{ $json.amount ?? ${nowhere} }}`), {
			items: [{ amount: '1' }, {}, { amount: '3' }],
			settings: { onError: 'continueErrorOutput' },
		});
		const [sent, failed] = outputs(NODE)!;
		expect(sent!.map(({ amount }) => amount)).toEqual(['1', '3']);
		expect(failed).toEqual([failedItem]);
		expect(simulator.ledger).toHaveLength(2);
	});
});

describe('what the service leaves open', () => {
	it('a transfer without a status has none, and a hint says that it is not done', async () => {
		simulator.faults.add({ kind: 'no-status' });
		const { outputs, hints } = await run(transferOf('1'));
		expect(outputs(NODE)).toEqual([[expect.objectContaining({ status: null })]]);
		expect(hints(NODE).join()).toContain('without a status');
	});

	it('a 302 WARNING from any path is pending', async () => {
		const path = `/mpc/accounts/${IDS.account}/wallets/${IDS.wallet}/transfer`;
		const jsonBody = JSON.stringify({ to: RECIPIENT, amount: 1 });
		simulator.faults.add({ kind: 'warning' });
		const { outputs } = await run(request({ method: 'POST', path, jsonBody }));
		expect(outputs(NODE)).toEqual([
			[expect.objectContaining({ status: 'PENDING', code: 'WARNING' })],
		]);
		expect(simulator.requests).toHaveLength(1);
	});

	it('a 302 WARNING where none is documented says not to send it again, and does not blame the Base URL', async () => {
		simulator.faults.add({ kind: 'warning' });
		const { failure } = await run(onCard('freeze'));
		expect(failure.description).toMatch(/not send it again/i);
		expect(failure.description).not.toContain('Base URL');
		expect(simulator.requests).toHaveLength(1);
	});

	it.each(['object', 'array', 'string', 'empty'] as const)(
		'a card is unblocked when the answer is: %s',
		async (unblockAnswer) => {
			simulator.settings.unblockAnswer = unblockAnswer;
			const { outputs } = await run(onCard('unblock', IDS.blockedCard));
			expect(outputs(NODE)).toEqual([
				[expect.objectContaining({ card_id: IDS.blockedCard, unblocked: true })],
			]);
			expect(executed()).toEqual(['card.unblock']);
		},
	);
});

it('a transfer is repeated after each 429, which counts as no attempt', async () => {
	simulator.faults.add({ kind: '429', times: 9 });
	expect((await run(transferOf('1', { maxAttempts: 1 }))).status).toBe('success');
	expect(new Set(simulator.requests.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
	expect(simulator.requests).toHaveLength(10);
	expect(executed()).toEqual(['wallet.transfer']);
});

describe('a node that is set to be slow', () => {
	it("does not hold up another workflow's freeze", async () => {
		const items = ['1', '2', '3'].map((amount) => ({ amount }));
		const slow = await publishChain(scenario.n8n, [
			splitItems,
			cardTreasury(transferOf('={{ $json.amount }}', { requestsPerSecond: 0.1 }), credential),
		]);
		const freeze = await publishChain(scenario.n8n, [cardTreasury(onCard('freeze'), credential)]);
		await startChain(scenario.n8n, slow, { items });
		await until(() => simulator.ledger.length > 0, 30_000);
		await startChain(scenario.n8n, freeze);
		expect((await ended(scenario.n8n, freeze, 1)).status).toBe('success');
		const [running] = await executions(scenario.n8n, slow);
		expect(running!.status).toBe('running');
		// The next transfer would have been ten seconds after the first.
		expect(executed().slice(0, 2)).toEqual(['wallet.transfer', 'card.freeze']);
		await scenario.n8n.rest('POST', `/rest/executions/${running!.id}/stop`);
		await ended(scenario.n8n, slow, 1);
	});

	it('still repeats what was not executed', async () => {
		simulator.faults.add({ kind: 'status', status: 503 });
		const { status } = await run(transferOf('1', { requestsPerSecond: 0.4 }));
		expect(status).toBe('success');
		expect(simulator.requests).toHaveLength(2);
	});
});

describe('the API key', () => {
	const test = async (reference: Reference, data: object) =>
		await scenario.n8n.rest('POST', '/rest/credentials/test', {
			credentials: { ...reference, type: 'cardTreasuryApi', data },
		});

	it('is not sent by Test to another host without https', async () => {
		const received = await startReceiver();
		try {
			// Leads to this machine, and is not one of the names that mean it.
			const baseUrl = received.url.replace('127.0.0.1', '0.0.0.0');
			expect((await fetch(baseUrl)).status).toBe(200);
			const data = { ...simulatorKeys(simulator), baseUrl };
			expect(await test(credential, data)).toMatchObject({ status: 'Error' });
			expect(received.keys()).toEqual([undefined]);
		} finally {
			await received.close();
		}
	});

	it.each([301, 302, 303, 307, 308])('does not follow a redirect (%s) of Test', async (status) => {
		const target = await startReceiver();
		const service = await startReceiver(status, target.url);
		try {
			const data = { ...simulatorKeys(simulator), baseUrl: service.url };
			expect(await test(credential, data)).toMatchObject({ status: 'Error' });
			expect(service.keys()).toEqual([API_KEYS[3]]);
			expect(target.keys()).toEqual([]);
		} finally {
			await Promise.all([service.close(), target.close()]);
		}
	});

	it('may end in a line break that was copied along', async () => {
		const copied = await createCredential(
			scenario.n8n,
			simulatorKeys(simulator, `${API_KEYS[3]}\n`),
		);
		expect((await run(onCard('get'), {}, copied)).status).toBe('success');
	});

	it('is named when it holds a line break', async () => {
		const broken = await createCredential(scenario.n8n, simulatorKeys(simulator, 'test-\nkey'));
		const { failure } = await run(onCard('get'), {}, broken);
		expect(failure.message).toContain('API Key in the credential');
	});

	it.each(['/..\u0001', '/a/%2e%2e/b', '/a\u200b'])('does not go to the path %j', async (path) => {
		const { failure } = await run(request({ method: 'GET', path }));
		expect(failure.message).toContain('Path');
		expect(simulator.requests).toEqual([]);
	});
});
