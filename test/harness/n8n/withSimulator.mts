import { startSimulator, type Simulator } from '../../simulator/index.mts';
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
export async function startWithSimulator(): Promise<WithSimulator> {
	const [simulator, scenario] = await Promise.all([startSimulator(), startScenario()]);
	const credential = await createCredential(scenario.n8n, simulatorKeys(simulator));
	const close = async () => {
		await scenario.close();
		await simulator.close();
	};
	return { scenario, simulator, credential, close };
}
