import { keyStoreOf } from '../../nodes/shared/keyStore.ts';
import { hostOf } from './reading.mts';

type Record = (keys: string[]) => Promise<{ processed: string[] }>;
let serial = 0;

/** Store of a node whose calls are answered as given. */
function storeOf(record: Record, id = `node-${++serial}`) {
	const removeProcessed = async (keys: string[]) => void (await record(keys));
	const helpers = { checkProcessedAndRecord: record, removeProcessed };
	return keyStoreOf(hostOf({}, {}, { getNode: () => ({ id }), helpers }).n8n, 10);
}
const known = async (...processed: string[]) => await Promise.resolve({ processed });
const LOCKED = new Error('database is locked');

/** What became of a call by now. */
function watched(call: Promise<unknown>) {
	const seen = { end: 'waits' };
	call.then(
		() => (seen.end = 'is answered'),
		(error: Error) => (seen.end = error.message),
	);
	return seen;
}

/** Node's own timer is not among the fake ones. */
const timeout = (ms: number) => {
	const controller = new AbortController();
	setTimeout(() => controller.abort(), ms);
	return controller.signal;
};

beforeEach(() => {
	jest.useFakeTimers();
	jest.spyOn(AbortSignal, 'timeout').mockImplementation(timeout);
});

it('the turns of a node follow each other, because n8n writes all its keys at once', async () => {
	let open = 0;
	const most: number[] = [];
	const record = async () => {
		most.push(++open);
		await Promise.resolve();
		open--;
		return await known('a');
	};
	const [store, other] = [storeOf(record, 'one'), storeOf(record, 'one')] as const;
	const seen: string[] = [];
	const two = async (name: string) =>
		await store.inTurn(async ({ record, remove }) => {
			seen.push(`${name} ${[...(await record(['a', 'b']))].join(' ')}`);
			await remove(['a']);
			seen.push(name);
		});
	await Promise.all([
		two('first'),
		other.isNew('a').then((is) => seen.push(String(is))),
		two('last'),
	]);
	expect(seen).toEqual(['first a', 'first', 'false', 'last a', 'last']);
	expect(most).toEqual([1, 1, 1, 1, 1]);
});

it('a call without an answer keeps its turn: callers wait 20 seconds at most', async () => {
	const begun: string[][] = [];
	let answer = () => {};
	const store = storeOf(async (keys) => {
		begun.push(keys);
		return await new Promise((resolve) => (answer = () => resolve({ processed: [] })));
	}, 'hangs');
	const record = async (keys: string[], of = store) =>
		await of.inTurn(async (calls) => {
			await calls.record(keys);
			begun.push(['answered', ...keys]);
		});
	const first = watched(record(['first']));
	await jest.advanceTimersByTimeAsync(10_000);
	const second = watched(record(['second']));
	const other = watched(storeOf(async () => await known()).isNew('other'));
	await jest.advanceTimersByTimeAsync(9_999);
	expect([first.end, second.end, other.end]).toEqual(['waits', 'waits', 'is answered']);
	await jest.advanceTimersByTimeAsync(10_001);
	const NO_ANSWER = "n8n's database does not answer";
	expect([first.end, second.end, begun]).toEqual([NO_ANSWER, NO_ANSWER, [['first']]]);

	// While the call hangs, nobody waits for the next. When it has ended, calls are made again.
	const third = watched(record(['third']));
	await jest.advanceTimersByTimeAsync(0);
	expect(third.end).toBe(NO_ANSWER);
	answer();
	await jest.advanceTimersByTimeAsync(0);
	for (const key of ['fourth', 'fifth']) {
		const next = watched(record([key]));
		await jest.advanceTimersByTimeAsync(0);
		answer();
		// The time of a call that has ended is over, and makes nobody late.
		await jest.advanceTimersByTimeAsync(20_000);
		expect([next.end, ...begun.slice(-2)]).toEqual(['is answered', [key], ['answered', key]]);
	}
	expect(begun).toHaveLength(5);
});

it.each<[name: string, again: Record, end: unknown]>([
	['that is new then', async () => await known(), true],
	['that may have been recorded by the failed call', async () => await known('a'), Error],
	['that cannot be recorded then either', async () => await Promise.reject(LOCKED), LOCKED],
])('a failed call is made again for a key %s', async (_name, again, end) => {
	const record = jest.fn(again).mockRejectedValueOnce(LOCKED);
	const ended = storeOf(record)
		.isNew('a')
		.catch((error: unknown) => error);
	if (end === Error) expect(await ended).toBeInstanceOf(Error);
	else expect(await ended).toBe(end);
	expect(record.mock.calls).toEqual(
		Array(2).fill([['a'], 'node', { mode: 'entries', maxEntries: 10 }]),
	);
});
