import { startSimulator, type Simulator, type SimulatorOptions } from './index.mts';

/** The simulator of a test file: jest gives each file modules of its own. */
export let simulator: Simulator;

/** Starts the simulator before the tests of this file, and ends it after them; each test finds it as it was at the start. */
export function useSimulator(options?: SimulatorOptions): void {
	beforeAll(async () => {
		simulator = await startSimulator(options);
	});
	beforeEach(() => simulator.reset());
	afterAll(async () => await simulator?.close());
}

/** Of the transfers that the service has executed, as they were sent. */
export const amounts = (): Array<string | undefined> =>
	simulator.ledger.map(({ amountText }) => amountText);
