import { simulator, useSimulator } from '../../simulator/useSimulator.mts';
import { startModel, type Model } from '../model.mts';
import { createCredential, simulatorKeys, type Reference } from './credentials.mts';
import type { N8nAccess, RunningN8n } from './n8n.mts';
import { startScenario, type Scenario } from './scenario.mts';

/** Includes the installation of n8n. */
export const STARTUP_MS = 1_500_000;
/** n8n finishes its work first. */
export const CLOSE_MS = 60_000;

// Shared by the tests of a file. Jest loads this module once per test file.
export let scenario: Scenario;
export let n8n: RunningN8n;
/** Credential for the simulator, with every access level. */
export let credential: Reference;
export let model: Model;
export let modelCredential: Reference;

/**
 * Starts the real n8n with the package, the simulator and a credential for it, for the tests of this file.
 * @param env for n8n, at every start
 * @param pack returns a packed version of the package. Default: this one
 */
export function useN8n(
	env: () => Record<string, string> = () => ({}),
	pack: () => Promise<string | undefined> = async () => await Promise.resolve(undefined),
): void {
	// Registered first, so that jest closes n8n before the simulator that it may be using.
	afterAll(async () => await scenario?.close(), CLOSE_MS);
	useSimulator();
	beforeAll(async () => {
		scenario = await startScenario(env(), { tarball: await pack() });
		n8n = scenario.n8n;
		credential = await createCredential(n8n, simulatorKeys(simulator));
	}, STARTUP_MS);
}

/** Starts a stand-in for a language model, so that an agent of an n8n calls the tools a test wants. Call it after n8n's. */
export function useModel(n8nOf: () => N8nAccess): void {
	beforeAll(async () => {
		model = await startModel();
		const data = { apiKey: 'test-model-key', url: model.url, header: false };
		modelCredential = await createCredential(n8nOf(), data, { type: 'openAiApi' });
	});
	beforeEach(() => void model.requests.splice(0));
	afterAll(async () => await model?.close());
}
