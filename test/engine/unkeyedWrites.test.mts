import { RECIPIENT, requestOf } from '../harness/fixtures.mts';
import { amounts, simulator, useSimulator } from '../simulator/useSimulator.mts';
import { body, itemsOf, jsonOf, run } from './payments.mts';

/** Writes without an idempotency key, which the service would execute again, under n8n's retries. */
useSimulator({ requestsPerSecond: 0 });

const RETRY = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
const each = requestOf(
	`={{ JSON.stringify({ to: "${RECIPIENT}", amount: Number($json.amount) || 0 }) }}`,
);

it('unkeyed writes are sent once under Retry On Fail, although a later item always fails', async () => {
	const { error } = await run(each, { items: itemsOf('1', '2', 'unknown', '4'), node: RETRY });
	expect(error?.message).toContain('rejected');
	expect(amounts().filter((amount) => amount === '1' || amount === '2')).toEqual(['1', '2']);
});

it('unkeyed writes are sent once through Retry, which returns their output again', async () => {
	const failed = await run(each, { items: itemsOf('1', 'unknown') });
	expect(failed.error?.description).toContain('Item 1 was accepted.<br>Item 2 was rejected.');
	const retried = await run(each, { items: itemsOf('1', 'unknown'), retryOf: failed.run.data });
	expect(retried.error?.description).toContain('Item 1 was accepted.<br>Item 2 was rejected.');
	expect(amounts()).toEqual(['1']);
});

it('unkeyed writes are not re-sent after an unknown outcome, nor with other values', async () => {
	simulator.faults.add({ kind: 'reset-after' });
	const first = await run(requestOf(body('1')), { node: RETRY });
	expect(first.error?.message).toBe(
		'Outcome unknown. This item was sent before, and its outcome is unknown',
	);
	for (const more of [{ retryOf: first.run.data }, { crashed: first.run.data }]) {
		for (const amount of ['1', '2']) {
			const { error } = await run(requestOf(body(amount)), more);
			expect(error?.message).toMatch(
				/^Outcome unknown\. This item (was sent before|has changed since this execution was interrupted)/,
			);
		}
	}
	expect(amounts()).toEqual(['1']);
});

it('unkeyed writes are sent once if the reply has an error, which n8n would take for a failed run', async () => {
	simulator.faults.add({ kind: 'body', body: '{"id":"op-1","error":"E1"}', times: 9 });
	const answered = await run(requestOf(body('1')), { node: RETRY });
	expect(jsonOf(answered)).toMatchObject([
		{ outcome: 'done', answer: { id: 'op-1', error: 'E1' } },
	]);
	expect(simulator.requests).toHaveLength(1);
});

it('unkeyed writes are sent once if Retry On Fail runs again for an item that continued as failed', async () => {
	simulator.faults.add({ kind: 'status', status: 412 });
	const node = { ...RETRY, onError: 'continueRegularOutput' as const };
	const continued = await run(each, { items: itemsOf('1', '2', '4'), node });
	expect(jsonOf(continued).map(({ status }) => status)).toEqual(['SUCCESS', 'SUCCESS', 'SUCCESS']);
	expect(amounts().sort()).toEqual(['1', '2', '4']);
	expect(simulator.requests).toHaveLength(4);
});
