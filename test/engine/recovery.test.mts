import { createServer } from 'node:http';

import { RECIPIENT, TRANSFER_PATH, transferOf } from '../harness/fixtures.mts';
import { IDS } from '../simulator/index.mts';
import { listen } from '../simulator/listen.mts';
import { amounts, simulator, useSimulator } from '../simulator/useSimulator.mts';
import { runInCore, type CoreOptions, type CoreRun } from './core.mts';

/** Recovery after a failure: following the message is safe. */
useSimulator({ requestsPerSecond: 0 });

const transfer = transferOf('1');

const run = async (more: Partial<CoreOptions> = {}) =>
	await runInCore({ baseUrl: simulator.url, parameters: transfer, ...more });
const withOptions = (options: object) => ({ ...transfer, options });
const keyIn = (text: unknown) => /Idempotency key: (\S+)/.exec(String(text))?.[1];

it('the key of a write that may have been executed re-sends it safely from any execution', async () => {
	simulator.faults.add({ kind: 'status', status: 500, effect: true });
	const { outputs } = await run({ node: { onError: 'continueRegularOutput' } });
	const said = String(outputs[0]![0]!.json.description);
	expect(said).toContain('Send it again only with the idempotency key below');
	const again = await run({
		executionId: '2',
		parameters: withOptions({ idempotencyKey: keyIn(said) }),
	});
	expect(again.error).toBeUndefined();
	expect(simulator.requests).toHaveLength(2);
	expect(simulator.ledger).toHaveLength(1);
});

it.each<[string, Partial<CoreOptions>, string]>([
	['an execution that fails', {}, 'Retry this execution'],
	[
		'a sub-workflow, which a retry of its parent begins anew',
		{ mode: 'integrated' },
		'Send it again only with the idempotency key below',
	],
	[
		"a user's own key",
		{ parameters: withOptions({ idempotencyKey: 'invoice-7' }) },
		'Send it again with the same Idempotency Key',
	],
	[
		'an agent',
		{ node: { type: 'cardTreasuryTool' }, parameters: withOptions({ maximumAmount: '5' }) },
		'Call this tool again with the same values',
	],
])('the advice can be followed: %s', async (_name, more, advice) => {
	simulator.faults.add({ kind: 'status', status: 500, effect: true });
	const { error } = await run(more);
	expect(error?.description).toContain(advice);
	expect(keyIn(error?.description)).toBe(simulator.requests[0]!.headers['idempotency-key']);
	// n8n passes only the message to an agent.
	if (more.node?.type === 'cardTreasuryTool') expect(error?.message).toContain(error?.description);
});

it("an agent's identical calls are one write, even after a failure; other calls and iterations are separate", async () => {
	const tool = { node: { type: 'cardTreasuryTool' } };
	const twice = await run({ ...tool, rounds: 2, parameters: withOptions({ maximumAmount: '5' }) });
	expect(twice.outputs[0]![0]!.json).toMatchObject({ amount: '1', repeated: true });
	expect(simulator.requests).toHaveLength(1);
	expect(simulator.ledger).toHaveLength(1);
	await run({ ...tool, parameters: { ...withOptions({ maximumAmount: '5' }), amount: '2' } });
	await run({ ...tool, executionId: '2', parameters: withOptions({ maximumAmount: '5' }) });
	expect(simulator.ledger).toHaveLength(3);
	await run({ executionId: '3', rounds: 2 });
	expect(simulator.ledger).toHaveLength(5);
	// The repetition of a failed call is another run of the node in the same execution.
	simulator.faults.add({ kind: 'status', status: 500, effect: true });
	await run({
		node: { type: 'cardTreasuryTool', onError: 'continueRegularOutput' },
		executionId: '4',
		rounds: 2,
		parameters: withOptions({ maximumAmount: '5' }),
	});
	expect(simulator.ledger).toHaveLength(6);
});

