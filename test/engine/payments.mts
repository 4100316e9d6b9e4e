import { RECIPIENT, transferOf } from '../harness/fixtures.mts';
import { simulator } from '../simulator/useSimulator.mts';
import { runInCore, type CoreOptions, type CoreRun } from './core.mts';

export const transfer = transferOf('5');
export const body = (amount: string) => `{"to":"${RECIPIENT}","amount":${amount}}`;
export const tool = { node: { type: 'cardTreasuryTool' } };

/** Runs the node against the simulator of this file. */
export const run = async (
	parameters: CoreOptions['parameters'],
	more: Partial<CoreOptions> = {},
): Promise<CoreRun> => await runInCore({ baseUrl: simulator.url, parameters, ...more });
