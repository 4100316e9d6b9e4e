import { openDatabase } from '../harness/database/database.mts';
import {
	byId,
	cardOf,
	documentOf,
	image,
	RECIPIENT,
	requestOf,
	transferOf,
} from '../harness/fixtures.mts';
import type { ChainNode } from '../harness/n8n/chain.mts';
import { publishChain, startChain } from '../harness/n8n/chain.mts';
import { retryExecution } from '../harness/n8n/executions.mts';
import { cardTreasury, splitItems } from '../harness/n8n/nodes.mts';
import { ended, runNode, type RunOptions } from '../harness/n8n/runNode.mts';
import {
	createCredential,
	executions,
	simulatorKeys,
	type Reference,
} from '../harness/n8n/scenario.mts';
import { credential, scenario, useN8n } from '../harness/n8n/useN8n.mts';
import { IDS } from '../simulator/index.mts';
import { until } from '../simulator/until.mts';
import { amounts, simulator } from '../simulator/useSimulator.mts';

/** Payments under n8n's expressions, Retry On Fail, manual retries, Continue On Fail and slow nodes. */

useN8n();

const NODE = 'Card Treasury';
/** Transfer by *Endpoint: Request*; `item` distinguishes the requests. */
const request = () =>
	requestOf(`={{ JSON.stringify({ to: "${RECIPIENT}", amount: $json.amount }) }}`, {
		queryParameters: { parameter: [{ name: 'item', value: '={{ $json.amount }}' }] },
	});

const run = async (parameters: object, options?: RunOptions, chosen = credential) =>
	await runNode(scenario.n8n, chosen, parameters, options);
/** Number of requests per item. */
const sentPerItem = () =>
	simulator.requests.reduce<Record<string, number>>((counts, { path }) => {
		const item = new URLSearchParams(path.split('?')[1]).get('item') ?? '';
		return { ...counts, [item]: (counts[item] ?? 0) + 1 };
	}, {});
const tries = (maxTries: number) => ({ retryOnFail: true, maxTries, waitBetweenTries: 100 });

it.each([
	['guard', transferOf('99999', { maximumAmount: '={{ $json.missing }}' }), 'Maximum Amount'],
	['token', { ...transferOf('500'), tokenAddress: byId('={{ $json.missing }}') }, 'Token'],
])('an empty expression in a %s sends nothing', async (_, parameters, label) => {
	const { failure } = await run(parameters);
	expect(failure.message).toContain(label);
	expect(simulator.requests).toEqual([]);
});

it('a transfer of the native coin within all guards is sent', async () => {
	const options = {
		maximumAmount: '0.3',
		maximumTotal: '0.6',
		maximumTransfers: 3,
		allowedRecipients: RECIPIENT,
		onlyInEnvironment: 'sandbox',
	};
	const items = ['0.1', '0.2', '0.3'].map((amount) => ({ amount }));
	const parameters = transferOf('={{ $json.amount }}', options);
	expect((await run(parameters, { items })).status).toBe('success');
	expect(amounts().sort()).toEqual(['0.1', '0.2', '0.3']);
	for (const { bodyText } of simulator.requests)
		expect(JSON.parse(bodyText)).not.toHaveProperty('token_address');
});

describe('unkeyed write', () => {
	const items = [1, 2, 3, 4].map((amount) => ({ amount }));
	const refuseThird = (times: number) =>
		simulator.faults.add({ kind: 'status', status: 412, match: { path: 'item=3' }, times });

	it('is not re-sent by Retry On Fail after acceptance', async () => {
		refuseThird(99);
		const { status, failure } = await run(request(), { items, settings: tries(3) });
		expect(status).toBe('error');
		expect(sentPerItem()).toMatchObject({ 1: 1, 2: 1, 3: 3 });
		expect(sentPerItem()[4] ?? 0).toBeLessThan(2);
		expect(failure.description).toMatch(/Items 0(,| and) 1( and 3)? were accepted\./);
	});

	it('is not re-sent by a manual retry after acceptance, which returns its output again', async () => {
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

	it('is not re-sent after an unknown outcome', async () => {
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
});

it('the retry of a corrected workflow sends only the rejected items', async () => {
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

describe('document', () => {
	const items = ['X1', 'X2'].map((number) => ({ number, image: image().data }));
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
	const submission = documentOf('national_id', {
		backImageField: 'data',
		metadata: {
			mappingMode: 'defineBelow',
			value: { number: "={{ $('Items').item.json.number }}" },
		},
		options: { replace: true },
	});
	const submitted = () => simulator.requests.filter(({ method }) => method === 'POST').length;

	it('is not re-submitted by Retry On Fail or a manual retry after acceptance', async () => {
		const match = { method: 'POST' };
		// The first is accepted after a delay; the other one is rejected three times.
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
});

describe('Continue On Fail', () => {
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
	let unreadable: Reference;

	beforeAll(async () => {
		unreadable = await createCredential(scenario.n8n, simulatorKeys(simulator));
		const database = await openDatabase(scenario.n8n.userFolder);
		const sql = "UPDATE credentials_entity SET data = 'damaged' WHERE id = ?";
		await database.query(sql, unreadable.id).finally(async () => await database.close());
	});

	const CASES: Array<[string, object, RunOptions, (() => Reference)?]> = [
		['a credential that cannot be read', transferOf('1'), {}, () => unreadable],
		['a file that is gone', documentOf('passport'), { before: [goneFile] }],
	];
	const failedItem = expect.objectContaining({ error: expect.any(String), outcome: 'not_sent' });

	it.each(CASES)('turns %s into a failure of its items', async (...given) => {
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

	it('fails only the item whose expression throws', async () => {
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

describe('node with a low rate', () => {
	it("does not delay another workflow's freeze", async () => {
		const items = ['1', '2', '3'].map((amount) => ({ amount }));
		const slow = await publishChain(scenario.n8n, [
			splitItems,
			cardTreasury(transferOf('={{ $json.amount }}', { requestsPerSecond: 0.1 }), credential),
		]);
		const freeze = await publishChain(scenario.n8n, [cardTreasury(cardOf('freeze'), credential)]);
		await startChain(scenario.n8n, slow, { items });
		await until(() => simulator.ledger.length > 0, 30_000);
		await startChain(scenario.n8n, freeze);
		expect((await ended(scenario.n8n, freeze, 1)).status).toBe('success');
		const [running] = await executions(scenario.n8n, slow);
		expect(running!.status).toBe('running');
		// The next transfer would follow ten seconds after the first.
		expect(simulator.ledger.slice(0, 2).map(({ operation }) => operation)).toEqual([
			'wallet.transfer',
			'card.freeze',
		]);
		await scenario.n8n.rest('POST', `/rest/executions/${running!.id}/stop`);
		await ended(scenario.n8n, slow, 1);
	});
});
