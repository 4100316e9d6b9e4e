import type { ChainNode } from '../harness/n8n/chain.mts';
import { retryExecution } from '../harness/n8n/executions.mts';
import { NATIVE, RECIPIENT, splitItems, transferOf } from '../harness/n8n/nodes.mts';
import { ended, runNode, type RunOptions } from '../harness/n8n/runNode.mts';
import {
	createCredential,
	simulatorKeys,
	type Reference,
	type Scenario,
} from '../harness/n8n/scenario.mts';
import { startWithSimulator } from '../harness/n8n/withSimulator.mts';
import { IDS, type Simulator } from '../simulator/index.mts';

/** What n8n's own edges do to a payment: guards whose expression gives nothing, Retry On Fail, manual retries. */

let scenario: Scenario;
let simulator: Simulator;
let credential: Reference;
let productionCredential: Reference;
let close: (() => Promise<void>) | undefined;

beforeAll(async () => {
	({ scenario, simulator, credential, close } = await startWithSimulator());
	productionCredential = await createCredential(scenario.n8n, {
		...simulatorKeys(simulator),
		environment: 'production',
	});
}, 1_500_000);

afterAll(async () => await close?.());

beforeEach(() => simulator.reset());

const NODE = 'Card Treasury';
/** A transfer by the operation that knows nothing of transfers; `item` tells the requests apart. */
const request = (more: object = {}) => ({
	resource: 'endpoint',
	operation: 'request',
	method: 'POST',
	path: `/mpc/accounts/${IDS.account}/wallets/${IDS.wallet}/transfer`,
	queryParameters: { parameter: [{ name: 'item', value: '={{ $json.amount }}' }] },
	jsonBody: `={{ JSON.stringify({ to: "${RECIPIENT}", amount: $json.amount }) }}`,
	...more,
});

const run = async (parameters: object, options?: RunOptions, chosen = credential) =>
	await runNode(scenario.n8n, chosen, parameters, options);
const amounts = () => simulator.ledger.map(({ amountText }) => amountText);
/** How often each item was sent. */
const sentPerItem = () =>
	simulator.requests.reduce<Record<string, number>>((counts, { path }) => {
		const item = new URLSearchParams(path.split('?')[1]).get('item') ?? '';
		return { ...counts, [item]: (counts[item] ?? 0) + 1 };
	}, {});
const tries = (maxTries: number) => ({ retryOnFail: true, maxTries, waitBetweenTries: 100 });

