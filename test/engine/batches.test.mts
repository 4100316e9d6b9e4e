import { setImmediate as turn } from 'node:timers/promises';

import { OTHER_RECIPIENT, RECIPIENT, upTo } from '../harness/fixtures.mts';
import { IDS } from '../simulator/index.mts';
import { until } from '../simulator/until.mts';
import { simulator, useSimulator } from '../simulator/useSimulator.mts';
import { goesOn, itemsOf, outcomes, run, transfers, withOptions } from './payments.mts';

useSimulator();

const many = (count: number) => itemsOf(...upTo(count).map(String));

/** Without pacing, most requests are rejected. The limiter's own tests show on a virtual clock that none is. */
const expectPaced = () =>
	expect(simulator.rateLimit.rejected).toBeLessThan(simulator.requests.length / 4);

it('transfers under many faults are executed once each, in the order of their items', async () => {
	simulator.faults.add(
		{ kind: '429', every: 31, times: 3 },
		{ kind: 'reset-before', every: 29 },
		{ kind: 'reset-after', every: 23 },
		{ kind: 'html502', every: 19 },
		{ kind: 'html502', every: 17, effect: true },
		{ kind: 'status', status: 503, every: 13, retryAfter: 1 },
	);
	const { outputs, error } = await run(transfers, { items: many(60) });
	expect(error).toBeUndefined();
	expect(outputs[0]!.map(({ pairedItem }) => pairedItem)).toEqual(
		upTo(60).map((at) => ({ item: at - 1 })),
	);
	expect(simulator.faults.list().every(({ struck }) => struck > 0)).toBe(true);
	const amounts = simulator.ledger.map(({ amountText }) => Number(amountText));
	expect(amounts.sort((one, other) => one - other)).toEqual(upTo(60));
	expectPaced();
});

it('two batches and a single item share the limit, and the single item does not wait for the batches', async () => {
	const batches = ['one', 'two'].map(
		async (id) =>
			await run(
				{ ...transfers, paymentReference: `=${id}-{{ $json.amount }}` },
				{ items: many(25), node: { id } },
			),
	);
	await until(() => simulator.requests.length >= 10);
	const before = simulator.requests.length;
	const single = await run(transfers, { items: itemsOf('77.7'), node: { id: 'three' } });
	const place = simulator.requests.findIndex(({ bodyText }) => bodyText.includes('77.7'));
	expect(single.error).toBeUndefined();
	// Behind both batches the item would be request 51.
	expect(place).toBeGreaterThanOrEqual(before);
	expect(place).toBeLessThan(40);
	expect((await Promise.all(batches)).map(({ outputs }) => outputs[0]!.length)).toEqual([25, 25]);
	expectPaced();
	expect(simulator.ledger).toHaveLength(51);
});

it('a failed item stops the parts that are not recorded yet, and the error counts the run', async () => {
	const items = upTo(50).map((amount) => ({
		json: { amount: `${amount}`, walletId: amount === 7 ? 'unknown' : IDS.wallet },
	}));
	const parameters = { ...transfers, walletId: '={{ $json.walletId }}' };
	const { error } = await run(parameters, { items });
	expect(error?.message).toBe('Item 7: Wallet not found (HTTP 404)');
	const sent = simulator.ledger.length;
	expect(sent).toBeLessThan(20);
	expect(error?.description).toContain(`<br>${sent} done, 1 rejected, ${49 - sent} not reached.`);
	simulator.settings.requestsPerSecond = 0;
	const again = await run(parameters, { items, ...goesOn });
	expect(again.hints).toEqual([`${49 - sent} done, ${sent} already sent, 1 rejected.`]);
});

it('one invalid item stops the whole batch, and all invalid ones are named', async () => {
	const { error } = await run(transfers, { items: itemsOf('1', 'x', '2', 'y') });
	expect(error?.message).toBe('Items 2 and 4 failed. Item 2: Amount is "x"');
	expect(error?.description).toMatch(
		/Item 4: Not sent: .+ Amount is "y"\. .+<br>2 not sent, 2 not reached\.$/,
	);
	expect(simulator.requests).toEqual([]);
});

const allowedRecipients = Array(100).fill(`${RECIPIENT}, ${OTHER_RECIPIENT}`).join(';');

it.each([
	['transfers', withOptions({ dryRun: true, allowedRecipients }, transfers), 'dry_run'],
	['refused transfers', { ...transfers, maximumAmount: '0.5' }, 'not_sent'],
])('5,000 %s leave turns to the other work of the process', async (_name, parameters, outcome) => {
	let isOver = false;
	// Of the process, because beside others it also waits for the processor.
	const processor = () => {
		const { user, system } = process.cpuUsage();
		return user + system;
	};
	const began = processor();
	let [last, longest] = [began, 0];
	const other = async () => {
		while (!isOver) {
			await turn();
			const now = processor();
			longest = Math.max(longest, now - last);
			last = now;
		}
	};
	const watched = other();
	const ended = await run(parameters, { items: many(5_000), ...goesOn });
	isOver = true;
	await watched;
	expect(outcomes(ended)).toEqual(Array(5_000).fill(outcome));
	// Usually 0.02. Without breaks it is 1.
	expect(longest / (last - began)).toBeLessThan(0.2);
});
