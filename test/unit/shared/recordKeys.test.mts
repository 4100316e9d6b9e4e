import type { IExecuteFunctions } from 'n8n-workflow';

import { createRecordKeys } from '../../../nodes/shared/recordKeys.ts';

type Write = (keys: string[], options: { maxEntries: number }) => Promise<string[]>;

/** Context of a node; `write` stands for n8n's database and returns the new keys. */
const context = (write: Write, node = 'node', workflow = 'workflow') =>
	({
		getWorkflow: () => ({ id: workflow }),
		getNode: () => ({ id: node }),
		helpers: {
			checkProcessedAndRecord: async (
				keys: string[],
				scope: string,
				options: { mode: string; maxEntries: number },
			) => {
				expect([scope, options.mode]).toEqual(['node', 'entries']);
				return { new: await write(keys, options), processed: [] };
			},
		},
	}) as unknown as IExecuteFunctions;

/** Reads, then writes back, as n8n does. */
function database(...known: string[]) {
	let stored = known;
	const write: Write = async (keys, { maxEntries }) => {
		const found = stored;
		await new Promise((resolve) => setImmediate(resolve));
		const fresh = keys.filter((key) => !found.includes(key));
		stored = [...found, ...fresh].slice(-maxEntries);
		return fresh;
	};
	return { write, stored: () => stored };
}

const never = async () => await new Promise<void>(() => undefined);
const broken: Write = async () => await Promise.reject(new Error('connection lost'));
const OPTIONS = { maxEntries: 10 };

describe('recordKeys', () => {
	it('recordKeys returns exactly the new keys and stores at most `maxEntries`', async () => {
		const { write, stored } = database('op-10');
		const record = createRecordKeys(never);
		const n8n = context(write);
		expect(await record(n8n, ['op-1', 'op-10'], OPTIONS)).toEqual({
			fresh: ['op-1'],
			certain: true,
		});
		expect(await record(n8n, ['op-1'], OPTIONS)).toEqual({ fresh: [], certain: true });
		await record(n8n, ['op-2'], { maxEntries: 2 });
		expect(stored()).toEqual(['op-1', 'op-2']);
	});

	it('recordKeys writes one at a time per node, so that no key is lost', async () => {
		const { write, stored } = database();
		let [underWay, most, writes] = [0, 0, 0];
		const observed: Write = async (...args) => {
			writes++;
			most = Math.max(most, ++underWay);
			return await write(...args).finally(() => underWay--);
		};
		const record = createRecordKeys(never);
		const keys = Array.from({ length: 9 }, (_, n) => `op-${n}`);
		const calls: Array<Promise<unknown>> = [];
		for (const key of keys) {
			calls.push(record(context(observed), [key], OPTIONS));
			// Lets the first write begin, so that not all calls share one.
			await Promise.resolve();
			await Promise.resolve();
		}
		await Promise.all(calls);
		expect(writes).toBeGreaterThan(1);
		expect(most).toBe(1);
		expect(stored()).toEqual(keys);
	});

	it('recordKeys shares one write among waiting callers and returns to each its own new keys', async () => {
		const { write } = database('seen');
		const writes: string[][] = [];
		const record = createRecordKeys(never);
		const n8n = context(async (keys, options) => {
			writes.push(keys);
			return await write(keys, options);
		});
		const first = record(n8n, ['a'], OPTIONS);
		await Promise.resolve();
		await Promise.resolve();
		const waiting = [['b', 'seen'], ['a', 'c'], ['c']].map(
			async (keys) => (await record(n8n, keys, OPTIONS)) as { fresh: string[] },
		);
		expect(await first).toMatchObject({ fresh: ['a'] });
		expect((await Promise.all(waiting)).map(({ fresh }) => fresh)).toEqual([['b'], ['c'], []]);
		expect(writes).toEqual([['a'], ['b', 'seen', 'a', 'c']]);
	});

	it("recordKeys returns 'unknown' to all callers of a failed write", async () => {
		const record = createRecordKeys(never);
		const n8n = context(broken);
		const all = ['a', 'b', 'b'].map(async (key) => await record(n8n, [key], OPTIONS));
		expect(await Promise.all(all)).toEqual(['unknown', 'unknown', 'unknown']);
	});

	it('recordKeys does not let one node wait for another', async () => {
		const record = createRecordKeys(never);
		const hangs: Write = async () => await new Promise(() => undefined);
		void record(context(hangs, 'hanging'), ['a'], OPTIONS);
		// A copied node has the same ID in another workflow.
		void record(context(hangs, 'node', 'copy'), ['a'], OPTIONS);
		expect(await record(context(database().write), ['a'], OPTIONS)).toMatchObject({ fresh: ['a'] });
	});

	it('recordKeys tries a second time and is then uncertain of known keys', async () => {
		const { write } = database('seen');
		const failures = [true, false];
		const flaky: Write = async (keys, options) =>
			failures.shift() ? await broken(keys, options) : await write(keys, options);
		const record = createRecordKeys(never);
		expect(await record(context(flaky), ['a', 'seen'], OPTIONS)).toEqual({
			fresh: ['a'],
			certain: false,
		});
	});

	it("recordKeys returns 'unknown' if n8n offers no storage", async () => {
		const without = { ...context(broken), helpers: {} } as IExecuteFunctions;
		expect(await createRecordKeys(never)(without, ['a'], OPTIONS)).toBe('unknown');
	});

	it('recordKeys waits for a database that hangs up to the limit, over both attempts', async () => {
		const waited: number[] = [];
		const record = createRecordKeys(async (ms) => void waited.push(ms));
		const hanging = context(async () => await new Promise(() => undefined));
		expect(await record(hanging, ['a'], { ...OPTIONS, withinMs: 4_000 })).toBe('unknown');
		expect(waited).toEqual([2_000, 2_000]);
		expect(await record(context(database().write), ['a'], OPTIONS)).toMatchObject({ fresh: ['a'] });
	});
});
