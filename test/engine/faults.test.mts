import { cardOf, documentOf, image, requestOf, transferOf } from '../harness/fixtures.mts';
import { IDS, startSimulator, type Fault, type Simulator } from '../simulator/index.mts';
import { runInCore, type CoreOptions, type CoreRun } from './core.mts';
import { body, day } from './payments.mts';

interface Write {
	name: string;
	parameters: CoreOptions['parameters'];
	items?: CoreOptions['items'];
	options?: object;
	/** Ledger row of the effect. */
	effect: string;
}

/** Writes that the user has named: the same key in every execution. */
const PAYMENTS: Write[] = [
	{ name: 'transfer', effect: 'wallet.transfer', parameters: transferOf('0.1') },
	{
		name: "any endpoint with the user's own key",
		effect: 'wallet.transfer',
		options: { idempotencyKey: 'own-key-1' },
		parameters: requestOf(body('0.1')),
	},
];

/** Writes that set a value: a key for the attempts of each run. */
const SETTINGS: Write[] = [
	{
		name: 'ramp',
		effect: 'rampTransfer.updateAmount',
		parameters: {
			resource: 'rampTransfer',
			operation: 'updateAmount',
			rampTransferId: IDS.pendingRamp,
			amount: '7',
		},
	},
	{ name: 'freeze', effect: 'card.freeze', parameters: cardOf('freeze') },
	{ name: 'unfreeze', effect: 'card.unfreeze', parameters: cardOf('unfreeze', IDS.frozenCard) },
	{
		name: '3DS',
		effect: 'card.configure3ds',
		parameters: { ...cardOf('configure3ds'), type: 'sms' },
	},
	{ name: 'unblock', effect: 'card.unblock', parameters: cardOf('unblock', IDS.blockedCard) },
];

/** Writes that the service would execute again. */
const UNKEYED: Write[] = [
	{
		name: 'any endpoint without',
		effect: 'wallet.transfer',
		parameters: requestOf(body('0.1')),
	},
	{
		name: 'document',
		effect: 'productRequest.submitDocument',
		items: [{ json: {}, binary: { data: image() } }],
		parameters: documentOf('passport'),
	},
];

const KEYED = [...PAYMENTS, ...SETTINGS];
const WRITES = [...KEYED, ...UNKEYED];

/** Temporary faults, with the number of requests that a repeatable write needs. */
const PASSING: Array<[name: string, faults: Fault[], requests: number]> = [
	['502 as HTML after the effect', [{ kind: 'html502', effect: true }], 2],
	['503 with Retry-After', [{ kind: 'status', status: 503, retryAfter: 1 }], 2],
	['504 after the effect', [{ kind: 'status', status: 504, effect: true }], 2],
	['reset before the effect', [{ kind: 'reset-before' }], 2],
	['reset after the effect', [{ kind: 'reset-after' }], 2],
	['an answer cut in its headers', [{ kind: 'cut-headers' }], 2],
	['an answer cut in its body', [{ kind: 'cut-body' }], 2],
	['timeout after the effect', [{ kind: 'slow-after', delayMs: 2_500 }], 2],
	['timeout before the effect', [{ kind: 'slow-before', delayMs: 2_500 }], 2],
	['two in a row, one after the effect', [{ kind: 'reset-after' }, { kind: 'html502' }], 3],
];

/** Faults that outlast the attempts, with the number of executions by then. */
const LASTING: Array<[name: string, fault: Fault, effects: number]> = [
	['503', { kind: 'status', status: 503 }, 0],
	['reset after the effect', { kind: 'reset-after' }, 1],
];

/** One simulator per write, so that they run in parallel: a rate limiter serves one host. */
const simulators = new Map<string, Simulator>();

beforeAll(async () => {
	for (const { name } of WRITES) simulators.set(name, await startSimulator());
});
afterAll(
	async () =>
		await Promise.all([...simulators.values()].map(async (simulator) => await simulator.close())),
);

async function underFaults(
	write: Write,
	faults: Fault[],
	options: object = {},
): Promise<{ result: CoreRun; simulator: Simulator }> {
	const simulator = simulators.get(write.name)!;
	simulator.reset();
	// Lets the read before a document succeed.
	const match = UNKEYED.includes(write) ? { match: { method: 'POST' } } : {};
	simulator.faults.add(...faults.map((fault) => ({ ...fault, ...match })));
	return { result: await send(write, {}, options), simulator };
}

const send = async (write: Write, more: Partial<CoreOptions>, options: object = {}) =>
	await runInCore({
		baseUrl: simulators.get(write.name)!.url,
		parameters: {
			...write.parameters,
			options: { timeoutSeconds: 2, ...write.options, ...options },
		},
		items: write.items,
		// n8n stores data by node ID.
		node: { id: write.name },
		...day,
		...more,
	});