it('a write that may have been executed stays open when its retry is rejected', async () => {
	simulator.faults.add(
		{ kind: 'status', status: 500, effect: true },
		{ kind: 'status', status: 401 },
	);
	const amount = "={{ $execution.id === '3' ? '2' : '1' }}";
	const first = await run({ parameters: { ...transfer, amount } });
	const second = await run({ executionId: '2', retryOf: first.run.data });
	expect(second.error?.message).toMatch(/^Outcome unknown\. The API key was rejected/);
	expect(second.error?.description).toContain('The outcome is unknown: it may have been executed.');
	const changed = await run({ executionId: '3', retryOf: second.run.data });
	expect(changed.error?.message).toBe(
		'Outcome unknown. This item may have been executed earlier in this execution, with other values',
	);
	expect(changed.error?.description).not.toContain('Nothing was sent');
	const third = await run({ executionId: '4', retryOf: changed.run.data });
	expect(third.error).toBeUndefined();
	expect(amounts()).toEqual(['1']);
});

it('an item that may have been executed is never reported as not sent', async () => {
	simulator.faults.add({ kind: 'reset-after' });
	const { outputs } = await run({
		parameters: {
			resource: 'endpoint',
			operation: 'request',
			method: 'POST',
			path: TRANSFER_PATH,
			jsonBody: `{"to":"${RECIPIENT}","amount":1}`,
		},
		node: { onError: 'continueRegularOutput', retryOnFail: true, maxTries: 2, waitBetweenTries: 1 },
	});
	expect(outputs[0]!.map(({ json }) => json)).toEqual([
		expect.objectContaining({
			error:
				'Outcome unknown. This item was sent before in this execution, and its outcome is unknown: it may have been executed',
			outcome: 'unknown',
		}),
	]);
	expect(simulator.ledger).toHaveLength(1);
});

/** Item numbers in a message before certain words. */
function items(text: string, words: string): number[] {
	const list = new RegExp(`^Items? ([\\d ,andto]*?) (?:was |were )?${words}\\.$`, 'm').exec(text);
	return (list?.[1] ?? '')
		.split(/, | and /)
		.filter(Boolean)
		.flatMap((range) => {
			const [from = 0, to = from] = range.split(' to ').map(Number);
			return Array.from({ length: to - from + 1 }, (_, index) => from + index);
		});
}

it('an item that ends a batch reports the outcomes of all others, matching the ledger', async () => {
	const items50 = Array.from({ length: 50 }, (_, index) => ({
		json: { amount: `${index + 1}`, walletId: index === 6 ? 'unknown' : IDS.wallet },
	}));
	const parameters = {
		...transfer,
		amount: '={{ $json.amount }}',
		walletId: '={{ $json.walletId }}',
	};
	// Item 0 stays open, because its answer comes too late, and item 6 ends the run.
	simulator.faults.add({ kind: 'slow-after', delayMs: 2_500 });
	const failed = await run({
		parameters: { ...parameters, options: { timeoutSeconds: 1, maxAttempts: 1 } },
		items: items50,
	});
	const said = (failed.error?.description ?? '').replaceAll('<br>', '\n');
	const inLedger = simulator.ledger
		.map(({ amountText }) => Number(amountText) - 1)
		.sort((left, right) => left - right);
	const [done, open, unsent] = ['accepted', 'may have been executed', 'not sent'].map((words) =>
		items(said, words),
	) as [number[], number[], number[]];
	expect([...done, ...open].sort((left, right) => left - right)).toEqual(inLedger);
	expect(open).toEqual(expect.arrayContaining([0]));
	const rejected = items(said, 'rejected');
	expect(rejected).toEqual([6]);
	expect(done).toEqual(expect.arrayContaining([1, 2, 3, 4, 5]));
	expect(unsent).toEqual(
		items50
			.map((_, index) => index)
			.filter((index) => ![...done, ...open, ...rejected].includes(index)),
	);
	expect(unsent.length).toBeGreaterThan(0);
	expect(said).toContain(
		'Retrying this execution does not repeat the accepted items. In a new execution, leave out the accepted items and the items that may have been executed.',
	);
	expect(said).not.toContain('undefined');
});

it('an answer that arrives too slowly is given up at the deadline', async () => {
	const server = createServer((_request, response) => {
		response.writeHead(200, { 'content-type': 'application/json' });
		const drops = setInterval(() => response.write(' '), 50);
		response.once('close', () => clearInterval(drops));
	});
	const { url, close } = await listen(server);
	const { error }: CoreRun = await runInCore({
		baseUrl: url,
		parameters: withOptions({ timeoutSeconds: 1, maxAttempts: 1 }),
	});
	expect(error?.message).toContain('did not answer in time');
	await close();
});
