import { openDatabase } from '../harness/database/database.mts';
import { cardOf, NATIVE, RECIPIENT, TRANSFER_PATH, transferOf } from '../harness/fixtures.mts';
import { toolExecutor } from '../harness/n8n/agent.mts';
import { publishChain, startChain, type Chain, type ChainNode } from '../harness/n8n/chain.mts';
import { cardTreasury, cardTreasuryTool } from '../harness/n8n/nodes.mts';
import { ended, runNode } from '../harness/n8n/runNode.mts';
import { createCredential, simulatorKeys } from '../harness/n8n/scenario.mts';
import { credential, scenario, useN8n } from '../harness/n8n/useN8n.mts';
import { API_KEYS } from '../simulator/index.mts';
import { startReceiver, type Receiver } from '../simulator/receiver.mts';
import { amounts, simulator } from '../simulator/useSimulator.mts';

/**
 * Only this package's nodes may use the credential. With n8n's HTTP Request, its users could pay anybody any amount,
 * past every guard. n8n has had this lock since a version between 2.20 and 2.30.
 */

useN8n();

/** Credential data with a slash after the base URL, as a user may type it. */
const dataWith = (more: object = {}) => ({
	...simulatorKeys({ url: `${simulator.url}/` }),
	...more,
});

/** Payment by n8n's HTTP Request node or tool. */
const httpRequest = (type: string, authentication = 'predefinedCredentialType'): ChainNode => ({
	name: 'Payment',
	type,
	typeVersion: 4.3,
	credentials: { cardTreasuryApi: credential },
	parameters: {
		authentication,
		nodeCredentialType: 'cardTreasuryApi',
		method: 'POST',
		url: `${simulator.url}${TRANSFER_PATH}`,
		sendBody: true,
		specifyBody: 'json',
		jsonBody: `{ "to": "${RECIPIENT}", "amount": 1 }`,
		options: {},
	},
});

const publishTool = async (node: ChainNode) =>
	await publishChain(scenario.n8n, [toolExecutor('Call', 'Payment')], {
		attachments: [{ node, into: 'Call', as: 'ai_tool' }],
	});

/** Puts the node into the saved workflow and its published version. */
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

