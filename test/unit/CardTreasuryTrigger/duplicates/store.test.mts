import { createRecordOnce } from '../../../../nodes/CardTreasuryTrigger/duplicates/store.ts';

/** Stands for n8n's stored memory: find, then write back. */
function database(...known: string[]) {
	const stored = new Set(known);
	const writes: string[][] = [];
	const write = async (keys: string[]) => {
		writes.push(keys);
		await Promise.resolve();
		const fresh = keys.filter((key) => !stored.has(key));
		for (const key of keys) stored.add(key);
		return fresh;
	};
	return { stored, writes, write };
}

describe('recordOnce', () => {
	it('tells a new key from a known one, exactly', async () => {
		const { write } = database('op-10');
		const recordOnce = createRecordOnce();
		expect(await recordOnce('node', 'op-1', write)).toBe('new');
		expect(await recordOnce('node', 'op-10', write)).toBe('known');
		expect(await recordOnce('node', 'op-1', write)).toBe('known');
		expect(await recordOnce('node', 'p-1', write)).toBe('new');
	});

	it('lets keys that arrive during a write share the next one', async () => {
		const { writes, write } = database('c');
		const recordOnce = createRecordOnce();
		const record = async (key: string) => await recordOnce('node', key, write);
		const first = record('a');
		// The first write is under way after this.
		await Promise.resolve();
		const rest = ['b', 'c', 'd', 'b'].map(record);
		expect(await first).toBe('new');
		expect(await Promise.all(rest)).toEqual(['new', 'known', 'new', 'known']);
		expect(writes).toEqual([['a'], ['b', 'c', 'd']]);
	});

	it('never lets two writes of a node overlap, which would lose a key', async () => {
		const recordOnce = createRecordOnce();
		const underWay: Array<() => void> = [];
		const begun: string[][] = [];
		const write = async (keys: string[]) => {
			begun.push(keys);
			await new Promise<void>((end) => underWay.push(end));
			return keys;
		};
		const settled = async () => await new Promise((resolve) => setImmediate(resolve));
		const results = [];
		for (const key of ['a', 'b', 'c']) {
			results.push(recordOnce('node', key, write));
			await settled();
			expect(underWay.length).toBeLessThanOrEqual(1);
			// The write of "a" ends when "b" waits, so that "c" comes while "b" is written.
			if (key === 'b') underWay.shift()?.();
			await settled();
		}
		expect(begun).toEqual([['a'], ['b']]);
		while (underWay.length > 0) {
			underWay.shift()?.();
			await settled();
		}
		expect(begun).toEqual([['a'], ['b'], ['c']]);
		expect(await Promise.all(results)).toEqual(['new', 'new', 'new']);
	});

	it('does not let one node wait for another', async () => {
		const recordOnce = createRecordOnce();
		void recordOnce('hanging', 'a', async () => await new Promise(() => undefined));
		expect(await recordOnce('node', 'a', database().write)).toBe('new');
	});

	it('tries once more, as when two processes write the very first keys at once', async () => {
		const { write } = database();
		let failures = 1;
		const flaky = async (keys: string[]) => {
			if (failures-- > 0) throw new Error('unique constraint');
			return await write(keys);
		};
		expect(await createRecordOnce()('node', 'a', flaky)).toBe('new');
	});

	it('leaves only what is in doubt unknown: a real duplicate and a passing failure keep no other event', async () => {
		const { write } = database('seen');
		let calls = 0;
		const flaky = async (keys: string[]) => {
			if (++calls === 2) throw new Error('connection lost');
			return await write(keys);
		};
		const recordOnce = createRecordOnce();
		const first = recordOnce('node', 'a', flaky);
		await Promise.resolve();
		const rest = ['seen', 'b', 'c'].map(async (key) => await recordOnce('node', key, flaky));
		expect(await first).toBe('new');
		expect(await Promise.all(rest)).toEqual(['unknown', 'new', 'new']);
		expect(calls).toBe(3);
	});

	it('does not know while the database fails, and goes on afterwards', async () => {
		const recordOnce = createRecordOnce();
		const broken = async () => {
			throw new Error('connection lost');
		};
		expect(await recordOnce('node', 'a', broken)).toBe('unknown');
		expect(await recordOnce('node', 'a', database().write)).toBe('new');
	});
});
