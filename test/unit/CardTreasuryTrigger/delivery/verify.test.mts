import crypto from 'node:crypto';
import fc from 'fast-check';

import {
	checkAge,
	checkKey,
	createWebhookKeys,
	isAccepted,
} from '../../../../nodes/CardTreasuryTrigger/delivery/verify.ts';

const NOW = Date.UTC(2026, 10, 21);
const KEYS = ['current-key', 'previous-key'];

describe('checkKey (§5.5)', () => {
	it.each(KEYS)('%s is accepted while both are set', (key) => {
		expect(checkKey(key, KEYS)).toBeUndefined();
	});

	it.each([
		['no key at all', []],
		['an empty key', ['']],
		['a key of whitespace', ['  ', '\t']],
	])('nothing is accepted if the credential has %s', (_, keys) => {
		for (const given of ['', ' ', undefined, 'current-key', '  ']) {
			expect(checkKey(given, keys)).toMatch(/has no webhook key/);
		}
	});

	it('an empty key is never accepted', () => {
		expect(['', ' '].map((given) => isAccepted(given, ['', ' ', 'key']))).toEqual([false, false]);
	});

	it('a key that was pasted into the credential with a line break is accepted', () => {
		expect(checkKey('current-key', ['current-key\n'])).toBeUndefined();
	});

	it('digests of one length are compared with every accepted key', () => {
		const compare = jest.spyOn(crypto, 'timingSafeEqual');
		for (const given of ['current-key', 'previous-key', 'wrong', '', 'x'.repeat(5_000)]) {
			compare.mockClear();
			checkKey(given, KEYS);
			expect(
				compare.mock.calls.map((digests) => digests.map(({ byteLength }) => byteLength)),
			).toEqual([
				[32, 32],
				[32, 32],
			]);
		}
		compare.mockRestore();
	});

	it('only an accepted key is accepted, and nothing throws', () => {
		fc.assert(
			fc.property(fc.anything(), (given) => {
				expect(isAccepted(given, KEYS)).toBe(given === 'current-key' || given === 'previous-key');
			}),
		);
	});
});

describe('checkAge', () => {
	it.each([
		['300 s old', String(NOW - 300_000), true],
		['1 ms older', String(NOW - 300_001), false],
		['ahead of this clock', String(NOW + 60_000), true],
		['missing', undefined, false],
		['empty', '', false],
		['in seconds', String(NOW / 1_000), false],
		['an ISO time', new Date(NOW).toISOString(), false],
		['hexadecimal', '0xfffffffffff', false],
		['with a prefix', `x${NOW}`, false],
		['too long', `000${NOW}`, false],
		['repeated', [String(NOW)], false],
	])('the limit of 300 s is checked for a timestamp that is %s', (_, timestamp, accepted) => {
		expect(checkAge(timestamp, 300, NOW) === undefined).toBe(accepted);
		expect(checkAge(timestamp, 0, NOW)).toBeUndefined();
		expect(checkAge(timestamp, 'unreadable', NOW)).toMatch(/Maximum Age/);
	});

	it('the messages for a timestamp in seconds, a missing one and an old one differ', () => {
		expect(checkAge(String(NOW / 1_000), 300, NOW)).toBe(
			'X-Request-Timestamp is not in milliseconds',
		);
		expect(checkAge(undefined, 300, NOW)).toBe('X-Request-Timestamp is missing');
		expect(checkAge(String(NOW - 400_000), 300, NOW)).toMatch(/older/);
	});
});

/** Credential that is read at once, and a clock that is set by hand. */
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
