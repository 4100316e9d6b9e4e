import { upTo } from '../harness/fixtures.mts';
import { IDS, MAGIC_RECIPIENTS } from '../simulator/index.mts';
import { amounts, simulator, useSimulator } from '../simulator/useSimulator.mts';
import { notes, type CoreRun } from './core.mts';
import { day, itemsOf, jsonOf, keys, run, transfer, transfers, withOptions } from './payments.mts';

useSimulator({ requestsPerSecond: 0 });

const OPEN = { kind: 'status', status: 500, effect: true } as const;
const statuses = (given: CoreRun) => jsonOf(given).map(({ status }) => status);

describe('a payment that was accepted', () => {
	it.each(['trigger', 'manual', 'integrated', 'webhook'] as const)(
		'an accepted payment is ALREADY_SENT in another execution: %s',
		async (mode) => {
			const first = await run(transfer);
			const again = await run(transfer, { mode });
			expect(jsonOf(again)).toEqual([
				{
					...jsonOf(first)[0],
					outcome: 'already_sent',
					summary: expect.stringMatching(
						/^Already sent: INV-5, 5 of the native coin from wal-0001/,
					),
					status: 'ALREADY_SENT',
					transaction_hash: null,
					trace_id: null,
				},
			]);
			expect(again.hints).toEqual([
				expect.stringContaining('Already sent means accepted, not paid'),
			]);
			expect(amounts()).toEqual(['5']);
		},
	);

	it('an accepted payment is ALREADY_SENT in the second iteration of a loop, and once per day whatever its amount', async () => {
		expect(statuses(await run(transfer, { rounds: 2 }))).toEqual(['ALREADY_SENT']);
		const daily = { ...transfer, referenceFrom: 'oncePerDay' };
		await run({ ...daily, amount: '6' });
		expect(jsonOf(await run({ ...daily, amount: '7' }))).toMatchObject([
			{ status: 'ALREADY_SENT', amount: null },
		]);
		expect(amounts()).toEqual(['5', '6']);
	});

	it('a manual retry returns the output of an accepted payment again, and sends the rest', async () => {
		const parameters = { ...transfers, walletId: '={{ $json.walletId }}' };
		const items = [IDS.wallet, IDS.secondWallet].map((walletId, index) => ({
			json: { walletId, amount: `${index + 1}` },
		}));
		simulator.faults.add({ kind: 'status', status: 404, match: { path: IDS.secondWallet } });
		const failed = await run(parameters, { items });
		expect(failed.error?.description).toContain('Item 1 was accepted.<br>Item 2 was rejected.');
		const retried = await run(parameters, { items, retryOf: failed.run.data });
		expect(jsonOf(retried)).toMatchObject([
			{ amount: '1', status: 'SUCCESS', repeated: true },
			{ amount: '2', status: 'SUCCESS' },
		]);
		expect(amounts()).toEqual(['1', '2']);
	});

	it('other values under the reference of an accepted payment are refused', async () => {
		await run(transfer);
		const { error } = await run({ ...transfer, amount: '6' });
		expect(error?.message).toBe('Payment Reference names another payment, which was accepted');
		expect(amounts()).toEqual(['5']);
	});
});

describe('a payment of unknown outcome', () => {
	it('Retry re-sends an unknown payment with its key within the window, as its message says', async () => {
		simulator.faults.add(OPEN);
		const failed = await run(transfer, day);
		expect(failed.error?.message).toBe('Outcome unknown. The service failed (HTTP 500)');
		expect(failed.error?.description).toContain('Open Executions, this run, Retry.');
		const other = await run(transfer, day);
		expect(other.error?.message).toContain('was sent before: its outcome is open or FAILED');
		expect(simulator.requests).toHaveLength(1);
		const retried = await run(transfer, { ...day, retryOf: failed.run.data });
		expect(statuses(retried)).toEqual(['SUCCESS']);
		expect(new Set(keys()).size).toBe(1);
		expect(amounts()).toEqual(['5']);
	});

	it('Retry On Fail re-sends an unknown payment with its key within the window', async () => {
		simulator.faults.add(OPEN);
		const node = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };
		expect((await run(transfer, { ...day, node })).error).toBeUndefined();
		expect(keys()).toHaveLength(2);
		expect(amounts()).toEqual(['5']);
	});

	it.each([
		['not known', {}, Date.now()],
		['over', day, Date.now() - 25 * 3_600_000],
	])(
		'an unknown payment is not re-sent if the window is %s',
		async (_name, window, establishedAt) => {
			simulator.faults.add(OPEN);
			const first = await run(transfer, { ...window, establishedAt });
			const retried = await run(transfer, { ...window, retryOf: first.run.data });
			expect(retried.error?.message).toBe(
				'Outcome unknown. Payment Reference was sent before, and its outcome is unknown',
			);
			expect(simulator.requests).toHaveLength(1);
		},
	);

	it('an unknown payment stays unknown if its re-send is rejected or has other values', async () => {
		simulator.faults.add(OPEN, { kind: 'status', status: 401 });
		const first = await run(transfer, day);
		const second = await run(transfer, { ...day, retryOf: first.run.data });
		expect(second.error?.message).toMatch(/^Outcome unknown\. The API key was rejected/);
		const changed = await run({ ...transfer, amount: '6' }, { ...day, retryOf: second.run.data });
		expect(changed.error?.message).toBe(
			'Outcome unknown. This item may have been executed earlier in this execution, with other values',
		);
		const third = await run(transfer, { ...day, retryOf: changed.run.data });
		expect(third.error).toBeUndefined();
		expect(amounts()).toEqual(['5']);
	});
});

