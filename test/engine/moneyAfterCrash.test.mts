import { simulator, useSimulator } from '../simulator/useSimulator.mts';
import { type CoreOptions } from './core.mts';
import { run, transfer } from './payments.mts';

/** Payments after n8n was killed or restored from a backup. */
useSimulator({ requestsPerSecond: 0 });

describe('n8n killed', () => {
	const crash = async (parameters: CoreOptions['parameters'], more: Partial<CoreOptions> = {}) =>
		await run(parameters, { ...more, executionId: '21', establishedAt: 1_000 });
	/** Each test uses another node, because n8n stores the notes by node. */
	const named = (id: string) => ({ node: { id } });

	it('a retry is refused when sending had begun, also in a later round and under Continue On Fail', async () => {
		const node = { id: 'looped', onError: 'continueRegularOutput' as const };
		await crash(transfer, { node, rounds: 2 });
		const { outputs } = await run(transfer, { node, executionId: '22', crashedAt: 1_000 });
		expect(outputs[0]![0]!.json).toMatchObject({ outcome: 'unknown' });
		expect(outputs[0]![0]!.json.error).toContain('seems to have been cut off while it was sending');
		expect(simulator.ledger).toHaveLength(2);
	});

	it('manual executions are guarded too', async () => {
		await crash(transfer, { ...named('manual'), mode: 'manual' });
		const { error } = await run(transfer, {
			...named('manual'),
			executionId: '22',
			crashedAt: 1_000,
		});
		expect(error?.message).toContain('seems to have been cut off');
	});

	it('the retry of one that had not begun runs', async () => {
		await crash(transfer, named('other'));
		const { error } = await run(transfer, {
			...named('other'),
			executionId: '23',
			crashedAt: 2_000,
		});
		expect(error).toBeUndefined();
		expect(simulator.ledger).toHaveLength(2);
	});

	it('a retry with a key of the user runs, and the service executes only the rest', async () => {
		const keyed = { ...transfer, options: { idempotencyKey: 'order-1' } };
		await crash(keyed, named('keyed'));
		for (const executionId of ['22', '23']) {
			const { error } = await run(keyed, {
				...named('keyed'),
				executionId,
				crashedAt: 1_000,
			});
			expect(error).toBeUndefined();
		}
		expect(simulator.ledger).toHaveLength(1);
	});

	const withKey = (idempotencyKey: string) => ({ ...transfer, options: { idempotencyKey } });
	it.each([
		['was added', transfer, withKey('order-1')],
		['was removed', withKey('order-1'), transfer],
		['holds what changes', withKey('={{ $execution.id }}'), withKey('={{ $execution.id }}')],
	])('a retry whose key of the user %s is refused', async (name, then, now) => {
		await crash(then, named(name));
		for (const executionId of ['22', '23']) {
			const { error } = await run(now, { ...named(name), executionId, crashedAt: 1_000 });
			expect(error?.message).toContain('seems to have been cut off while it was sending');
			expect(error?.description).toContain('may have been executed');
		}
		expect(simulator.ledger).toHaveLength(1);
	});

	it('a retry that a guard refuses does not say that nothing was sent', async () => {
		const parameters = { ...transfer, amount: '={{ $json.amount }}' };
		const items = ['1', '2'].map((amount) => ({ json: { amount } }));
		await crash(parameters, { ...named('guarded'), items });
		const guarded = { ...parameters, options: { maximumAmount: '0.5' } };
		const { error } = await run(guarded, {
			...named('guarded'),
			items,
			executionId: '22',
			crashedAt: 1_000,
		});
		expect(error?.message).toContain('Maximum Amount');
		expect(error?.description).toContain('Items 0 and 1 may have been executed.');
		expect(simulator.ledger).toHaveLength(2);
	});
});

it('the keys of a restored database, whose execution IDs come again, are new', async () => {
	await run(transfer, { executionId: '5', establishedAt: 1_000 });
	await run(transfer, { executionId: '5', establishedAt: 2_000 });
	expect(simulator.ledger).toHaveLength(2);
});