const effects = (simulator: Simulator, { effect }: Write) =>
	simulator.ledger.filter(({ operation }) => operation === effect).length;
const keysSent = (simulator: Simulator) =>
	new Set(simulator.requests.map(({ headers }) => headers['idempotency-key'])).size;
const posts = (simulator: Simulator) =>
	simulator.requests.filter(({ method }) => method !== 'GET').length;

const RETRY = 'Open Executions, this run, Retry.';
const AGAIN = 'It may have been executed. Run it again: it sets the same value.';
const ASK = 'Ask the provider whether it was executed before you send it again.';
const says = ({ error }: CoreRun, advice: string) =>
	error?.description?.includes(advice) ? true : error;

/** Compares the results of all writes in one table, so that one failure report shows them all. */
async function expectAll(
	writes: Write[],
	check: (write: Write) => Promise<object>,
	row: object,
): Promise<void> {
	const rows = writes.map(async (write) => [write.name, await check(write)] as const);
	expect(Object.fromEntries(await Promise.all(rows))).toEqual(
		Object.fromEntries(writes.map(({ name }) => [name, row])),
	);
}

it.each(PASSING)(
	'a keyed write executes exactly once through %s',
	async (_name, faults, requests) => {
		const check = async (write: Write) => {
			const { result, simulator } = await underFaults(write, faults);
			return {
				error: result.error,
				effects: effects(simulator, write),
				requests: simulator.requests.length,
				keys: keysSent(simulator),
			};
		};
		await expectAll(KEYED, check, { error: undefined, effects: 1, requests, keys: 1 });
	},
);

describe.each([
	['a payment, which Retry executes once', PAYMENTS, RETRY, { effects: 1, keys: 1 }],
	['a value, which Retry sets again', SETTINGS, AGAIN, { keys: 2 }],
])('attempts that run out: %s', (_what, writes, advice, expected) => {
	it.each(LASTING)('at %s', async (_name, fault, done) => {
		const check = async (write: Write) => {
			const faults = [{ ...fault, times: 2 }];
			const { result, simulator } = await underFaults(write, faults, { maxAttempts: 2 });
			const before = effects(simulator, write);
			const retried = await send(write, { retryOf: result.run.data });
			return {
				advice: says(result, advice),
				tried: says(result, 'n8n tried 2 times.'),
				before,
				retried: retried.error,
				effects: effects(simulator, write),
				keys: keysSent(simulator),
			};
		};
		await expectAll(writes, check, {
			advice: true,
			tried: true,
			before: done,
			retried: undefined,
			effects: done + 1,
			...expected,
		});
	});
});

it.each([400, 401, 403, 404, 409, 412, 422, 500, 501])(
	'a write is not repeated after %d',
	async (status) => {
		const check = async (write: Write) => {
			const { result, simulator } = await underFaults(write, [{ kind: 'status', status }]);
			return {
				error: result.error !== undefined,
				effects: effects(simulator, write),
				requests: posts(simulator),
			};
		};
		await expectAll(WRITES, check, { error: true, effects: 0, requests: 1 });
	},
);

it.each(PASSING)(
	'a write that the service may execute twice is sent once at %s, and the message gives advice',
	async (_name, faults) => {
		const check = async (write: Write) => {
			const { result, simulator } = await underFaults(write, faults);
			return { requests: posts(simulator), advice: says(result, ASK) };
		};
		await expectAll(UNKEYED, check, { requests: 1, advice: true });
	},
);

describe('429', () => {
	it('a 429 makes a write wait, and does not count as an attempt', async () => {
		const check = async (write: Write) => {
			const { result, simulator } = await underFaults(
				write,
				[{ kind: '429', times: 3 }],
				// Timeout that a busy machine does not reach. A timeout would count as an attempt.
				{ maxAttempts: 1, timeoutSeconds: 30 },
			);
			return { error: result.error, effects: effects(simulator, write) };
		};
		await expectAll(WRITES, check, { error: undefined, effects: 1 });
	});

	it('a 429 ends a write only at its total time, and Retry then executes it once', async () => {
		const check = async (write: Write) => {
			const faults: Fault[] = [{ kind: '429', retryAfter: 2 }];
			const { result, simulator } = await underFaults(write, faults, { maxTotalSeconds: 1 });
			const before = effects(simulator, write);
			const retried = await send(write, { retryOf: result.run.data });
			return {
				advice: says(result, 'It was not executed.'),
				before,
				retried: retried.error,
				effects: effects(simulator, write),
			};
		};
		await expectAll(WRITES, check, { advice: true, before: 0, retried: undefined, effects: 1 });
	});
});
