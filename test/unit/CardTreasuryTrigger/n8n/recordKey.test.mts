import type { IExecuteFunctions } from 'n8n-workflow';

import { createRecordKey } from '../../../../nodes/CardTreasuryTrigger/n8n/recordKey.ts';

type Write = (keys: string[], maxEntries: number) => Promise<string[]>;

/** Context of a node; `write` stands for n8n's database and returns the new keys. */
const context = (write: Write, node = 'node', workflow = 'workflow') =>
	({
		getWorkflow: () => ({ id: workflow }),
		getNode: () => ({ id: node }),
		helpers: {
			checkProcessedAndRecord: async (
				keys: string[],
				scope: string,
				{ mode, maxEntries }: { mode: string; maxEntries: number },
			) => {
				expect([scope, mode]).toEqual(['node', 'entries']);
				return { new: await write(keys, maxEntries), processed: [] };
			},
		},
	}) as unknown as IExecuteFunctions;

/** Reads, then writes back, as n8n does. */
function database(...known: string[]) {
	let stored = known;
	const write: Write = async (keys, maxEntries) => {
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
const hangs: Write = async () => await new Promise(() => undefined);

/** Lets a call begin whose turn has come. */
async function begun(): Promise<void> {
	for (let turn = 0; turn < 5; turn++) await Promise.resolve();
}

describe('recording of delivery keys', () => {
	it('tells new keys from known ones and keeps the newest 10,000', async () => {
		const others = Array.from({ length: 9_999 }, (_, at) => `op-${at}`);
		const { write, stored } = database(...others);
		const record = createRecordKey(never);
		const n8n = context(write);
		expect(await record(n8n, 'op-1')).toBe('known');
		expect(await record(n8n, 'new')).toBe('new');
		expect(await record(n8n, 'new')).toBe('known');
		expect(await record(n8n, 'newer')).toBe('new');
		expect(stored()).toEqual([...others.slice(1), 'new', 'newer']);
	});

	it('makes one call at a time per node, so that no key is lost', async () => {
		const { write, stored } = database();
		let [underWay, most, writes] = [0, 0, 0];
		const observed: Write = async (...args) => {
			writes++;
			most = Math.max(most, ++underWay);
			return await write(...args).finally(() => underWay--);
		};
		const record = createRecordKey(never);
		const keys = Array.from({ length: 9 }, (_, n) => `op-${n}`);
		const calls: Array<Promise<unknown>> = [];
		for (const key of keys) {
			calls.push(record(context(observed), key));
			// Lets the first call begin, so that not all keys share one.
			await begun();
		}
		await Promise.all(calls);
		expect(writes).toBeGreaterThan(1);
		expect(most).toBe(1);
		expect(stored()).toEqual(keys);
	});

	it('shares one call among waiting deliveries, and only the first of equal keys is new', async () => {
		const { write } = database('seen');
		const writes: string[][] = [];
		const record = createRecordKey(never);
		const n8n = context(async (keys, most) => {
			writes.push(keys);
			return await write(keys, most);
		});
		const first = record(n8n, 'a');
		await begun();
		const waiting = ['b', 'seen', 'a', 'c', 'c'].map(async (key) => await record(n8n, key));
		expect(await first).toBe('new');
		expect(await Promise.all(waiting)).toEqual(['new', 'known', 'known', 'new', 'known']);
		expect(writes).toEqual([['a'], ['b', 'seen', 'a', 'c']]);
	});

	it('is unknown for all deliveries of a call that failed', async () => {
		const record = createRecordKey(never);
		const n8n = context(broken);
		const all = ['a', 'b', 'b'].map(async (key) => await record(n8n, key));
		expect(await Promise.all(all)).toEqual(['unknown', 'unknown', 'unknown']);
	});

	it('does not let one node wait for another', async () => {
		const record = createRecordKey(never);
		void record(context(hangs, 'hanging'), 'a');
		// A copied node has the same ID in another workflow.
		void record(context(hangs, 'node', 'copy'), 'a');
		expect(await record(context(database().write), 'a')).toBe('new');
	});

	it('tries a second time, and is then uncertain of keys that are there', async () => {
		const { write } = database('seen');
		for (const [key, expected] of [
			['a', 'new'],
			['seen', 'unknown'],
		] as const) {
			const failures = [true, false];
			const flaky: Write = async (...args) =>
				failures.shift() ? await broken(...args) : await write(...args);
			expect(await createRecordKey(never)(context(flaky), key)).toBe(expected);
		}
	});

	it('is unknown if n8n offers no storage', async () => {
		const without = { ...context(broken), helpers: {} } as IExecuteFunctions;
		expect(await createRecordKey(never)(without, 'a')).toBe('unknown');
	});

	it('waits 20 s for a database that hangs, over both attempts, and then goes on', async () => {
		const waited: number[] = [];
		let isHanging = true;
		const record = createRecordKey(
			async (ms) => await (isHanging ? Promise.resolve(void waited.push(ms)) : never()),
		);
		expect(await record(context(hangs), 'a')).toBe('unknown');
		expect(waited).toEqual([10_000, 10_000]);
		isHanging = false;
		expect(await record(context(database().write), 'a')).toBe('new');
	});
});
