import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { RECIPIENT, transferOf } from '../harness/fixtures.mts';
import { simulator } from '../simulator/useSimulator.mts';
import { emptyDatabase, overriding, runInCore, type CoreOptions, type CoreRun } from './core.mts';

export { sampleOf } from '../samples/operations.mts';

export type Parameters = CoreOptions['parameters'];

export const transfer = transferOf('5');
/** Parameters of a transfer for each item. */
export const transfers = transferOf('={{ $json.amount }}');
export const itemsOf = (...amounts: string[]) => amounts.map((amount) => ({ json: { amount } }));
export const withOptions = (options: object, parameters: object = transfer) => ({
	...parameters,
	options,
});
/** Body of a transfer for Endpoint: Request. */
export const body = (amount: string) => `{"to":"${RECIPIENT}","amount":${amount}}`;
export const tool = { node: { type: 'cardTreasuryTool' } };
/** On Error: Continue. */
export const goesOn = { node: { onError: 'continueRegularOutput' } } as const;
export const errorOutput = { node: { onError: 'continueErrorOutput' } } as const;
/** Retry On Fail. */
export const threeTries = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };

/** Gives up attempts soon: all of them, or the first ones. */
export function endsSoon(left = Infinity): void {
	const { timeout } = AbortSignal;
	jest
		.spyOn(AbortSignal, 'timeout')
		.mockImplementation((ms) => timeout.call(AbortSignal, ms === 60_000 && left-- > 0 ? 500 : ms));
}

/** Sends requests by another function of n8n. */
export const sendingBy = (n8n: IExecuteFunctions, httpRequestWithAuthentication: unknown) =>
	overriding(n8n, { helpers: { ...n8n.helpers, httpRequestWithAuthentication } });

/** Runs the node against the simulator of this file. */
export const run = async (
	parameters: Parameters,
	more: Partial<CoreOptions> = {},
): Promise<CoreRun> => await runInCore({ baseUrl: simulator.url, parameters, ...more });

/** JSON of the items on the first output. */
export const jsonOf = ({ outputs }: CoreRun) => jsonIn(outputs[0]);
export const jsonIn = (items: INodeExecutionData[] = []) => items.map(({ json }) => json);
export const outcomes = (ended: CoreRun) => jsonOf(ended).map(({ outcome }) => outcome);

beforeEach(() => {
	emptyDatabase();
	// Shortest waits between attempts.
	jest.spyOn(Math, 'random').mockReturnValue(0);
});
