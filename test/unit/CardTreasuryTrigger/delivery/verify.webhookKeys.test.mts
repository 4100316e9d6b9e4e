import { createWebhookKeys } from '../../../../nodes/CardTreasuryTrigger/delivery/verify.ts';

/** A credential that is read at once, and a clock that is set by hand. */
function setUp(...first: string[]) {
	const state = { keys: first, at: 5_000, readings: 0 };
	const keysFor = createWebhookKeys(() => state.at);
	const read = async () => {
		state.readings++;
		return [...state.keys];
	};
	const accepts = async (given: string, node = 'node') =>
		(await keysFor(node, given, read)).includes(given);
	return { state, keysFor, accepts };
}

describe('webhook keys', () => {
	it('are read once a second while the current one is delivered', async () => {
		const { state, accepts } = setUp('first');
		for (const at of [5_000, 5_500, 5_999]) {
			state.at = at;
			expect(await accepts('first')).toBe(true);
		}
		expect(state.readings).toBe(1);
		state.at = 6_000;
		expect(await accepts('first')).toBe(true);
		expect(state.readings).toBe(2);
	});

	it('that are not the current one are checked against the credential as it is', async () => {
		const { state, accepts } = setUp('first', 'old');
		expect([await accepts('first'), await accepts('old')]).toEqual([true, true]);
		state.keys = ['second'];
		expect([await accepts('old'), await accepts('second')]).toEqual([false, true]);
		expect(state.readings).toBe(3);
	});

	it('that hold the remembered one, or are part of it, are others', async () => {
		const { state, accepts } = setUp('first');
		expect(await accepts('first')).toBe(true);
		for (const other of ['firs', 'irst', 'first1', 'first,', 'FIRST', ''])
			expect([other, await accepts(other)]).toEqual([other, false]);
		state.at += 1_000;
		expect(await accepts('first')).toBe(true);
		// What the credential has become counts at once for those, too.
		state.keys = ['firs'];
		expect(await accepts('firs')).toBe(true);
	});

	it('that are replaced are accepted for a second at most, by a clock that nobody sets', async () => {
		const { state, accepts } = setUp('first');
		const date = jest.spyOn(Date, 'now').mockReturnValue(0);
		expect(await accepts('first')).toBe(true);
		state.keys = ['second'];
		state.at += 999;
		expect(await accepts('first')).toBe(true);
		state.at += 1;
		expect(await accepts('first')).toBe(false);
		date.mockRestore();
	});

	it('that are replaced while they are read count from when the reading began', async () => {
		const { state, keysFor, accepts } = setUp('first');
		let answer: (keys: string[]) => void = () => undefined;
		const slow = keysFor('node', 'first', async () => await new Promise((set) => (answer = set)));
		state.at += 900;
		answer(['first']);
		expect(await slow).toEqual(['first']);
		state.keys = ['second'];
		state.at += 99;
		expect(await accepts('first')).toBe(true);
		state.at += 1;
		expect(await accepts('first')).toBe(false);
	});

	it('that are delivered again and again are accepted no longer for it', async () => {
		const { state, accepts } = setUp('first');
		expect(await accepts('first')).toBe(true);
		state.keys = ['second'];
		state.at += 600;
		expect(await accepts('first')).toBe(true);
		state.at += 600;
		expect(await accepts('first')).toBe(false);
	});

	it('cost at most four readings a second per URL, however many wrong ones come', async () => {
		const { state, accepts } = setUp('first', 'old');
		for (let n = 0; n < 1_000; n++) expect(await accepts(`wrong ${n}`)).toBe(false);
		expect(state.readings).toBe(4);
		// The right ones are accepted all the same, as of the latest reading.
		expect([await accepts('first'), await accepts('old')]).toEqual([true, true]);
		expect(state.readings).toBe(4);
		// Another URL has readings of its own.
		expect(await accepts('first', 'other')).toBe(true);
		expect(state.readings).toBe(5);
		state.at += 1_000;
		expect(await accepts('wrong')).toBe(false);
		expect(state.readings).toBe(6);
	});

	it('wait for a reading under way when there may be no other', async () => {
		const { keysFor } = setUp();
		let answer: (keys: string[]) => void = () => undefined;
		let readings = 0;
		const slow = async () =>
			await new Promise<string[]>((resolve) => {
				readings++;
				answer = resolve;
			});
		const all = Array.from({ length: 6 }, async () => await keysFor('node', 'first', slow));
		expect(readings).toBe(4);
		answer(['first']);
		const [, , , fourth, fifth, sixth] = all;
		expect(await Promise.all([fourth, fifth, sixth])).toEqual([['first'], ['first'], ['first']]);
	});

	it('stay for the rest of their second when the credential cannot be read', async () => {
		const { state, keysFor } = setUp();
		const failing = async () => undefined;
		expect(await keysFor('node', 'first', failing)).toEqual([]);
		expect(await keysFor('node', 'first', async () => ['first', 'old'])).toEqual(['first', 'old']);
		for (const at of [5_100, 5_200, 5_300]) {
			state.at = at;
			expect(await keysFor('node', 'old', failing)).toEqual(['first', 'old']);
		}
		state.at = 6_000;
		expect(await keysFor('node', 'first', failing)).toEqual([]);
	});

	it('of a slow reading do not replace those of a later one', async () => {
		const { state, keysFor } = setUp('new');
		let answer: (keys: string[]) => void = () => undefined;
		const slow = keysFor('node', 'old', async () => await new Promise((set) => (answer = set)));
		state.at += 10;
		expect(await keysFor('node', 'old', async () => ['new'])).toEqual(['new']);
		answer(['old']);
		await slow;
		const unread = async () => {
			throw new Error('was read');
		};
		expect(await keysFor('node', 'new', unread)).toEqual(['new']);
	});

	it('are remembered by a clock of their own', async () => {
		const keysFor = createWebhookKeys();
		const read = jest.fn(async () => ['first']);
		await keysFor('node', 'first', read);
		await keysFor('node', 'first', read);
		expect(read).toHaveBeenCalledTimes(1);
	});
});
