import { CLOSE_MS, STARTUP_MS } from '../n8n/useN8n.mts';
import { startWorkflowHarness, type WorkflowHarness } from './workflowHarness.mts';

/** Of a test file: jest gives each file modules of its own. */
export let harness: WorkflowHarness;

/**
 * Everything that the workflows of `docs/workflows` meet, for the tests of this file or of a `describe`.
 * @param env for n8n, at every start
 */
export function useWorkflows(env: Record<string, string> = {}): void {
	beforeAll(async () => {
		harness = await startWorkflowHarness(env);
	}, STARTUP_MS);
	beforeEach(() => harness.reset());
	afterAll(async () => await harness?.close(), CLOSE_MS);
}
