import { RECIPIENT, TRANSFER_PATH } from '../harness/fixtures.mts';
import { toolExecutor } from '../harness/n8n/agent.mts';
import { simulatorKeys } from '../harness/n8n/credentials.mts';
import { credential, n8n, useN8n } from '../harness/n8n/useN8n.mts';
import { publishChain, type ChainNode } from '../harness/n8n/workflows.mts';
import { API_KEYS } from '../simulator/index.mts';
import { startReceiver } from '../simulator/receiver.mts';
import { simulator } from '../simulator/useSimulator.mts';

useN8n();

/** Data of a credential with a slash after the base URL, as users type it. */
const dataWith = (more: object = {}) => ({
	...simulatorKeys({ url: `${simulator.url}/` }),
	...more,
});

describe('credential in nodes', () => {
	/** Payment by n8n's HTTP Request, past every guard. */
	const httpRequest = (type: string): ChainNode => ({
		name: 'Payment',
		type,
		typeVersion: 4.3,
		credentials: { cardTreasuryApi: credential },
		parameters: {
			authentication: 'predefinedCredentialType',
			nodeCredentialType: 'cardTreasuryApi',
			method: 'POST',
			url: `${simulator.url}${TRANSFER_PATH}`,
			sendBody: true,
			specifyBody: 'json',
			jsonBody: `{ "to": "${RECIPIENT}", "amount": 1 }`,
			options: {},
		},
	});

	it('cannot be used by another node or tool', async () => {
		const node = httpRequest('n8n-nodes-base.httpRequest');
		const tool = httpRequest('n8n-nodes-base.httpRequestTool');
		const attachments = [{ node: tool, into: 'Call', as: 'ai_tool' as const }];
		const restricted = /is restricted to: n8n-nodes-card-treasury/;
		await expect(publishChain(n8n, [node])).rejects.toThrow(restricted);
		const byTool = publishChain(n8n, [toolExecutor('Call', 'Payment')], { attachments });
		await expect(byTool).rejects.toThrow(restricted);
	});
});

describe('credential test', () => {
	const test = async (more: object = {}) =>
		await n8n.rest('POST', '/rest/credentials/test', {
			credentials: { ...credential, type: 'cardTreasuryApi', data: dataWith(more) },
		});

	it.each<[string, object, string]>([
		['passes with a valid key', {}, 'OK'],
		['fails with a wrong key', { apiKey: 'test-wrong-key' }, 'Unauthorized'],
		['sends nothing by http', { baseUrl: 'http://api.example.com' }, 'a Base URL such as https:'],
		['sends nothing with a key for no header', { webhookKey: 'schlüssel' }, 'ASCII'],
	])('%s', async (title, more, expected) => {
		expect(JSON.stringify(await test(more))).toContain(expected);
		expect(simulator.requests.length === 0).toBe(title.startsWith('sends nothing'));
	});

	const page = { headers: { 'content-type': 'text/html' }, body: '<!doctype html><p>n8n' };
	it.each([
		['of a company without tokens passes', { body: [] }, 'OK'],
		['fails for a web page', page, 'The reply is a web page'],
		['fails for 503', { status: 503 }, 'Error'],
	])('%s', async (_name, reply, expected) => {
		const other = await startReceiver(() => reply);
		const tested = await test({ baseUrl: other.url }).finally(other.close);
		expect(JSON.stringify(tested)).toContain(expected);
	});

	it('does not send the key to a redirect, or to another host without https', async () => {
		const target = await startReceiver();
		const service = await startReceiver(() => ({
			status: 307,
			headers: { location: target.url },
		}));
		try {
			// Resolves to this machine, but is no accepted name of it.
			for (const baseUrl of [service.url, target.url.replace('127.0.0.1', '0.0.0.0')])
				expect(await test({ baseUrl })).toMatchObject({ status: 'Error' });
			expect(service.received.map(({ headers }) => headers['x-api-key'])).toEqual([API_KEYS[3]]);
			expect(target.received).toEqual([]);
		} finally {
			await Promise.all([service.close(), target.close()]);
		}
	});
});
