import type { RunningN8n } from '../n8n/n8n.mts';
import { CLOSE_MS, STARTUP_MS } from '../n8n/useN8n.mts';
import { startWorkflowHarness, type WorkflowHarness } from './workflowHarness.mts';

export let harness: WorkflowHarness;
export let n8n: RunningN8n;

/**
 * Starts everything that the workflows of `docs/workflows` need, for the tests of a file or a `describe`.
 * @param env for n8n, at every start
 */
export function useWorkflows(env: Record<string, string> = {}): void {
	beforeAll(async () => {
		harness = await startWorkflowHarness(env);
		n8n = harness.scenario.n8n;
	}, STARTUP_MS);
	beforeEach(() => harness.reset());
	afterAll(async () => await harness?.close(), CLOSE_MS);
}
