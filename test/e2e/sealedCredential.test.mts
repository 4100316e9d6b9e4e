import { openDatabase } from '../harness/database/database.mts';
import { publishChain, startChain, type Chain, type ChainNode } from '../harness/n8n/chain.mts';
import {
	cardTreasury,
	cardTreasuryTool,
	NATIVE,
	RECIPIENT,
	transferOf,
} from '../harness/n8n/nodes.mts';
import { ended, runNode } from '../harness/n8n/runNode.mts';
import { simulatorKeys, type Reference, type Scenario } from '../harness/n8n/scenario.mts';
import { startWithSimulator } from '../harness/n8n/withSimulator.mts';
import { IDS, type Simulator } from '../simulator/index.mts';

/**
 * The credential opens for this pack's nodes alone: with n8n's HTTP Request, whoever uses it could pay anybody any amount,
 * past every guard. n8n has this lock since some version between 2.20 and 2.30.
 */

let scenario: Scenario;
let simulator: Simulator;
let credential: Reference;
let close: (() => Promise<void>) | undefined;

beforeAll(async () => {
	({ scenario, simulator, credential, close } = await startWithSimulator());
}, 1_500_000);

afterAll(async () => await close?.());

beforeEach(() => simulator.reset());

/** A payment by n8n's HTTP Request node, or by its twin for agents. */
const httpRequest = (type: string, authentication = 'predefinedCredentialType'): ChainNode => ({
	name: 'Payment',
	type,
	typeVersion: 4.3,
	credentials: { cardTreasuryApi: credential },
	parameters: {
		authentication,
		nodeCredentialType: 'cardTreasuryApi',
		method: 'POST',
		url: `${simulator.url}/mpc/accounts/${IDS.account}/wallets/${IDS.wallet}/transfer`,
		sendBody: true,
		specifyBody: 'json',
		jsonBody: `{ "to": "${RECIPIENT}", "amount": 1 }`,
		options: {},
	},
});

/** n8n's own way to run a tool without a model. */
const executor: ChainNode = {
	name: 'Call',
	type: '@n8n/n8n-nodes-langchain.toolExecutor',
	typeVersion: 1,
	parameters: { query: '{ "Payment": {} }', toolName: 'Payment', node: '' },
};

const publishTool = async (node: ChainNode) =>
	await publishChain(scenario.n8n, [executor], {
		attachments: [{ node, into: executor.name, as: 'ai_tool' }],
	});

/** Puts the node into the stored workflow, and into the version of it that is published. */
async function saveUnchecked({ id }: Chain, changed: ChainNode): Promise<void> {
	const database = await openDatabase(scenario.n8n.userFolder);
	try {
		const [row] = await database.query('SELECT nodes FROM workflow_entity WHERE id = ?', id);
		const nodes = (JSON.parse(String(row?.nodes)) as ChainNode[]).map((node) =>
			node.name === changed.name ? { ...node, ...changed } : node,
		);
		for (const [table, key] of [
			['workflow_entity', 'id'],
			['workflow_history', 'workflowId'],
		])
			await database.query(
				`UPDATE ${table} SET nodes = ? WHERE ${key} = ?`,
				JSON.stringify(nodes),
				id,
			);
	} finally {
		await database.close();
	}
}

describe.each([
	[
		'n8n-nodes-base.httpRequest',
		async (node: ChainNode) => await publishChain(scenario.n8n, [node]),
	],
	['n8n-nodes-base.httpRequestTool', publishTool],
])('%s', (type, publish) => {
	it('is not saved with the credential', async () => {
		await expect(publish(httpRequest(type))).rejects.toThrow(
			/400.*Cannot save workflow.*is restricted to: n8n-nodes-card-treasury/,
		);
	});

	it('does not run with it in a workflow that was saved before there was a lock', async () => {
		const chain = await publish(httpRequest(type, 'none'));
		await saveUnchecked(chain, httpRequest(type));
		await startChain(scenario.n8n, chain);
		const { status, failure } = await ended(scenario.n8n, chain, 1);
		expect(status).toBe('error');
		expect(failure.message).toContain('is restricted to specific nodes');
		expect(simulator.requests).toEqual([]);
	});
});

describe("the pack's own", () => {
	it('node runs, also with Endpoint: Request', async () => {
		const parameters = { resource: 'endpoint', operation: 'request', method: 'GET' };
		const { status } = await runNode(scenario.n8n, credential, {
			...parameters,
			path: '/mpc/tokens/list',
		});
		expect(status).toBe('success');
	});

	it('tool runs', async () => {
		const node = cardTreasuryTool('Payment', transferOf('1', { maximumAmount: '5' }), credential);
		const chain = await publishTool(node);
		await startChain(scenario.n8n, chain);
		expect((await ended(scenario.n8n, chain, 1)).status).toBe('success');
		expect(simulator.ledger.map(({ amountText }) => amountText)).toEqual(['1']);
	});

	it.each([
		['node', cardTreasury({}, { id: '', name: '' }).type],
		['tool', cardTreasuryTool('', {}, { id: '', name: '' }).type],
	])("%s's lists are loaded", async (_, name) => {
		const { results } = await scenario.n8n.rest(
			'POST',
			'/rest/dynamic-node-parameters/resource-locator-results',
			{
				nodeTypeAndVersion: { name, version: 1 },
				methodName: 'walletTransferTokenAddress',
				path: 'parameters.tokenAddress',
				currentNodeParameters: { resource: 'wallet', operation: 'transfer', tokenAddress: NATIVE },
				credentials: { cardTreasuryApi: credential },
			},
		);
		expect(results).toContainEqual(expect.objectContaining({ value: 'native' }));
		expect(simulator.requests.map(({ path }) => path)).toEqual(['/mpc/tokens/list']);
	});

	it('credential passes its test', async () => {
		const tested = await scenario.n8n.rest('POST', '/rest/credentials/test', {
			credentials: {
				...credential,
				type: 'cardTreasuryApi',
				data: simulatorKeys(simulator),
			},
		});
		expect(tested.status).toBe('OK');
	});
});
