import { cardOf, requestOf } from '../harness/fixtures.mts';
import { IDS } from '../simulator/index.mts';
import { amounts, simulator, useSimulator } from '../simulator/useSimulator.mts';
import { type CoreOptions } from './core.mts';
import { body, day, jsonOf, keys, run, tool, transfer, withOptions } from './payments.mts';

useSimulator({ requestsPerSecond: 0 });

describe('agent', () => {
	it('the card is frozen after freeze, unfreeze, freeze', async () => {
		const first = await run(cardOf('freeze'), tool);
		const second = await run(cardOf('unfreeze'), { ...tool, after: first.run.data });
		const third = await run(cardOf('freeze'), { ...tool, after: second.run.data });
		expect(jsonOf(third)).toMatchObject([{ frozen: true }]);
		expect(new Set(keys()).size).toBe(3);
		expect(simulator.ledger.map(({ operation }) => operation)).toEqual([
			'card.freeze',
			'card.unfreeze',
			'card.freeze',
		]);
	});

	it('a repeated call returns the first transfer, and in a new chat only that it was sent', async () => {
		const first = await run(transfer, tool);
		const second = await run(transfer, { ...tool, after: first.run.data });
		expect(jsonOf(second)).toEqual([{ ...jsonOf(first)[0], repeated: true }]);
		expect(jsonOf(await run(transfer, tool))).toMatchObject([{ status: 'ALREADY_SENT' }]);
		expect(amounts()).toEqual(['5']);
	});

	it('the message of an unknown outcome tells the agent to call again, which works', async () => {
		simulator.faults.add({ kind: 'reset-after' });
		const first = await run(withOptions({ maxAttempts: 1 }), { ...tool, ...day });
		expect(first.error?.message).toMatch(
			/^Outcome unknown\. The service could not be reached.+ Call this tool again with the same values in this execution\..+Idempotency key: [0-9a-f-]{36}$/s,
		);
		const again = await run(transfer, { ...tool, ...day, after: first.run.data });
		expect(jsonOf(again)).toMatchObject([{ status: 'SUCCESS' }]);
		expect(amounts()).toEqual(['5']);
	});

	it('Maximum Total and Maximum Transfers count all calls of an agent', async () => {
		const limited = withOptions({ maximumTotal: '8' });
		const first = await run(limited, tool);
		const second = await run(
			{ ...limited, amount: '4', paymentReference: 'INV-4' },
			{ ...tool, after: first.run.data },
		);
		expect(second.error?.message).toContain(
			'Maximum Total is 8, and the transfers of this run add up to 9',
		);
		expect(amounts()).toEqual(['5']);
	});

	it.each<[string, CoreOptions['parameters'], string]>([
		[
			'a maximum that it fills in itself',
			{ ...transfer, maximumAmount: "={{ $fromAI('max') || '9' }}" },
			'Maximum Amount',
		],
		[
			'a limit from the input',
			withOptions({ maximumTotal: '={{ $json.limit ?? 9 }}' }),
			'Maximum Total',
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
			{ ...transfer, to: `={{ "${transfer.to}" }}` },
			'Allowed Recipients',
		],
		['a transfer by any endpoint', requestOf(body('1')), 'Path'],
		['a path that it chooses', { ...requestOf('{}'), path: '={{ "/x" }}' }, 'Path'],
	])('an agent is refused %s', async (_name, parameters, field) => {
		const { error } = await run(parameters, tool);
		expect(error?.message).toMatch(new RegExp(`^${field} `));
		expect(simulator.requests).toEqual([]);
	});
});

describe('call without an execution, as behind the MCP Server Trigger', () => {
	const mcp = { ...tool, noExecution: true } as const;

	it('a payment is sent once under its reference', async () => {
		await run(transfer, mcp);
		expect(jsonOf(await run(transfer, mcp))).toMatchObject([{ status: 'ALREADY_SENT' }]);
		expect(amounts()).toEqual(['5']);
	});

	it.each([
		['maximumTotal', 'Maximum Total', '10'],
		['maximumTransfers', 'Maximum Transfers', 1],
	])(
		'a call with %s is refused, because the limit would begin again with each call',
		async (name, label, value) => {
			const { error } = await run(withOptions({ [name]: value }), mcp);
			expect(error?.message).toContain(`${label} cannot be enforced`);
			expect(simulator.requests).toEqual([]);
		},
	);

	it('the message of an unknown outcome does not tell the agent to call again', async () => {
		simulator.faults.add({ kind: 'status', status: 500 });
		const { error } = await run(transfer, { ...mcp, ...day });
		expect(error?.message).toMatch(/^Outcome unknown\. .+Wait for the treasury\.transfer event/);
		expect(error?.message).not.toContain('Call this tool again');
	});
});
