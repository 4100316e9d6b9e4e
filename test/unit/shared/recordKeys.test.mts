import type { IExecuteFunctions } from 'n8n-workflow';

import { createRecordKeys } from '../../../nodes/shared/recordKeys.ts';

type Write = (keys: string[], options: { maxEntries: number }) => Promise<string[]>;

/** What n8n hands to a node; `write` stands for n8n's database and gives the keys that were not there. */
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

/** Finds, then writes back, as n8n does. */
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
	it('tells the keys that are new, exactly, and keeps as many as asked for', async () => {
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

	it('never writes twice at a time for a node, which would lose a key', async () => {
		const { write, stored } = database();
		const record = createRecordKeys(never);
		const keys = Array.from({ length: 9 }, (_, n) => `op-${n}`);
		await Promise.all(keys.map(async (key) => await record(context(write), [key], OPTIONS)));
		expect(stored()).toEqual(keys);
	});

	it('writes once for all that wait meanwhile, and tells each what was new of its own', async () => {
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

	it('does not know of any that share a write that fails', async () => {
		const record = createRecordKeys(never);
		const n8n = context(broken);
		const all = ['a', 'b', 'b'].map(async (key) => await record(n8n, [key], OPTIONS));
		expect(await Promise.all(all)).toEqual(['unknown', 'unknown', 'unknown']);
	});

	it('does not let one node wait for another', async () => {
		const record = createRecordKeys(never);
		const hangs: Write = async () => await new Promise(() => undefined);
		void record(context(hangs, 'hanging'), ['a'], OPTIONS);
		// Its copy in another workflow has the same id.
		void record(context(hangs, 'node', 'copy'), ['a'], OPTIONS);
		expect(await record(context(database().write), ['a'], OPTIONS)).toMatchObject({ fresh: ['a'] });
	});

	it('tries once more, and then is not certain of what is not new', async () => {
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

	it('does not know while the database fails, and goes on afterwards', async () => {
		const record = createRecordKeys(never);
		expect(await record(context(broken), ['a'], OPTIONS)).toBe('unknown');
		expect(await record(context(database().write), ['a'], OPTIONS)).toMatchObject({ fresh: ['a'] });
	});

	it('does not know where n8n offers no such memory', async () => {
		const without = { ...context(broken), helpers: {} } as IExecuteFunctions;
		expect(await createRecordKeys(never)(without, ['a'], OPTIONS)).toBe('unknown');
	});

	it('waits for a database that hangs as long as it was told, over both attempts', async () => {
		const waited: number[] = [];
		const record = createRecordKeys(async (ms) => void waited.push(ms));
		const hanging = context(async () => await new Promise(() => undefined));
		expect(await record(hanging, ['a'], { ...OPTIONS, withinMs: 4_000 })).toBe('unknown');
		expect(waited).toEqual([2_000, 2_000]);
		expect(await record(context(database().write), ['a'], OPTIONS)).toMatchObject({ fresh: ['a'] });
	});
});
