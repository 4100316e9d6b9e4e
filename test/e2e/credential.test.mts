import { cardOf, RECIPIENT, TRANSFER_PATH } from '../harness/fixtures.mts';
import { toolExecutor } from '../harness/n8n/agent.mts';
import { createCredential, simulatorKeys, type Reference } from '../harness/n8n/credentials.mts';
import { ended } from '../harness/n8n/executions.mts';
import {
	itemsOf,
	outcomesOf,
	paid,
	pay,
	payments,
	publishPayments,
} from '../harness/n8n/payments.mts';
import { credential, scenario, useN8n } from '../harness/n8n/useN8n.mts';
import { publishChain, runNode, startChain, type ChainNode } from '../harness/n8n/workflows.mts';
import { API_KEYS } from '../simulator/index.mts';
import { startReceiver } from '../simulator/receiver.mts';
import { until } from '../simulator/until.mts';
import { amounts, simulator } from '../simulator/useSimulator.mts';

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
		for (const published of [
			publishChain(scenario.n8n, [node]),
			publishChain(scenario.n8n, [toolExecutor('Call', 'Payment')], { attachments }),
		])
			await expect(published).rejects.toThrow(/is restricted to: n8n-nodes-card-treasury/);
	});

	it('sends nothing if it is restricted to other domains', async () => {
		const domains = { allowedHttpRequestDomains: 'domains', allowedDomains: 'api.example.com' };
		const elsewhere = await createCredential(scenario.n8n, dataWith(domains));
		const { failure } = await runNode(scenario.n8n, elsewhere, cardOf('get'));
		expect(failure.message).toContain('Allowed Domains in the credential does not list 127.0.0.1');
		expect(simulator.requests).toEqual([]);
	});

	const edit = async ({ id, name }: Reference, data: object) =>
		await scenario.n8n.rest('PATCH', `/rest/credentials/${id}`, {
			name,
			type: 'cardTreasuryApi',
			data,
		});

	it('that is edited in the middle of a run is used from the next run on, and so is a rotated key', async () => {
		const chosen = await createCredential(scenario.n8n, dataWith());
		const chain = await publishPayments(payments(), {
			chosen,
			settings: { onError: 'continueRegularOutput' },
		});
		await startChain(chain, { items: itemsOf(30) });
		await until(() => amounts().length > 5, 30_000);
		await edit(chosen, dataWith({ apiKey: 'test-mistyped-key' }));
		expect(outcomesOf(await ended(scenario.n8n, chain, 1))).toEqual(Array(30).fill('done'));
		expect(paid(await pay(chain, [{ amount: '31' }], 2))).toMatchObject([
			{ outcome: 'rejected', http_status: 401 },
		]);
		await edit(chosen, dataWith({ apiKey: API_KEYS[2] }));
		const again = outcomesOf(await pay(chain, [{ amount: '30' }, { amount: '31' }], 3));
		expect(again).toEqual(['already_sent', 'done']);
		expect(simulator.requests.at(-1)!.apiKeyLevel).toBe(2);
	});
});

describe('credential test', () => {
	const test = async (more: object = {}) =>
		await scenario.n8n.rest('POST', '/rest/credentials/test', {
			credentials: { ...credential, type: 'cardTreasuryApi', data: dataWith(more) },
		});

	const form = 'a Base URL such as https://api.example.com';
	it.each<[string, object, string]>([
		['passes with a valid key', {}, 'OK'],
		['fails with a wrong key', { apiKey: 'test-wrong-key' }, 'Unauthorized'],
		['sends nothing by http', { baseUrl: 'http://api.example.com' }, form],
		['sends nothing without a scheme', { baseUrl: 'api.example.com' }, form],
		['sends nothing with a webhook key for no header', { webhookKey: 'schlüssel' }, 'ASCII'],
		['sends nothing with such a previous key', { previousWebhookKey: 'key\u200b' }, 'ASCII'],
	])('%s', async (title, more, expected) => {
		expect(JSON.stringify(await test(more))).toContain(expected);
		expect(simulator.requests.length === 0).toBe(title.startsWith('sends nothing'));
	});

	const page = { headers: { 'content-type': 'text/html' }, body: '<!doctype html><p>n8n' };
	it.each([
		['of a company without tokens passes', { body: [] }, 'OK'],
		['fails for a web page', page, 'The reply is a web page'],
		['fails for 404', { status: 404 }, 'Error'],
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
