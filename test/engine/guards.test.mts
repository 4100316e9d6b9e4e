import {
	byId,
	cardOf,
	documentOf,
	RECIPIENT,
	requestOf,
	TRANSFER_PATH,
} from '../harness/fixtures.mts';
import { IDS } from '../simulator/index.mts';
import { amounts, simulator, useSimulator } from '../simulator/useSimulator.mts';
import { type CoreOptions } from './core.mts';
import { body, run, transfer } from './payments.mts';

/** Payments under n8n's empty expressions, retries and hidden failures. */
useSimulator({ requestsPerSecond: 0 });

describe('safety option', () => {
	it.each([
		['maximumAmount', 'Maximum Amount'],
		['allowedRecipients', 'Allowed Recipients'],
		['maximumTotal', 'Maximum Total'],
		['maximumTransfers', 'Maximum Transfers'],
		['onlyInEnvironment', 'Only in Environment'],
		['idempotencyKey', 'Idempotency Key'],
		['dryRun', 'Dry Run'],
	])('refuses the transfer if the expression of %s returns nothing', async (name, label) => {
		const { error } = await run({ ...transfer, options: { [name]: '={{ $json.missing }}' } });
		expect(error?.message).toContain(label);
		expect(simulator.requests).toEqual([]);
	});

	it('limits all items of the run together', async () => {
		const items = ['1', '2', '3'].map((amount) => ({ json: { amount } }));
		const parameters = { ...transfer, amount: '={{ $json.amount }}' };
		const total = await run({ ...parameters, options: { maximumTotal: '5.999999' } }, { items });
		expect(total.error?.message).toContain(
			'Maximum Total is 5.999999, and the transfers of this run add up to 6',
		);
		const count = await run({ ...parameters, options: { maximumTransfers: 2 } }, { items });
		expect(count.error?.message).toContain('Maximum Transfers is 2, and this run has 3 transfers');
		expect(simulator.requests).toEqual([]);
		const allowed = await run(
			{ ...parameters, options: { maximumTotal: '6', maximumTransfers: 3 } },
			{ items },
		);
		expect(allowed.error).toBeUndefined();
		expect(amounts().sort()).toEqual(['1', '2', '3']);
	});

	it('refuses a credential of the other environment', async () => {
		const options = { onlyInEnvironment: 'production' };
		const { error } = await run({ ...transfer, options });
		expect(error?.message).toContain('Only in Environment');
		expect(simulator.requests).toEqual([]);
		await run({ ...transfer, options }, { credential: { environment: 'production' } });
		expect(simulator.ledger).toHaveLength(1);
	});
});

it.each([
	['nothing', '={{ $json.tokn }}'],
	['an empty text', '={{ "" }}'],
	['null', '={{ null }}'],
])(
	'a transfer whose token is %s is refused, instead of sending the native coin',
	async (_name, value) => {
		const { error } = await run({ ...transfer, tokenAddress: byId(value) });
		expect(error?.message).toMatch(/^Token /);
		expect(simulator.requests).toEqual([]);
	},
);

describe('unkeyed writes', () => {
	const items = ['1', '2', 'unknown', '4'].map((amount) => ({ json: { amount } }));
	const parameters = {
		...requestOf('={{ \'{"to":"' + RECIPIENT + '","amount":\' + $json.amount + \'}\' }}'),
		jsonBody: `={{ JSON.stringify({ to: "${RECIPIENT}", amount: Number($json.amount) || 0 }) }}`,
	};

	it('are sent once under Retry On Fail, although a later item always fails', async () => {
		const { error } = await run(parameters, {
			items,
			node: { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 },
		});
		expect(error).toBeDefined();
		expect(amounts().filter((amount) => amount === '1')).toHaveLength(1);
		expect(amounts().filter((amount) => amount === '2')).toHaveLength(1);
	});

	it('are sent once through a manual retry, which returns their output again', async () => {
		const all = ['1', '2', '3', '4'].map((amount, index) => ({
			json: { amount, wallet: index === 2 ? IDS.secondWallet : IDS.wallet },
		}));
		const perWallet = {
			...parameters,
			path: `={{ "/mpc/accounts/${IDS.account}/wallets/" + $json.wallet + "/transfer" }}`,
		};
		simulator.faults.add({ kind: 'status', status: 404, match: { path: 'wal-0002' } });
		const failed = await run(perWallet, { items: all, executionId: '7' });
		// The last may have been under way when the third was rejected.
		expect(amounts().filter((amount) => amount !== '4')).toEqual(['1', '2']);
		const retried = await run(perWallet, {
			items: all,
			executionId: '8',
			retryOf: failed.run.data,
		});
		expect(retried.error).toBeUndefined();
		expect(retried.outputs[0]!.map(({ json }) => json)).toEqual(
			Array.from({ length: 4 }, () => expect.objectContaining({ status: expect.any(String) })),
		);
		expect(amounts().sort()).toEqual(['1', '2', '3', '4']);
	});

	it('are not re-sent after an unknown outcome, nor replaced by another request', async () => {
		simulator.faults.add({ kind: 'reset-after' });
		const fixed = await run(requestOf(body('1')), {
			node: { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 },
		});
		expect(fixed.error?.message).toContain('its outcome is unknown');
		expect(amounts()).toEqual(['1']);
		simulator.reset();
		simulator.faults.add({ kind: 'reset-after' });
		const changing = await run(
			{
				...requestOf(''),
				jsonBody: `={{ JSON.stringify({ to: "${RECIPIENT}", amount: $now.toMillis() % 1000 + 1 }) }}`,
			},
			{ executionId: '2', node: { retryOnFail: true, maxTries: 3, waitBetweenTries: 2 } },
		);
		expect(changing.error?.message).toMatch(/outcome is unknown|with other values/);
		expect(simulator.ledger).toHaveLength(1);
	});

	it('are sent once if Retry On Fail treats an error in the answer as a failed run', async () => {
		simulator.faults.add({ kind: 'body', body: '{"id":"op-1","error":"E1"}', times: 9 });
		const { outputs } = await run(requestOf(body('1')), {
			node: { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 },
		});
		expect(outputs[0]![0]!.json).toMatchObject({ id: 'op-1', error: 'E1' });
		expect(simulator.requests).toHaveLength(1);
	});

	it('are sent once if Retry On Fail runs again for an item that continued as failed', async () => {
		simulator.faults.add({ kind: 'status', status: 412 });
		const node = { onError: 'continueRegularOutput' as const, retryOnFail: true, maxTries: 3 };
		const { outputs } = await run(parameters, {
			items: items.filter(({ json }) => json.amount !== 'unknown'),
			node: { ...node, waitBetweenTries: 1 },
		});
		expect(outputs[0]!.map(({ json }) => json.status)).toEqual(['SUCCESS', 'SUCCESS', 'SUCCESS']);
		expect(amounts().sort()).toEqual(['1', '2', '4']);
		expect(simulator.requests).toHaveLength(4);
	});

	it('are repeated after a 429, which means "not executed"', async () => {
		simulator.faults.add({ kind: '429', times: 9 });
		const { error } = await run(requestOf(body('1')));
		expect(error).toBeUndefined();
		expect(simulator.requests).toHaveLength(10);
		expect(amounts()).toEqual(['1']);
	});
});