it('a payment that FAILED fails again in a retry, and is refused in another execution', async () => {
	const parameters = { ...transfer, to: MAGIC_RECIPIENTS.FAILED };
	const failed = await run(parameters);
	expect(failed.error?.message).toBe('The service accepted the transfer, and it FAILED');
	const retried = await run(parameters, { retryOf: failed.run.data });
	expect(retried.error?.message).toBe('This item came back FAILED earlier in this execution');
	const other = await run(parameters);
	expect(other.error?.message).toContain('its outcome is open or FAILED');
	expect(simulator.requests).toHaveLength(1);
});

describe('the retry of an execution that crashed', () => {
	it('the retry refuses what was open, returns ALREADY_SENT for what was accepted, and sends the rest', async () => {
		const items = itemsOf('1', '2', '3');
		const goesOn = { ...day, items, node: { onError: 'continueRegularOutput' as const } };
		simulator.faults.add({ kind: 'reset-after', match: { path: IDS.wallet } });
		const crashed = await run(withOptions({ maxAttempts: 1 }, transfers), {
			...goesOn,
			items: items.slice(0, 2),
		});
		expect(jsonOf(crashed).map(({ outcome }) => outcome)).toContain('unknown');
		const retried = await run(transfers, { ...goesOn, crashed: crashed.run.data });
		expect(
			jsonOf(retried)
				.map(({ outcome }) => outcome)
				.sort(),
		).toEqual(['already_sent', 'done', 'unknown']);
		expect(keys()).toHaveLength(3);
		expect(amounts().sort()).toEqual(['1', '2', '3']);
	});

	it('the retry refuses new references for the same items, and sends nothing', async () => {
		const crashed = await run(transfers, { ...day, items: itemsOf('1', '2') });
		const renamed = { ...transfers, paymentReference: '=NEW-{{ $json.amount }}' };
		const retried = await run(renamed, {
			...day,
			items: itemsOf('1', '2'),
			crashed: crashed.run.data,
		});
		expect(retried.error?.message).toBe(
			'Outcome unknown. Payment Reference has changed since this execution was interrupted, or these are other items',
		);
		expect(amounts()).toEqual(['1', '2']);
	});

	it('the retry counts the iterations of a loop from the first', async () => {
		const crashed = await run(transfer, { rounds: 2 });
		const retried = await run(transfer, { rounds: 2, crashed: crashed.run.data });
		expect(statuses(retried)).toEqual(['ALREADY_SENT']);
		expect(amounts()).toEqual(['5']);
	});
});

it('two runs at the same moment send a payment once, and neither loses what the other records', async () => {
	const items = itemsOf('1', '2');
	const both = await Promise.all([
		run(transfers, { items }),
		run(transfers, { items: itemsOf('1') }),
		run(transfers, { items: itemsOf('3') }),
	]);
	expect(both.flatMap(({ error }) => error?.message ?? [])).toEqual([
		'Outcome unknown. Payment Reference is being sent by another run at this moment',
	]);
	await run(transfers, { items });
	expect(statuses(await run(transfers, { items: [...items, ...itemsOf('3')] }))).toEqual(
		upTo(3).map(() => 'ALREADY_SENT'),
	);
	expect(amounts().sort()).toEqual(['1', '2', '3']);
});

it('nothing is sent when n8n cannot record it', async () => {
	jest.spyOn(notes, 'record').mockImplementation(() => {
		throw new Error('database is locked');
	});
	const { error } = await run(transfer);
	expect(error?.message).toBe("Nothing was sent: n8n's database did not record the payments");
	expect(simulator.requests).toEqual([]);
});

it('a batch records what is in flight, and keeps the notes of what was sent', async () => {
	const record = jest.spyOn(notes, 'record');
	simulator.faults.add({ kind: 'status', status: 404 });
	const { error } = await run(transfers, { items: itemsOf(...upTo(1_000).map(String)) });
	expect(error?.description).toContain('was rejected');
	const parts = record.mock.calls.filter(([, recorded]) => recorded.length === 21).length;
	expect(parts).toBeLessThanOrEqual(8);
	// Two notes for each payment, and one for each part of which something was sent.
	expect(notes.of('node-1').length).toBeGreaterThanOrEqual(2 * simulator.ledger.length);
	expect(notes.of('node-1').length).toBeLessThanOrEqual(2 * simulator.ledger.length + parts);
});
