import { transferOf } from '../harness/fixtures.mts';
import { createCredential, simulatorKeys, type Reference } from '../harness/n8n/credentials.mts';
import { endedExecutions } from '../harness/n8n/executions.mts';
import { cardTreasury } from '../harness/n8n/nodes.mts';
import { startScenario, type Scenario } from '../harness/n8n/scenario.mts';
import { CLOSE_MS, STARTUP_MS } from '../harness/n8n/useN8n.mts';
import { publishChain, startChain } from '../harness/n8n/workflows.mts';
import { findPrograms, startPostgres, type Server } from '../harness/queue/servers.mts';
import { simulator, useSimulator } from '../simulator/useSimulator.mts';

let postgres: Server | undefined;
let scenario: Scenario | undefined;
let credential: Reference;

// Registered first, so that jest closes n8n before the simulator that it may be using.
afterAll(async () => {
	await scenario?.close();
	await postgres?.close();
}, CLOSE_MS);
useSimulator();
beforeAll(async () => {
	postgres = await startPostgres(await findPrograms());
	await postgres.start();
	scenario = await startScenario({
		N8N_ENABLED_MODULES: 'engine-v2',
		N8N_ENGINE_DATABASE_URL: `postgresql://n8n@127.0.0.1:${postgres.port}/postgres`,
	});
	credential = await createCredential(scenario.n8n, simulatorKeys(simulator));
}, STARTUP_MS);

describe("workflow on n8n's Engine 2.0", () => {
	it.each([
		['v1', 'success', 1],
		['v2', 'error', 0],
	])(
		'a transfer on engine %s ends as %s, and sends %i requests',
		async (engineType, status, sent) => {
			const { n8n } = scenario!;
			const transfer = cardTreasury(transferOf('5'), credential);
			const chain = await publishChain(n8n, [transfer], { settings: { engineType } });
			await startChain(chain);
			expect(await endedExecutions(n8n, chain, 1)).toMatchObject([{ status }]);
			expect(simulator.requests).toHaveLength(sent);
		},
	);
});