describe('nothing is sent when', () => {
	it.each([
		['maximumAmount', 'Maximum Amount'],
		['maximumTotal', 'Maximum Total'],
		['maximumTransfers', 'Maximum Transfers'],
		['allowedRecipients', 'Allowed Recipients'],
		['onlyInEnvironment', 'Only in Environment'],
		['idempotencyKey', 'Idempotency Key'],
		['dryRun', 'Dry Run'],
	])('the expression of the option %s gives nothing', async (name, label) => {
		const { failure } = await run(transferOf('99999', { [name]: '={{ $json.missing }}' }));
		expect(failure.message).toContain(label);
		expect(simulator.requests).toEqual([]);
	});

	it.each(['={{ $json.tokn }}', '={{ "" }}', '={{ null }}'])('the token is %s', async (value) => {
		const tokenAddress = { __rl: true, mode: 'id', value };
		const { failure } = await run({ ...transferOf('500'), tokenAddress });
		expect(failure.message).toContain('Token');
		expect(simulator.requests).toEqual([]);
	});

	it.each([
		['a letter of the recipient is mistyped', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD'],
		['the recipient is the zero address', `0x${'0'.repeat(40)}`],
	])('%s', async (_, to) => {
		const { failure } = await run({ ...transferOf('5'), to });
		expect(failure.message).toContain('Recipient Address');
		expect(simulator.requests).toEqual([]);
	});

	it("the recipient is the token's own contract", async () => {
		const { address } = simulator.state.records.tokens.find(({ symbol }) => symbol === 'USDC')!;
		const tokenAddress = { __rl: true, mode: 'list', value: address };
		const { failure } = await run({ ...transferOf('5'), tokenAddress, to: address });
		expect(failure.message).toContain("the token's own contract");
		expect(simulator.requests).toEqual([]);
	});

	it.each([
		['add up to more than Maximum Total', { maximumTotal: '0.599999' }, 'add up to 0.6'],
		['are more than Maximum Transfers', { maximumTransfers: 2 }, 'this run has 3 transfers'],
	])('the items %s', async (_, options, message) => {
		const items = ['0.1', '0.2', '0.3'].map((amount) => ({ amount }));
		const { failure } = await run(transferOf('={{ $json.amount }}', options), { items });
		expect(failure.message).toContain(message);
		expect(simulator.requests).toEqual([]);
	});

	it('the credential is of another environment', async () => {
		const parameters = transferOf('5', { onlyInEnvironment: 'production' });
		const { failure } = await run(parameters);
		expect(failure.message).toContain('Only in Environment');
		expect(simulator.requests).toEqual([]);
		expect((await run(parameters, {}, productionCredential)).status).toBe('success');
	});
});

it('what stays within all guards is sent, the native coin because it was chosen', async () => {
	const options = {
		maximumAmount: '0.3',
		maximumTotal: '0.6',
		maximumTransfers: 3,
		allowedRecipients: RECIPIENT,
		onlyInEnvironment: 'sandbox',
	};
	const items = ['0.1', '0.2', '0.3'].map((amount) => ({ amount }));
	const parameters = { ...transferOf('={{ $json.amount }}', options), tokenAddress: NATIVE };
	expect((await run(parameters, { items })).status).toBe('success');
	expect(amounts().sort()).toEqual(['0.1', '0.2', '0.3']);
	for (const { bodyText } of simulator.requests)
		expect(JSON.parse(bodyText)).not.toHaveProperty('token_address');
});

describe('a write without a key', () => {
	const items = [1, 2, 3, 4].map((amount) => ({ amount }));
	const refuseThird = (times: number) =>
		simulator.faults.add({ kind: 'status', status: 412, match: { path: 'item=3' }, times });

	it('that was accepted is not sent again by Retry On Fail', async () => {
		refuseThird(99);
		const { status, failure } = await run(request(), { items, settings: tries(3) });
		expect(status).toBe('error');
		expect(sentPerItem()).toMatchObject({ 1: 1, 2: 1, 3: 3 });
		expect(sentPerItem()[4] ?? 0).toBeLessThan(2);
		expect(failure.description).toMatch(/Items 0(,| and) 1( and 3)? were accepted\./);
	});

	it('that was accepted is not sent again when n8n tries again for an item that goes on as failed', async () => {
		simulator.faults.add({ kind: 'status', status: 412, match: { path: 'item=1' } });
		const settings = { ...tries(3), onError: 'continueRegularOutput' };
		const { outputs } = await run(request(), { items, settings });
		expect(sentPerItem()).toEqual({ 1: 2, 2: 1, 3: 1, 4: 1 });
		expect(outputs(NODE)![0]!.map(({ status }) => status)).toEqual(items.map(() => 'SUCCESS'));
	});

	it('that was accepted is not sent again by a manual retry, which gives its output again', async () => {
		refuseThird(1);
		const { id, chain, status } = await run(request(), { items });
		expect(status).toBe('error');
		await retryExecution(scenario.n8n, id);
		const retried = await ended(scenario.n8n, chain, 2);
		expect(retried.status).toBe('success');
		expect(sentPerItem()).toEqual({ 1: 1, 2: 1, 3: 2, 4: 1 });
		expect(retried.outputs(NODE)![0]).toEqual(
			items.map(() => expect.objectContaining({ status: 'SUCCESS' })),
		);
	});

	it('whose outcome is unknown is sent again by neither', async () => {
		simulator.faults.add({ kind: 'reset-after' });
		const { id, chain, failure } = await run(request(), {
			items: [{ amount: 1 }],
			settings: tries(3),
		});
		expect(failure.message).toContain('outcome is unknown');
		await retryExecution(scenario.n8n, id);
		expect((await ended(scenario.n8n, chain, 2)).status).toBe('error');
		expect(sentPerItem()).toEqual({ 1: 1 });
	});

	it('is not followed by another one in its place while its outcome is unknown', async () => {
		simulator.faults.add({ kind: 'reset-after' });
		const jsonBody = `={{ JSON.stringify({ to: "${RECIPIENT}", amount: $now.toMillis() % 100000000 }) }}`;
		const { failure } = await run(request({ jsonBody }), {
			items: [{ amount: 1 }],
			settings: tries(3),
		});
		expect(failure.message).toContain('with other values');
		expect(simulator.requests).toHaveLength(1);
	});
});

it('a transfer whose amount changes with time is not sent as another one by Retry On Fail', async () => {
	simulator.faults.add({ kind: 'status', status: 500, effect: true, times: 9 });
	const amount = '={{ String($now.toMillis() % 100000000) }}';
	const { failure } = await run(transferOf(amount, { maxAttempts: 1 }), { settings: tries(3) });
	expect(failure.message).toContain('with other values');
	expect(simulator.requests).toHaveLength(1);
});

it('a corrected workflow, retried, sends what was rejected, and nothing that was accepted', async () => {
	const parameters = { ...transferOf('={{ $json.amount }}'), walletId: '={{ $json.wallet }}' };
	const items = [
		{ amount: '1', wallet: IDS.wallet },
		{ amount: '2', wallet: 'mistyped' },
	];
	const { id, chain, failure } = await run(parameters, { items });
	expect(failure.message).toContain('Wallet not found');
	const { nodes, connections, settings } = await scenario.n8n.rest(
		'GET',
		`/rest/workflows/${chain.id}`,
	);
	const node = (nodes as ChainNode[]).find(({ name }) => name === NODE)!;
	node.parameters = { ...parameters, walletId: IDS.wallet };
	await scenario.n8n.rest('PATCH', `/rest/workflows/${chain.id}`, { nodes, connections, settings });
	await retryExecution(scenario.n8n, id, 'currently saved');
	expect((await ended(scenario.n8n, chain, 2)).status).toBe('success');
	expect(amounts()).toEqual(['1', '2']);
	expect(simulator.requests).toHaveLength(3);
});

describe('a document', () => {
	const image = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(256)]);
	const items = ['X1', 'X2'].map((number) => ({ number, image: image.toString('base64') }));
	const toFile: ChainNode = {
		name: 'File',
		type: 'n8n-nodes-base.convertToFile',
		typeVersion: 1.1,
		parameters: {
			operation: 'toBinary',
			sourceProperty: 'image',
			binaryPropertyName: 'data',
			options: { fileName: 'front.png', mimeType: 'image/png' },
		},
	};
	const submission = {
		resource: 'productRequest',
		operation: 'submitDocument',
		clientId: IDS.client,
		productRequestId: { __rl: true, mode: 'id', value: IDS.pendingProductRequest },
		documentType: { __rl: true, mode: 'id', value: 'national_id' },
		frontImageField: 'data',
		backImageField: 'data',
		metadata: {
			mappingMode: 'defineBelow',
			value: { number: "={{ $('Items').item.json.number }}" },
		},
		options: { replace: true },
	};
	const submitted = () => simulator.requests.filter(({ method }) => method === 'POST').length;

	it('that was accepted is submitted again neither by Retry On Fail nor by a manual retry', async () => {
		const match = { method: 'POST' };
		// The first is accepted, a moment late; the other one is refused at each of three tries.
		simulator.faults.add({ kind: 'slow-after', delayMs: 1, match });
		simulator.faults.add({ kind: 'status', status: 412, match, times: 3 });
		const { id, chain, status } = await run(submission, {
			items,
			before: [splitItems, toFile],
			settings: tries(3),
		});
		expect(status).toBe('error');
		expect(submitted()).toBe(4);
		expect(simulator.ledger).toHaveLength(1);
		await retryExecution(scenario.n8n, id);
		const retried = await ended(scenario.n8n, chain, 2);
		expect(retried.status).toBe('success');
		expect(retried.outputs(NODE)![0]).toHaveLength(2);
		expect(submitted()).toBe(5);
		expect(simulator.ledger).toHaveLength(2);
	});

	it('whose outcome is unknown is not submitted again', async () => {
		simulator.faults.add({ kind: 'reset-after', match: { method: 'POST' } });
		const { failure } = await run(submission, {
			items: items.slice(1),
			before: [splitItems, toFile],
			settings: tries(3),
		});
		expect(failure.message).toContain('outcome is unknown');
		expect(submitted()).toBe(1);
	});
});
