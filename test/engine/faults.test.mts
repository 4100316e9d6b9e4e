import { startSimulator, type Fault, type Simulator } from '../simulator/index.mts';
import { runInCore, type CoreOptions, type CoreRun } from './core.mts';
import { KEYED, UNKEYED, type Write } from './writes.mts';

/** Temporary faults, with the number of requests that a repeatable write needs. */
const PASSING: Array<[name: string, faults: Fault[], requests: number]> = [
	['429', [{ kind: '429' }], 2],
	['429 with Retry-After in seconds', [{ kind: '429', retryAfter: 1 }], 2],
	['429 with Retry-After as a date', [{ kind: '429', retryAfter: 1, retryAfterForm: 'date' }], 2],
	['502 as HTML', [{ kind: 'html502' }], 2],
	['502 as HTML after the effect', [{ kind: 'html502', effect: true }], 2],
	['503', [{ kind: 'status', status: 503 }], 2],
	['503 with Retry-After', [{ kind: 'status', status: 503, retryAfter: 1 }], 2],
	['504 after the effect', [{ kind: 'status', status: 504, effect: true }], 2],
	['408', [{ kind: 'status', status: 408 }], 2],
	['reset before the effect', [{ kind: 'reset-before' }], 2],
	['reset after the effect', [{ kind: 'reset-after' }], 2],
	['timeout after the effect', [{ kind: 'slow-after', delayMs: 2_500 }], 2],
	['timeout before the effect', [{ kind: 'slow-before', delayMs: 2_500 }], 2],
	['two in a row, one after the effect', [{ kind: 'reset-after' }, { kind: 'html502' }], 3],
];

/** Faults that outlast the attempts, with the number of executions by then. */
const LASTING: Array<[name: string, fault: Fault, effects: number]> = [
	['503', { kind: 'status', status: 503 }, 0],
	['502 as HTML after the effect', { kind: 'html502', effect: true }, 1],
	['reset before the effect', { kind: 'reset-before' }, 0],
	['reset after the effect', { kind: 'reset-after' }, 1],
];

/** One simulator per write, so that they run in parallel: a rate limiter serves one host. */
const simulators = new Map<string, Simulator>();

beforeAll(async () => {
	for (const { name } of [...KEYED, ...UNKEYED]) simulators.set(name, await startSimulator());
});
afterAll(
	async () =>
		await Promise.all([...simulators.values()].map(async (simulator) => await simulator.close())),
);

async function underFaults(
	write: Write,
	faults: Fault[],
	more: Partial<CoreOptions> = {},
): Promise<{ result: CoreRun; simulator: Simulator }> {
	const simulator = simulators.get(write.name)!;
	simulator.reset();
	simulator.faults.add(...faults);
	return { result: await send(write, more), simulator };
}

async function send(
	write: Write,
	{ parameters, ...more }: Partial<CoreOptions> = {},
): Promise<CoreRun> {
	const options = { timeoutSeconds: 2, ...write.options, ...(parameters?.options as object) };
	return await runInCore({
		baseUrl: simulators.get(write.name)!.url,
		parameters: { ...write.parameters, options },
		items: write.items,
		// They start in the same millisecond, and n8n stores data by node ID.
		node: { id: write.name },
		...more,
	});
}

/** The check read before a document is not faulty. */
const onlyWrites = (write: Write, faults: Fault[]) =>
	UNKEYED.includes(write)
		? faults.map((fault) => ({ ...fault, match: { method: 'POST' } }))
		: faults;
const effects = (simulator: Simulator, { effect }: Write) =>
	simulator.ledger.filter(({ operation }) => operation === effect).length;
const keysSent = (simulator: Simulator) =>
	new Set(simulator.requests.map(({ headers }) => headers['idempotency-key']));

const RETRY = 'The outcome is unknown: it may have been executed. Retry this execution';
const OWN_KEY =
	'The outcome is unknown: it may have been executed. Send it again with the same Idempotency Key';
const ASK =
	/The outcome is unknown: it may have been executed\. Ask the provider(?:, quoting the trace ID,)? before/;
const NOTHING = 'It was not executed.';
const says = ({ error }: CoreRun, advice: RegExp | string) =>
	error?.description?.match(advice) ? true : error;

/** Problems of a write under a fault; empty if there are none. Collected in a table, so that all are reported together. */
async function table(
	writes: Write[],
	check: (write: Write) => Promise<object>,
): Promise<Record<string, object>> {
	return Object.fromEntries(
		await Promise.all(writes.map(async (write) => [write.name, await check(write)] as const)),
	);
}
const all = (writes: Write[], row: object) =>
	Object.fromEntries(writes.map(({ name }) => [name, row]));

