import { simulator, useSimulator } from '../simulator/useSimulator.mts';
import { itemsOf, jsonOf, run, transfers } from './payments.mts';

/** `WEBHOOK_URL` without a scheme, behind a webhook or schedule: n8n throws when a node asks for its run index. */
useSimulator({ requestsPerSecond: 0 });

const MESSAGE = 'The public address of this n8n is not a full URL';
const on = (onError: 'continueErrorOutput' | 'continueRegularOutput') => ({ node: { onError } });
const items = itemsOf('1', '2', '3');

it('Stop names the setting', async () => {
	const { error } = await run(transfers, { items, noScheme: true });
	expect(error?.message).toBe(MESSAGE);
	expect(error?.description).toContain('WEBHOOK_URL');
	expect(simulator.requests).toEqual([]);
});

it('Continue lets each item fail, instead of leaving as a success', async () => {
	const ended = await run(transfers, { items, noScheme: true, ...on('continueRegularOutput') });
	expect(jsonOf(ended).map(({ error }) => error)).toEqual([MESSAGE, MESSAGE, MESSAGE]);
	expect(jsonOf(ended)[0]).toMatchObject({ outcome: 'not_sent', wallet_id: null, amount: null });
	expect(simulator.requests).toEqual([]);
});

it('the error output sends nothing, but n8n itself throws and hands the input on', async () => {
	const ended = await run(transfers, { items, noScheme: true, ...on('continueErrorOutput') });
	expect(jsonOf(ended)).toEqual(items.map(({ json }) => json));
	expect(simulator.requests).toEqual([]);
});
