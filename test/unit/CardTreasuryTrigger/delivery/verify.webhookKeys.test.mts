import { createWebhookKeys } from '../../../../nodes/CardTreasuryTrigger/delivery/verify.ts';

/** A credential that is read at once, and a clock that is set by hand. */
function setUp(...first: string[]) {
	const state = { keys: first, at: 5_000, readings: 0 };
	const webhookKeys = createWebhookKeys(() => state.at);
	const read = async () => {
		state.readings++;
		return state.keys;
	};
	const keys = async (url = 'url') => await webhookKeys(url, read);
	return { state, webhookKeys, keys };
}

describe('webhook keys', () => {
	it('the keys are read once a second, however many deliveries arrive', async () => {
		const { state, keys } = setUp('first', 'old');
		for (const at of [5_000, 5_500, 5_999]) {
			state.at = at;
			expect(await keys()).toEqual(['first', 'old']);
		}
		expect(state.readings).toBe(1);
		state.at = 6_000;
		expect(await keys()).toEqual(['first', 'old']);
		expect(state.readings).toBe(2);
	});

	it('a replaced key is accepted for at most a second, by a monotonic clock', async () => {
		const { state, keys } = setUp('first');
		const date = jest.spyOn(Date, 'now').mockReturnValue(0);
		await keys();
		state.keys = ['second'];
		state.at += 600;
		expect(await keys()).toEqual(['first']);
		state.at += 399;
		expect(await keys()).toEqual(['first']);
		state.at += 1;
		expect(await keys()).toEqual(['second']);
		date.mockRestore();
	});

	it('each URL has its own keys', async () => {
		const { state, keys, webhookKeys } = setUp('first');
		await keys();
		expect(await webhookKeys('other', async () => ['key-of-the-other'])).toEqual([
			'key-of-the-other',
		]);
		expect([await keys(), state.readings]).toEqual([['first'], 1]);
	});

	it('deliveries that arrive during a read wait for it', async () => {
		const { state, webhookKeys } = setUp();
		let answer: (keys: string[]) => void = () => undefined;
		const slow = jest.fn(async () => await new Promise<string[]>((set) => (answer = set)));
		const all = [1, 2, 3].map(async () => await webhookKeys('url', slow));
		expect(slow).toHaveBeenCalledTimes(1);
		answer(['first']);
		expect(await Promise.all(all)).toEqual([['first'], ['first'], ['first']]);
		// A second counts from when the reading began.
		state.at += 1_000;
		expect(await webhookKeys('url', async () => ['second'])).toEqual(['second']);
	});
});
