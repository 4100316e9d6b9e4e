import { image, requestOf } from '../harness/fixtures.mts';
import { startSimulator, type Fault, type Simulator } from '../simulator/index.mts';
import { runInCore } from './core.mts';
import { body, endsSoon, goesOn, jsonOf, sampleOf } from './payments.mts';

/** Requests that are repeated: reads, and writes with a key that the service honors. */
const REPEATED = [
	...['card: get', 'card: freeze', 'card: unfreeze', 'card: configure3ds', 'card: unblock'],
	...['wallet: transfer', 'rampTransfer: updateAmount'],
];

/** Writes that the service would execute again. */
const ONCE = ['endpoint: request', 'productRequest: submitDocument'];
const [ANY_ENDPOINT] = ONCE;
const items = [{ json: {}, binary: { data: image() } }];

/** One simulator for each, so that they run in parallel: a rate limiter serves one host. */
const simulators = new Map<string, Simulator>();
const REQUESTS = [...REPEATED, ...ONCE];

beforeAll(async () => {
	for (const name of REQUESTS) simulators.set(name, await startSimulator());
});
afterAll(async () => {
	for (const simulator of simulators.values()) await simulator.close();
});

type Ended = [requests: number, effects: number, outcome: string];
/** All attempts of a request have one key, or none. */
const keysIn = ({ requests }: Simulator) =>
	new Set(requests.map(({ headers }) => headers['idempotency-key'])).size;

async function underFaults(name: string, faults: Fault[]): Promise<Ended> {
	const parameters = sampleOf(name, name === ANY_ENDPOINT ? requestOf(body('0.1')) : {});
	// Row of the ledger. A read has none.
	const effect = name === ANY_ENDPOINT ? 'wallet.transfer' : name.replace(': ', '.');
	const simulator = simulators.get(name)!;
	simulator.reset();
	simulator.faults.add(...faults);
	// n8n stores data by node ID.
	const node = { ...goesOn.node, id: `${name} ${faults.map(({ kind }) => kind).join(' ')}` };
	const ended = await runInCore({ baseUrl: simulator.url, parameters, items, node });
	const [json] = jsonOf(ended);
	const { length: effects } = simulator.ledger.filter(({ operation }) => operation === effect);
	const outcome = String(json?.outcome ?? 'done');
	return [simulator.requests.length, effects, keysIn(simulator) === 1 ? outcome : 'many keys'];
}

it.each<[name: string, faults: Fault[], repeated: Ended, once: Ended]>([
	['no fault', [], [1, 1, 'done'], [1, 1, 'done']],
	['502 as a page', [{ kind: 'html502', effect: true }], [2, 1, 'done'], [1, 1, 'unknown']],
	['reset before the effect', [{ kind: 'reset-before' }], [2, 1, 'done'], [1, 0, 'unknown']],
	['reset after the effect', [{ kind: 'reset-after' }], [2, 1, 'done'], [1, 1, 'unknown']],
	['cut in the headers', [{ kind: 'cut-headers' }], [2, 1, 'done'], [1, 1, 'unknown']],
	['cut in the body', [{ kind: 'cut-body' }], [2, 1, 'done'], [1, 1, 'unknown']],
	['no reply', [{ kind: 'slow-after', delayMs: 20_000 }], [2, 1, 'done'], [1, 1, 'unknown']],
	['faults that last', [{ kind: 'reset-after', times: 9 }], [5, 1, 'unknown'], [1, 1, 'unknown']],
	['429', [{ kind: '429', times: 2 }], [3, 1, 'done'], [3, 1, 'done']],
	['a login page', [{ kind: 'html200' }], [1, 0, 'unknown'], [1, 0, 'unknown']],
	['a redirect', [{ kind: 'status', status: 302 }], [1, 0, 'unknown'], [1, 0, 'unknown']],
	['302 WARNING', [{ kind: 'warning' }], [1, 1, 'pending'], [1, 1, 'pending']],
])('requests under a fault: %s', async (name, faults, repeated, once) => {
	if (name === 'no reply') endsSoon(REQUESTS.length);
	const rows = await Promise.all(REQUESTS.map(async (of) => [of, await underFaults(of, faults)]));
	const [requests, , outcome] = repeated;
	// A read executes nothing.
	const read: Ended = [requests, 0, outcome === 'done' ? 'done' : 'rejected'];
	expect(Object.fromEntries(rows)).toEqual({
		...Object.fromEntries(REPEATED.map((of) => [of, repeated])),
		'card: get': read,
		...Object.fromEntries(ONCE.map((of) => [of, once])),
	});
});
