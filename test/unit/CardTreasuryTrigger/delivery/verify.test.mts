import crypto from 'node:crypto';
import fc from 'fast-check';

import {
	checkAge,
	checkKey,
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
