import type { IDataObject } from 'n8n-workflow';

import { byId, RECIPIENT, requestOf, TRANSFER_PATH } from '../harness/fixtures.mts';
import { amounts, simulator, useSimulator } from '../simulator/useSimulator.mts';
import { type CoreOptions } from './core.mts';
import { body, itemsOf, jsonOf, run, transfer, transfers, withOptions } from './payments.mts';

useSimulator({ requestsPerSecond: 0 });

const NOTHING = '={{ $json.missing }}';

it.each<[string, CoreOptions['parameters']]>([
	['Maximum Amount', { ...transfer, maximumAmount: NOTHING }],
	['Allowed Recipients', withOptions({ allowedRecipients: NOTHING })],
	['Maximum Total', withOptions({ maximumTotal: NOTHING })],
	['Maximum Transfers', withOptions({ maximumTransfers: NOTHING })],
	['Only in Environment', withOptions({ onlyInEnvironment: NOTHING })],
	['Allow Missing Checksum', withOptions({ allowMissingChecksum: NOTHING })],
	['Dry Run', withOptions({ dryRun: NOTHING })],
	['Idempotency Key', requestOf(body('1'), { options: { idempotencyKey: NOTHING } })],
	// Without a token, the native coin would be sent.
	['Token', { ...transfer, tokenAddress: byId(NOTHING) }],
	['Token', { ...transfer, tokenAddress: byId('={{ "" }}') }],
	['Token', { ...transfer, tokenAddress: byId('={{ null }}') }],
])('%s is refused, never ignored, when its expression gives nothing', async (label, parameters) => {
	const { error } = await run(parameters);
	expect(error?.message).toMatch(new RegExp(`^${label} `));
	expect(simulator.requests).toEqual([]);
});

it('a transfer saved without its options is sent, and one without Maximum Amount refused by n8n', async () => {
	const { options: _, maximumAmount, ...saved } = transfer;
	expect((await run({ ...saved, maximumAmount })).error).toBeUndefined();
	await expect(run({ ...saved, options: {}, paymentReference: 'INV-6' })).rejects.toThrow('issues');
	expect(amounts()).toEqual(['5']);
});

it('Maximum Total and Maximum Transfers limit all items of the run together', async () => {
	const items = itemsOf('1', '2', '3');
	const limited = async (options: object) => await run(withOptions(options, transfers), { items });
	expect((await limited({ maximumTotal: '5.999999' })).error?.message).toBe(
		'Maximum Total is 5.999999, and the transfers of this run add up to 6',
	);
	expect((await limited({ maximumTransfers: 2 })).error?.message).toBe(
		'Maximum Transfers is 2, and this run has 3 transfers',
	);
	expect(simulator.requests).toEqual([]);
	expect((await limited({ maximumTotal: '6', maximumTransfers: 3 })).error).toBeUndefined();
	expect(amounts().sort()).toEqual(['1', '2', '3']);
});

it('Only in Environment refuses a credential of the other one', async () => {
	const parameters = withOptions({ onlyInEnvironment: 'production' });
	expect((await run(parameters)).error?.message).toContain('Only in Environment');
	expect(simulator.requests).toEqual([]);
	await run(parameters, { credential: { environment: 'production' } });
	expect(amounts()).toEqual(['5']);
});

it('a dry run checks everything, shows the request, and neither sends nor remembers', async () => {
	const { outputs, hints } = await run(withOptions({ dryRun: true }));
	expect(outputs[0]![0]!.json).toMatchObject({
		outcome: 'dry_run',
		status: 'DRY_RUN',
		request: { method: 'POST', path: TRANSFER_PATH, body: { to: RECIPIENT, amount: 5 } },
		idempotency_key: expect.stringMatching(/^[0-9a-f-]{36}$/),
	});
	expect(hints).toEqual(['Dry run: the requests are shown and nothing was sent.']);
	expect(simulator.requests).toEqual([]);
	expect(jsonOf(await run(transfer))).toMatchObject([{ status: 'SUCCESS' }]);
});

it('each item of a dry run has the total, a refused one too, and a real run has none', async () => {
	const transfers = { ...transfer, amount: '={{ $json.amount }}' };
	const items = [{ amount: 'x' }, { amount: '0.1' }, { amount: '0.2' }].map((json, index) => ({
		json: { ...json, reference: `INV-${index}` },
	}));
	const parameters = { ...transfers, paymentReference: '={{ $json.reference }}' };
	const dry = await run(withOptions({ dryRun: true }, parameters), {
		items,
		node: { onError: 'continueRegularOutput' },
	});
	const total = expect.stringMatching(/^0\.3 of the native coin in /) as string;
	expect(jsonOf(dry)).toMatchObject([
		{ outcome: 'not_sent', total },
		{ outcome: 'dry_run', total },
		{ outcome: 'dry_run', total },
	]);
	expect(dry.hints[0]).toContain('Together: 0.3 of the native coin in ');
	for (const json of jsonOf(await run(parameters, { items: items.slice(1) })))
		expect(json).not.toHaveProperty('total');
});

it.each<[unknown, boolean, string | undefined]>([
	[{ data: { approved: true } }, false, undefined],
	[{ data: { approved: false } }, false, 'Approved is false: declined, or not answered'],
	[{}, false, 'Approved has no answer'],
	// A dry run before the question.
	[{}, true, undefined],
	[{ data: { approved: false } }, true, 'Approved is false: declined, or not answered'],
])('after the answer %j, with Dry Run %j, the refusal is %j', async (json, dryRun, refusal) => {
	const parameters = withOptions({ approved: '={{ $json.data.approved }}', dryRun });
	const { error } = await run(parameters, { items: [{ json: json as IDataObject }] });
	expect(error?.message).toBe(refusal);
	expect(amounts()).toEqual(refusal === undefined && !dryRun ? ['5'] : []);
});
