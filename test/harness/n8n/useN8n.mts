import { simulator, useSimulator } from '../../simulator/useSimulator.mts';
import { startModel, type Model } from '../model.mts';
import { startSlackStandIn, type SlackStandIn } from '../slack/slackStandIn.mts';
import type { N8nAccess } from './n8n.mts';
import {
	createCredential,
	simulatorKeys,
	startScenario,
	type Reference,
	type Scenario,
} from './scenario.mts';

/** n8n may have to be installed first. */
export const STARTUP_MS = 1_500_000;
/** n8n ends what it is doing first. */
export const CLOSE_MS = 60_000;

// What a test file runs against: jest gives each file modules of its own.
export let scenario: Scenario;
/** With every level, for the simulator. */
export let credential: Reference;
export let model: Model;
/** For n8n's OpenAI node, so that it asks the model. */
export let modelCredential: Reference;
export let slack: SlackStandIn;

/**
 * The real n8n with the pack, the simulator, and a credential that brings them together, for the tests of this file.
 * @param env for n8n, at every start
 */
export function useN8n(env: () => Record<string, string> = () => ({})): void {
	// Before the simulator, which it may be asking: jest keeps to the order in which they are told.
	afterAll(async () => await scenario?.close(), CLOSE_MS);
	useSimulator();
	beforeAll(async () => {
		scenario = await startScenario(env());
		credential = await createCredential(scenario.n8n, simulatorKeys(simulator));
	}, STARTUP_MS);
}

/** A model that a test plays, so that an agent of this n8n calls what the test wants. Told after the n8n. */
export function useModel(n8n: () => N8nAccess = () => scenario.n8n): void {
	beforeAll(async () => {
		model = await startModel();
		const data = { apiKey: 'test-model-key', url: model.url, header: false };
		modelCredential = await createCredential(n8n(), data, { type: 'openAiApi' });
	});
	beforeEach(() => void model.requests.splice(0));
	afterAll(async () => await model?.close());
}

/** A stand-in for Slack, whose `env` n8n has to be started with. Told before the n8n. */
export function useSlack(): void {
	beforeAll(async () => {
		slack = await startSlackStandIn();
	});
	afterAll(async () => await slack?.close());
}