describe('keyed write', () => {
	it.each(PASSING)('executes exactly once through %s', async (_name, faults, requests) => {
		const rows = await table(KEYED, async (write) => {
			const { result, simulator } = await underFaults(write, faults);
			return {
				error: result.error?.message,
				effects: effects(simulator, write),
				requests: simulator.requests.length,
				keys: keysSent(simulator).size,
			};
		});
		expect(rows).toEqual(all(KEYED, { error: undefined, effects: 1, requests, keys: 1 }));
	});

	it.each(LASTING)(
		'reports its outcome when the attempts run out at %s, and executes once in a retry',
		async (_name, fault, done) => {
			const rows = await table(KEYED, async (write) => {
				const { result, simulator } = await underFaults(write, [{ ...fault, times: 2 }], {
					parameters: { options: { maxAttempts: 2 } },
				});
				const before = effects(simulator, write);
				const retried = await send(write, { executionId: '2', retryOf: result.run.data });
				return {
					advice: says(result, write.options ? OWN_KEY : RETRY),
					tried: says(result, 'n8n tried 2 times\\.'),
					before,
					retried: retried.error?.message,
					effects: effects(simulator, write),
					keys: keysSent(simulator).size,
				};
			});
			expect(rows).toEqual(
				all(KEYED, {
					advice: true,
					tried: true,
					before: done,
					retried: undefined,
					effects: 1,
					keys: 1,
				}),
			);
		},
	);

	it('is not repeated after a definite rejection', async () => {
		for (const status of [400, 401, 403, 404, 409, 412, 422, 500, 501]) {
			const rows = await table(KEYED, async (write) => {
				const { result, simulator } = await underFaults(write, [{ kind: 'status', status }]);
				return {
					error: result.error !== undefined,
					effects: effects(simulator, write),
					requests: simulator.requests.length,
				};
			});
			expect(rows).toEqual(all(KEYED, { error: true, effects: 0, requests: 1 }));
		}
	});
});

describe('write that the service may execute twice', () => {
	const posts = (simulator: Simulator) =>
		simulator.requests.filter(({ method }) => method === 'POST').length;
	/** Executions of the first requests. */
	const executed = ([fault]: Fault[]) =>
		fault?.kind === 'reset-after' || fault?.kind === 'slow-after' || fault?.effect === true ? 1 : 0;

	it.each(
		[
			...PASSING.map(([name, faults]) => [name, faults] as const),
			...LASTING.map(([name, fault]) => [`${name}, lasting`, [fault] as Fault[]] as const),
		].filter(([, [fault]]) => fault?.kind !== '429'),
	)('is sent once at %s, and the message gives advice', async (_name, faults) => {
		const rows = await table(UNKEYED, async (write) => {
			const { result, simulator } = await underFaults(write, onlyWrites(write, faults));
			return {
				requests: posts(simulator),
				effects: effects(simulator, write),
				advice: says(result, ASK),
			};
		});
		expect(rows).toEqual(all(UNKEYED, { requests: 1, effects: executed(faults), advice: true }));
	});
});

describe('429', () => {
	const WRITES = [...KEYED, ...UNKEYED];

	it.each(PASSING.filter(([, [fault]]) => fault?.kind === '429'))(
		'makes %s wait and does not count as an attempt',
		async (_name, faults) => {
			const rows = await table(WRITES, async (write) => {
				const { result, simulator } = await underFaults(
					write,
					onlyWrites(
						write,
						faults.map((fault) => ({ ...fault, times: 3 })),
					),
					// Long enough that a busy machine does not cause a timeout, which would count as an attempt.
					{ parameters: { options: { maxAttempts: 1, timeoutSeconds: 30 } } },
				);
				return { error: result.error?.message, effects: effects(simulator, write) };
			});
			expect(rows).toEqual(all(WRITES, { error: undefined, effects: 1 }));
		},
	);

	it('ends a write only with its total time; nothing was executed, and a retry executes it once', async () => {
		const rows = await table(WRITES, async (write) => {
			const { result, simulator } = await underFaults(
				write,
				onlyWrites(write, [{ kind: '429', retryAfter: 2 }]),
				{ parameters: { options: { maxTotalSeconds: 1 } } },
			);
			const before = effects(simulator, write);
			const retried = await send(write, { executionId: '2', retryOf: result.run.data });
			return {
				advice: says(result, NOTHING),
				before,
				retried: retried.error?.message,
				effects: effects(simulator, write),
			};
		});
		expect(rows).toEqual(all(WRITES, { advice: true, before: 0, retried: undefined, effects: 1 }));
	});
});
