import { RECIPIENT, transferOf } from '../harness/fixtures.mts';
import { simulator } from '../simulator/useSimulator.mts';
import { emptyDatabase, runInCore, type CoreOptions, type CoreRun } from './core.mts';

export const transfer = transferOf('5');
/** Parameters of a transfer for each item. */
export const transfers = transferOf('={{ $json.amount }}');
export const itemsOf = (...amounts: string[]) => amounts.map((amount) => ({ json: { amount } }));
export const withOptions = (options: object, parameters = transfer) => ({ ...parameters, options });
export const body = (amount: string) => `{"to":"${RECIPIENT}","amount":${amount}}`;
export const tool = { node: { type: 'cardTreasuryTool' } };
/** Credential with a window in which a retry may send again. */
export const day = { credential: { idempotencyWindowHours: 24 } };

/** Runs the node against the simulator of this file. */
export const run = async (
	parameters: CoreOptions['parameters'],
	more: Partial<CoreOptions> = {},
): Promise<CoreRun> => await runInCore({ baseUrl: simulator.url, parameters, ...more });

/** JSON of the items on the first output. */
export const jsonOf = ({ outputs }: CoreRun) => (outputs[0] ?? []).map(({ json }) => json);
export const keys = () => simulator.requests.map(({ headers }) => headers['idempotency-key']);

beforeEach(emptyDatabase);
