import { startSimulator, type Simulator } from '../../simulator/index.mts';
import { startModel, type Model } from '../model.mts';
import {
	createCredential,
	simulatorKeys,
	startScenario,
	type Reference,
	type Scenario,
} from './scenario.mts';

export interface WithSimulator {
	scenario: Scenario;
	simulator: Simulator;
	/** With every level, for the simulator. */
	credential: Reference;
	close(): Promise<void>;
}

/** The real n8n with the pack, the simulator, and a credential that brings them together. */
export async function startWithSimulator(env: Record<string, string> = {}): Promise<WithSimulator> {
	const [simulator, scenario] = await Promise.all([startSimulator(), startScenario(env)]);
	const credential = await createCredential(scenario.n8n, simulatorKeys(simulator));
	const close = async () => {
		await scenario.close();
		await simulator.close();
	};
	return { scenario, simulator, credential, close };
}

export interface WithModel extends WithSimulator {
	model: Model;
	/** For n8n's OpenAI node, so that it asks the model. */
	modelCredential: Reference;
}

/** The same, and a model that a test plays, so that n8n's own agent calls what the test wants. */
export async function startWithModel(env: Record<string, string> = {}): Promise<WithModel> {
	const [model, base] = await Promise.all([startModel(), startWithSimulator(env)]);
	const modelCredential = await createCredential(
		base.scenario.n8n,
		{ apiKey: 'test-model-key', url: model.url, header: false },
		{ type: 'openAiApi' },
	);
	const close = async () => {
		await base.close();
		await model.close();
	};
	return { ...base, model, modelCredential, close };
}