it('a keyed write whose values change between attempts is not sent as another one', async () => {
	simulator.faults.add({ kind: 'status', status: 500, effect: true });
	const { error } = await run(
		{ ...transfer, amount: '={{ String($now.toMillis() % 1000 + 1) }}' },
		{ node: { retryOnFail: true, maxTries: 3, waitBetweenTries: 3 } },
	);
	expect(error?.message).toContain('with other values');
	expect(simulator.ledger).toHaveLength(1);
});

describe('Continue On Fail', () => {
	const cases: Array<[string, CoreOptions['parameters'], Partial<CoreOptions>]> = [
		['an expression that throws', { ...transfer, amount: "={{ $('Nope').first().json.x }}" }, {}],
		['a credential that cannot be read', transfer, { brokenCredential: true }],
		[
			'a file that is gone',
			documentOf('passport'),
			{
				items: [
					{
						json: {},
						binary: {
							data: { data: '', id: 'filesystem-v2:gone', mimeType: 'image/png', bytes: 9 },
						},
					},
				],
			},
		],
		[
			'a decision whose expression throws',
			{
				resource: 'authorization',
				operation: 'respond',
				decision: "={{ $('Nope').first().json.x }}",
			},
			{},
		],
	];
	it.each(cases)('turns %s into the failure of its item', async (_name, parameters, more) => {
		const regular = await run(parameters, { ...more, node: { onError: 'continueRegularOutput' } });
		expect(regular.error).toBeUndefined();
		expect(regular.outputs[0]!.map(({ json }) => json)).toEqual([
			expect.objectContaining({ error: expect.any(String), outcome: 'not_sent' }),
		]);
		const split = await run(parameters, { ...more, node: { onError: 'continueErrorOutput' } });
		expect(split.outputs.map((output) => output.length)).toEqual([0, 1]);
		expect(simulator.ledger).toEqual([]);
	});
});

it('a forgotten key makes another transfer', async () => {
	const keyed = { ...transfer, options: { idempotencyKey: 'invoice-7' } };
	await run(keyed, { executionId: '1' });
	await run(keyed, { executionId: '2' });
	expect(simulator.ledger).toHaveLength(1);
	simulator.forgetKeys();
	await run(keyed, { executionId: '3' });
	expect(simulator.ledger).toHaveLength(2);
});

describe('questions that the service leaves open', () => {
	it('a transfer without a status has none, and a hint says so', async () => {
		simulator.faults.add({ kind: 'no-status' });
		const { outputs, hints } = await run(transfer);
		expect(outputs[0]![0]!.json).toMatchObject({
			status: null,
			transaction_hash: expect.any(String),
		});
		expect(hints.join()).toContain('status');
	});

	it('a 302 WARNING from any path is pending, and no message blames the Base URL', async () => {
		simulator.faults.add({ kind: 'warning' });
		const { outputs } = await run(requestOf(body('1')));
		expect(outputs[0]![0]!.json).toMatchObject({ status: 'PENDING', code: 'WARNING' });
		simulator.faults.add({ kind: 'warning' });
		const { error } = await run(cardOf('freeze'));
		expect(error?.description).toMatch(/not send it again/i);
		expect(error?.description).not.toContain('Base URL');
	});
});

it('a dry run checks everything, shows the request and sends nothing', async () => {
	const { outputs, hints } = await run({ ...transfer, options: { dryRun: true } });
	expect(outputs[0]![0]!.json).toEqual({
		dry_run: true,
		method: 'POST',
		path: TRANSFER_PATH,
		body: { to: RECIPIENT, amount: 5 },
		idempotency_key: expect.stringMatching(/^[0-9a-f-]{36}$/),
	});
	expect(hints.join()).toContain('Dry run');
	expect(simulator.requests).toEqual([]);
});
