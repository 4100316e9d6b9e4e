import { startSimulator, type Simulator, type SimulatorOptions } from './index.mts';

/** Simulator of a test file. Jest loads this module once per test file. */
export let simulator: Simulator;

/** Starts the simulator before the tests of this file, resets it before each test and closes it after the last. */
export function useSimulator(options?: SimulatorOptions): void {
	beforeAll(async () => {
		simulator = await startSimulator(options);
	});
	beforeEach(() => simulator.reset());
	afterAll(async () => await simulator?.close());
}

/** Amounts of the executed transfers, as sent. */
export const amounts = (): Array<string | undefined> =>
	simulator.ledger.map(({ amountText }) => amountText);
