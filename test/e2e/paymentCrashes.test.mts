import { cutOff } from '../harness/n8n/cuts.mts';
import { eventually, executions } from '../harness/n8n/executions.mts';
import {
	itemsOf,
	outcomesOf,
	paid,
	payments,
	publishPayments,
	retry,
} from '../harness/n8n/payments.mts';
import { credential, scenario, useN8n } from '../harness/n8n/useN8n.mts';
import { startChain, type ChainNode } from '../harness/n8n/workflows.mts';
import { until } from '../simulator/until.mts';
import { amounts, simulator } from '../simulator/useSimulator.mts';

/** Payments of an n8n that is ended in the middle of them. `npm run by-hand -- bench crashes` does so more often. */

/** n8n waits three seconds for its executions after SIGTERM. */
useN8n(() => ({ N8N_GRACEFUL_SHUTDOWN_TIMEOUT: '3' }));

/** Payments in flight at most: eight parts of ten. */
const IN_FLIGHT = 80;

it.each(['SIGKILL', 'SIGTERM'] as const)(
	'300 payments cut off by %s are completed by Retry and a new execution, except for those in flight',
	async (signal) => {
		simulator.settings.latencyMs = 300;
		const { retried, anew, before, executed, twice, untrue } = await cutOff({
			n8n: scenario.n8n,
			simulator,
			credential,
			count: 300,
			after: 100,
			cut: async () => await scenario.restart(signal),
		});
		expect({ twice, untrue }).toEqual({ twice: 0, untrue: [] });
		expect(before).toBeLessThan(300);
		expect(retried!.already_sent).toBeGreaterThan(0);
		expect(retried!.done).toBeGreaterThan(0);
		const { done = 0, already_sent: known = 0, unknown = 0 } = anew;
		expect(unknown).toBeLessThanOrEqual(IN_FLIGHT);
		expect(done + known + unknown).toBe(300);
		expect(executed).toBeGreaterThanOrEqual(300 - unknown);
	},
	300_000,
);

/** Gives each item a new reference in each run. */
const naming: ChainNode = {
	name: 'Naming',
	type: 'n8n-nodes-base.code',
	typeVersion: 2,
	parameters: {
		jsCode: `return $input.all().map(({ json }) => ({ json: { ...json, name: String(Math.random()) } }));`,
	},
};

it.each([
	['without saved progress, which makes its references anew, sends nothing', false],
	['with saved progress, which keeps them, sends the rest', true],
])('Retry of a killed execution %s', async (_, saveExecutionProgress) => {
	const chain = await publishPayments(payments({ paymentReference: '={{ $json.name }}' }), {
		between: [naming],
		settings: { onError: 'continueRegularOutput' },
		workflow: { saveExecutionProgress },
	});
	await startChain(chain, { items: itemsOf(60) });
	await until(() => amounts().length > 25, 30_000);
	await scenario.restart('SIGKILL');
	const before = amounts().length;
	const { id } = await eventually(async () => {
		const [row] = await executions(scenario.n8n, chain);
		return row?.status === 'crashed' && row;
	});
	const retried = await retry(chain, id, 2);
	const outcomes = new Set(outcomesOf(retried));
	if (saveExecutionProgress)
		expect([...outcomes]).toEqual(expect.arrayContaining(['already_sent', 'done']));
	else {
		expect(outcomes).toEqual(new Set(['unknown']));
		expect(paid(retried)[0]!.error).toContain('is new to this execution');
		expect(amounts()).toHaveLength(before);
	}
	expect(new Set(amounts()).size).toBe(amounts().length);
});
