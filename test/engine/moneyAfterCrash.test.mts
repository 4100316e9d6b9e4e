import { startSimulator, type Simulator } from '../simulator/index.mts';
import { runInCore, type CoreOptions } from './core.mts';
import { transfer } from './payments.mts';

/** What becomes of a payment when n8n was killed, or goes on from a backup. */
let simulator: Simulator;

beforeAll(async () => {
	simulator = await startSimulator({ requestsPerSecond: 0 });
});
afterAll(async () => await simulator.close());
beforeEach(() => simulator.reset());

const run = async (parameters: CoreOptions['parameters'], more: Partial<CoreOptions> = {}) =>
	await runInCore({ baseUrl: simulator.url, parameters, ...more });

describe('after n8n was killed', () => {
	const crash = async (parameters: CoreOptions['parameters'], more: Partial<CoreOptions> = {}) =>
		await run(parameters, { ...more, executionId: '21', establishedAt: 1_000 });
	/** Each test is a node of its own: n8n keeps the notes by node. */
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

	it('a retry to which a key of the user was added is refused', async () => {
		await crash(transfer, named('added'));
		const keyed = { ...transfer, options: { idempotencyKey: 'order-1' } };
		const { error } = await run(keyed, {
			...named('added'),
			executionId: '22',
			crashedAt: 1_000,
		});
		expect(error?.message).toContain('Idempotency Key is set now, and was not when');
		expect(simulator.ledger).toHaveLength(1);
	});
});

it('the keys of a restored database, whose execution IDs come again, are new', async () => {
	await run(transfer, { executionId: '5', establishedAt: 1_000 });
	await run(transfer, { executionId: '5', establishedAt: 2_000 });
	expect(simulator.ledger).toHaveLength(2);
});
