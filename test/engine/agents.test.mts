import { cardOf, requestOf } from '../harness/fixtures.mts';
import { IDS } from '../simulator/index.mts';
import { amounts, simulator, useSimulator } from '../simulator/useSimulator.mts';
import { type CoreOptions } from './core.mts';
import { body, run, tool, transfer } from './payments.mts';

/** Payments by an agent, with and without an execution. */
useSimulator({ requestsPerSecond: 0 });

describe('agent', () => {
	it('leaves the card frozen after freeze, unfreeze, freeze', async () => {
		const first = await run(cardOf('freeze'), tool);
		const second = await run(cardOf('unfreeze'), { ...tool, after: first.run.data });
		const third = await run(cardOf('freeze'), { ...tool, after: second.run.data });
		expect(third.outputs[0]![0]!.json).toMatchObject({ frozen: true });
		const keys = simulator.requests.map(({ headers }) => headers['idempotency-key']);
		expect(new Set(keys).size).toBe(3);
		expect(simulator.ledger.map(({ operation }) => operation)).toEqual([
			'card.freeze',
			'card.unfreeze',
			'card.freeze',
		]);
	});

	it('gets the first transfer for an identical one, marked as repeated', async () => {
		const parameters = { ...transfer, options: { maximumAmount: '10' } };
		const first = await run(parameters, tool);
		const second = await run(parameters, { ...tool, after: first.run.data });
		expect(second.outputs[0]![0]!.json).toEqual({ ...first.outputs[0]![0]!.json, repeated: true });
		expect(simulator.ledger).toHaveLength(1);
	});

	it('is told that the outcome is unknown and how to continue if the connection is lost', async () => {
		simulator.faults.add({ kind: 'reset-after' });
		const options = { maximumAmount: '10', maxAttempts: 1 };
		const { error } = await run({ ...transfer, options }, tool);
		expect(error?.message).toMatch(
			/^Outcome unknown\. .+ Call this tool again with the same values/,
		);
		expect(error?.message).toMatch(/Idempotency key: [0-9a-f-]{36}/);
	});

	it('stays within the limits over all its calls', async () => {
		const parameters = { ...transfer, options: { maximumAmount: '10', maximumTotal: '8' } };
		const first = await run(parameters, tool);
		const second = await run({ ...parameters, amount: '4' }, { ...tool, after: first.run.data });
		expect(second.error?.message).toContain('Maximum Total');
		expect(amounts()).toEqual(['5']);
	});

	it.each<[string, CoreOptions['parameters'], string]>([
		['a transfer without a maximum', transfer, 'Maximum Amount'],
		[
			'a maximum that it fills in itself',
			{ ...transfer, options: { maximumAmount: "={{ $fromAI('max') || '9' }}" } },
			'Maximum Amount',
		],
		[
			'a ramp transfer without a maximum',
			{
				resource: 'rampTransfer',
				operation: 'updateAmount',
				rampTransferId: IDS.pendingRamp,
				amount: '7',
			},
			'Maximum Amount',
		],
		[
			'a recipient that it fills in, without a list of the user',
			{ ...transfer, to: `={{ "${transfer.to}" }}`, options: { maximumAmount: '9' } },
			'Allowed Recipients',
		],
		['a transfer by any endpoint', requestOf(body('1')), 'Path'],
		['a path that it chooses', { ...requestOf('{}'), path: '={{ "/x" }}' }, 'Path'],
	])('is refused %s', async (_name, parameters, field) => {
		const { error } = await run(parameters, tool);
		expect(error?.message).toContain(field);
		expect(simulator.requests).toEqual([]);
	});
});

describe('call without an execution, as behind the MCP Server Trigger', () => {
	const mcp = { ...tool, noExecution: true } as const;

	it('a transfer needs a key of the user, which keeps it one transfer', async () => {
		const options = { maximumAmount: '10' };
		const { error } = await run({ ...transfer, options }, mcp);
		expect(error?.message).toContain(
			'Idempotency Key is not set, and this call has no n8n execution',
		);
		expect(simulator.requests).toEqual([]);
		const keyed = { ...transfer, options: { ...options, idempotencyKey: 'invoice-7' } };
		await run(keyed, mcp);
		await run(keyed, mcp);
		expect(simulator.ledger).toHaveLength(1);
	});

	it.each([
		['maximumTotal', 'Maximum Total', '10'],
		['maximumTransfers', 'Maximum Transfers', 1],
	])('%s is refused, for it would begin anew with each call', async (name, label, value) => {
		const options = { maximumAmount: '10', idempotencyKey: 'invoice-7', [name]: value };
		const { error } = await run({ ...transfer, options }, mcp);
		expect(error?.message).toContain(label);
		expect(simulator.requests).toEqual([]);
	});

	it('a state change gets a fresh key, and the advice does not promise a safe repetition', async () => {
		await run(cardOf('freeze'), mcp);
		await run(cardOf('freeze'), mcp);
		const keys = simulator.requests.map(({ headers }) => headers['idempotency-key']);
		expect(new Set(keys).size).toBe(2);
		simulator.faults.add({ kind: 'status', status: 500 });
		const { error } = await run(cardOf('unfreeze'), mcp);
		expect(error?.message).not.toContain('Call this tool again');
		expect(error?.message).toContain('with the idempotency key below');
	});
});
