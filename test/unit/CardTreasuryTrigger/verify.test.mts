import crypto from 'node:crypto';
import fc from 'fast-check';
import { verify } from '../../../nodes/CardTreasuryTrigger/delivery/verify.ts';

const NOW = Date.UTC(2026, 10, 21);
const expectation = { keys: ['current-key', 'previous-key'], maximumAgeSeconds: 0, now: NOW };
const proof = { webhookKey: 'current-key', timestamp: String(NOW) };

describe('verify (§5.5)', () => {
	it.each(['current-key', 'previous-key'])('accepts %s while both are set', (webhookKey) => {
		expect(verify({ ...proof, webhookKey }, expectation)).toEqual({ ok: true });
	});

	it('refuses the previous key once it is removed', () => {
		expect(
			verify({ ...proof, webhookKey: 'previous-key' }, { ...expectation, keys: ['current-key'] })
				.ok,
		).toBe(false);
	});

	it.each([
		['no key at all', []],
		['an empty key', ['']],
		['a key of blanks', ['  ', '\t']],
	])('lets nothing in when the credential has %s', (_, keys) => {
		for (const webhookKey of ['', ' ', undefined, 'current-key', '  ']) {
			expect(verify({ ...proof, webhookKey }, { ...expectation, keys }).ok).toBe(false);
		}
	});

	it('accepts a key that was pasted into the credential with a line break', () => {
		expect(verify(proof, { ...expectation, keys: ['current-key\n'] }).ok).toBe(true);
	});

	it('compares digests of one length with every accepted key, whichever it is', () => {
		const compare = jest.spyOn(crypto, 'timingSafeEqual');
		for (const webhookKey of ['current-key', 'previous-key', 'wrong', '', 'x'.repeat(5_000)]) {
			compare.mockClear();
			verify({ ...proof, webhookKey }, expectation);
			expect(
				compare.mock.calls.map((digests) => digests.map(({ byteLength }) => byteLength)),
			).toEqual([
				[32, 32],
				[32, 32],
			]);
		}
		compare.mockRestore();
	});

	it('never throws, and accepts nothing but an accepted key', () => {
		fc.assert(
			fc.property(fc.anything(), fc.anything(), (webhookKey, timestamp) => {
				const { ok } = verify({ webhookKey, timestamp }, expectation);
				expect(ok).toBe(webhookKey === 'current-key' || webhookKey === 'previous-key');
			}),
		);
	});

	describe('with an age limit of 300 s', () => {
		const limited = { ...expectation, maximumAgeSeconds: 300 };
		it.each([
			['300 s old', String(NOW - 300_000), true],
			['1 ms older', String(NOW - 300_001), false],
			['ahead of this clock', String(NOW + 60_000), true],
			['missing', undefined, false],
			['empty', '', false],
			['in seconds', String(NOW / 1_000), false],
			['an ISO time', new Date(NOW).toISOString(), false],
			['hexadecimal', '0xfffffffffff', false],
			['repeated', [String(NOW)], false],
		])('judges a timestamp that is %s', (_, timestamp, ok) => {
			expect(verify({ ...proof, timestamp }, limited).ok).toBe(ok);
		});
	});
});