describe('Card Treasury credential', () => {
	describe.each([
		[
			'n8n-nodes-base.httpRequest',
			async (node: ChainNode) => await publishChain(scenario.n8n, [node]),
		],
		['n8n-nodes-base.httpRequestTool', publishTool],
	])('in %s', (type, publish) => {
		it('cannot be saved', async () => {
			await expect(publish(httpRequest(type))).rejects.toThrow(
				/400.*Cannot save workflow.*is restricted to: n8n-nodes-card-treasury/,
			);
		});

		it('does not run in a workflow saved before the lock existed', async () => {
			const chain = await publish(httpRequest(type, 'none'));
			await saveUnchecked(chain, httpRequest(type));
			await startChain(scenario.n8n, chain);
			const { status, failure } = await ended(scenario.n8n, chain, 1);
			expect(status).toBe('error');
			expect(failure.message).toContain('is restricted to specific nodes');
			expect(simulator.requests).toEqual([]);
		});
	});

	describe("in this package's nodes", () => {
		it('lets the node send a request of the resource Endpoint', async () => {
			const parameters = { resource: 'endpoint', operation: 'request', method: 'GET' };
			const { status } = await runNode(scenario.n8n, credential, {
				...parameters,
				path: '/mpc/tokens/list',
			});
			expect(status).toBe('success');
		});

		it('lets the node pay as a tool of an agent', async () => {
			const node = cardTreasuryTool('Payment', transferOf('1', { maximumAmount: '5' }), credential);
			const chain = await publishTool(node);
			await startChain(scenario.n8n, chain);
			expect((await ended(scenario.n8n, chain, 1)).status).toBe('success');
			expect(amounts()).toEqual(['1']);
		});

		it.each([
			['node', cardTreasury({}, { id: '', name: '' }).type],
			['tool', cardTreasuryTool('', {}, { id: '', name: '' }).type],
		])('fills the list of tokens of the %s', async (_, name) => {
			const { results } = await scenario.n8n.rest(
				'POST',
				'/rest/dynamic-node-parameters/resource-locator-results',
				{
					nodeTypeAndVersion: { name, version: 1 },
					methodName: 'walletTransferTokenAddress',
					path: 'parameters.tokenAddress',
					currentNodeParameters: {
						resource: 'wallet',
						operation: 'transfer',
						tokenAddress: NATIVE,
					},
					credentials: { cardTreasuryApi: credential },
				},
			);
			expect(results).toContainEqual(expect.objectContaining({ value: 'native' }));
			// A token that only the simulator knows.
			const token = expect.stringMatching(/^0x70ce0+1$/) as unknown;
			expect(results).toContainEqual(expect.objectContaining({ value: token }));
		});
	});

	it('sends nothing if it is restricted to other domains', async () => {
		const domains = { allowedHttpRequestDomains: 'domains', allowedDomains: 'api.example.com' };
		const elsewhere = await createCredential(scenario.n8n, dataWith(domains));
		const { failure } = await runNode(scenario.n8n, elsewhere, cardOf('get'));
		expect(failure.message).toContain('Allowed Domains in the credential does not list 127.0.0.1');
		expect(simulator.requests).toEqual([]);
	});

	describe('credential test', () => {
		const test = async (more: object = {}) =>
			await scenario.n8n.rest('POST', '/rest/credentials/test', {
				credentials: { ...credential, type: 'cardTreasuryApi', data: dataWith(more) },
			});

		const keysOf = ({ received }: Receiver) => received.map(({ headers }) => headers['x-api-key']);

		it('passes with a valid key and fails with a wrong one', async () => {
			expect(await test()).toMatchObject({ status: 'OK' });
			expect(await test({ apiKey: 'test-wrong-key' })).toMatchObject({
				status: 'Error',
				message: expect.stringContaining('The API key was rejected (HTTP 401)'),
			});
		});

		it('passes for a company without tokens', async () => {
			const empty = await startReceiver(() => ({ body: [] }));
			try {
				expect(await test({ baseUrl: empty.url })).toMatchObject({ status: 'OK' });
			} finally {
				await empty.close();
			}
		});

		it.each(['http://api.example.com', 'api.example.com', 'https://my host.example.com'])(
			'fails for the Base URL %j and shows the correct form',
			async (baseUrl) => {
				expect(await test({ baseUrl })).toMatchObject({
					status: 'Error',
					message: expect.stringContaining('a Base URL such as https://api.example.com'),
				});
			},
		);

		it('refuses a key that no header can carry', async () => {
			for (const keys of [{ webhookKey: 'schlüssel' }, { previousWebhookKey: 'key\u200b-1' }])
				expect(await test(keys)).toMatchObject({
					status: 'Error',
					message: expect.stringContaining('each key has only printable ASCII characters'),
				});
			expect(simulator.requests).toEqual([]);
		});

		it.each([
			[200, '<!doctype html><p>n8n', 'The reply is a web page'],
			[200, '{"status":"ok"}', 'The reply is not the list of tokens'],
			[200, '"ok"', 'The reply is not the list of tokens'],
			[200, '\n<p>n8n', 'The reply is not the list of tokens'],
			[200, '', 'The reply is not the list of tokens'],
			[404, '<p>Not found', 'The reply did not come from the service (HTTP 404)'],
			[503, '', 'The service is not available at the moment (HTTP 503)'],
		])('fails for a server that answers %s with %s', async (status, body, message) => {
			const other = await startReceiver(() => ({
				status,
				body,
				...(body.startsWith('<') && { headers: { 'content-type': 'text/html' } }),
			}));
			try {
				expect(await test({ baseUrl: other.url })).toMatchObject({
					status: 'Error',
					message: expect.stringContaining(message),
				});
			} finally {
				await other.close();
			}
		});

		it('does not send the key to another host without https', async () => {
			const received = await startReceiver();
			try {
				// Resolves to this machine, but is not one of the accepted loopback names.
				const baseUrl = received.url.replace('127.0.0.1', '0.0.0.0');
				expect((await fetch(baseUrl)).status).toBe(200);
				expect(await test({ baseUrl })).toMatchObject({ status: 'Error' });
				expect(keysOf(received)).toEqual([undefined]);
			} finally {
				await received.close();
			}
		});

		it.each([301, 302, 303, 307, 308])('does not follow a redirect (%s)', async (status) => {
			const target = await startReceiver();
			const service = await startReceiver(() => ({ status, headers: { location: target.url } }));
			try {
				expect(await test({ baseUrl: service.url })).toMatchObject({ status: 'Error' });
				expect(keysOf(service)).toEqual([API_KEYS[3]]);
				expect(keysOf(target)).toEqual([]);
			} finally {
				await Promise.all([service.close(), target.close()]);
			}
		});
	});
});
