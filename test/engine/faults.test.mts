import { IDS, startSimulator, type Fault, type Simulator } from '../simulator/index.mts';
import { runInCore, type CoreOptions, type CoreRun } from './core.mts';

const TRANSFER_PATH = `/mpc/accounts/${IDS.account}/wallets/${IDS.wallet}/transfer`;
const TO = '0x52908400098527886E0F7030069857D2E4169EE7';
const PNG = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(64)]).toString(
	'base64',
);
const image = [{ json: {}, binary: { data: { data: PNG, mimeType: 'image/png' } } }];

interface Write {
	name: string;
	parameters: CoreOptions['parameters'];
	items?: CoreOptions['items'];
	options?: object;
	/** The row that its effect writes into the ledger. */
	effect: string;
}

const KEYED: Write[] = [
	{
		name: 'transfer',
		effect: 'wallet.transfer',
		parameters: {
			resource: 'wallet',
			operation: 'transfer',
			accountId: IDS.account,
			tokenAddress: { __rl: true, mode: 'list', value: 'native' },
			walletId: IDS.wallet,
			to: TO,
			amount: '0.1',
		},
	},
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
	{
		name: 'freeze',
		effect: 'card.freeze',
		parameters: { resource: 'card', operation: 'freeze', cardId: IDS.activeCard },
	},
	{
		name: 'unfreeze',
		effect: 'card.unfreeze',
		parameters: { resource: 'card', operation: 'unfreeze', cardId: IDS.frozenCard },
	},
	{
		name: '3DS',
		effect: 'card.configure3ds',
		parameters: {
			resource: 'card',
			operation: 'configure3ds',
			cardId: IDS.activeCard,
			type: 'sms',
		},
	},
	{
		name: 'unblock',
		effect: 'card.unblock',
		parameters: { resource: 'card', operation: 'unblock', cardId: IDS.blockedCard },
	},
	{
		name: "any endpoint with the user's own key",
		effect: 'wallet.transfer',
		options: { idempotencyKey: 'own-key-1' },
		parameters: {
			resource: 'endpoint',
			operation: 'request',
			method: 'POST',
			path: TRANSFER_PATH,
			jsonBody: `{"to":"${TO}","amount":0.1}`,
		},
	},
];

const UNKEYED: Write[] = [
	{
		name: 'any endpoint without',
		effect: 'wallet.transfer',
		parameters: {
			resource: 'endpoint',
			operation: 'request',
			method: 'POST',
			path: TRANSFER_PATH,
			jsonBody: `{"to":"${TO}","amount":0.1}`,
		},
	},
	{
		name: 'document',
		effect: 'productRequest.submitDocument',
		items: image,
		parameters: {
			resource: 'productRequest',
			operation: 'submitDocument',
			clientId: IDS.client,
			productRequestId: { __rl: true, mode: 'id', value: IDS.pendingProductRequest },
			documentType: { __rl: true, mode: 'id', value: 'passport' },
			frontImageField: 'data',
			metadata: {
				mappingMode: 'defineBelow',
				value: { number: 'X1234567', issuing_country: 'DO' },
			},
		},
	},
];

/** Faults that pass; how many requests a repeatable write then needs. */
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

/** Faults that outlast the tries, and how often the work has been carried out by then. */
const LASTING: Array<[name: string, fault: Fault, effects: number]> = [
	['429', { kind: '429', retryAfter: 0 }, 0],
	['503', { kind: 'status', status: 503 }, 0],
	['502 as HTML after the effect', { kind: 'html502', effect: true }, 1],
	['reset before the effect', { kind: 'reset-before' }, 0],
	['reset after the effect', { kind: 'reset-after' }, 1],
];

/** One simulator for each write, so that they run beside each other: a pacer serves one address. */
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
		...more,
	});
}

const effects = (simulator: Simulator, { effect }: Write) =>
	simulator.ledger.filter(({ operation }) => operation === effect).length;
const keysSent = (simulator: Simulator) =>
	new Set(simulator.requests.map(({ headers }) => headers['idempotency-key']));

const ADVICE =
	/Nothing was carried out\.|Retry this execution: it sends the same idempotency key again|Send it again with the same Idempotency Key|Check in the company portal before you send it again/;
const advice = ({ error }: CoreRun) => ADVICE.exec(error?.description ?? '')?.[0];

/** What is wrong with a write under a fault; empty when all is well. Rows of one table, so that all are seen at once. */
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

describe('a write that carries a key', () => {
	it.each(PASSING)('is carried out exactly once through %s', async (_name, faults, requests) => {
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
		'says plainly how it stands when the tries run out at %s; a retry of the execution then does it once',
		async (_name, fault, done) => {
			const rows = await table(KEYED, async (write) => {
				const { result, simulator } = await underFaults(write, [{ ...fault, times: 2 }], {
					parameters: { options: { maxAttempts: 2 } },
				});
				const before = effects(simulator, write);
				const retried = await send(write, { executionId: '2', retryOf: result.run.data });
				return {
					advice: advice(result),
					tried: result.error?.description?.includes('It was tried 2 times'),
					before,
					retried: retried.error?.message,
					effects: effects(simulator, write),
					keys: keysSent(simulator).size,
				};
			});
			const says = ({ options }: Write) =>
				fault.kind === '429'
					? 'Nothing was carried out.'
					: options
						? 'Send it again with the same Idempotency Key'
						: 'Retry this execution: it sends the same idempotency key again';
			const expected = (write: Write) => ({
				advice: says(write),
				tried: true,
				before: done,
				retried: undefined,
				effects: 1,
				keys: 1,
			});
			expect(rows).toEqual(Object.fromEntries(KEYED.map((write) => [write.name, expected(write)])));
		},
	);

	it('is not repeated after an answer that says no', async () => {
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

describe('a write that the service may carry out again', () => {
	it.each([
		...PASSING.map(([name, faults]) => [name, faults] as const),
		...LASTING.map(([name, fault]) => [name, [fault]] as const),
	])('is sent once, and the message says what to do, at %s', async (_name, faults) => {
		const rows = await table(UNKEYED, async (write) => {
			// The read that a document is checked against beforehand is left alone.
			const { result, simulator } = await underFaults(
				write,
				faults.map((fault) => ({ ...fault, match: { method: 'POST' } })),
			);
			return {
				requests: simulator.requests.filter(({ method }) => method === 'POST').length,
				atMostOnce: effects(simulator, write) <= 1,
				advice: advice(result),
			};
		});
		const says =
			faults[0]!.kind === '429'
				? 'Nothing was carried out.'
				: 'Check in the company portal before you send it again';
		expect(rows).toEqual(all(UNKEYED, { requests: 1, atMostOnce: true, advice: says }));
	});
});
