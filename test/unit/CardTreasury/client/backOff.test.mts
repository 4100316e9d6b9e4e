import {
	backOff,
	recovering,
	retryAfterMs,
} from '../../../../nodes/CardTreasury/request/backOff.ts';

const NOW = Date.parse('2026-11-21T10:00:00Z');

it.each([
	['0', 0],
	['2', 2_000],
	[' 120 ', 120_000],
	['Sat, 21 Nov 2026 10:00:05 GMT', 5_000],
	['Saturday, 21-Nov-26 10:00:05 GMT', 5_000],
	['Sat, 21 Nov 2026 09:00:00 GMT', 0],
	[undefined, undefined],
	['', undefined],
	['-1', undefined],
	['1.5', undefined],
	['1e3', undefined],
	['99999999999', undefined],
	['soon', undefined],
	['2026-11-21T10:00:05Z', undefined],
	['NaN', undefined],
])('Retry-After %j is a wait of %p ms', (header, ms) => {
	expect(retryAfterMs(header, NOW)).toBe(ms);
});

it('doubles with each try, never beyond half a minute, and differs between two who wait', () => {
	for (let tries = 1; tries <= 40; tries++) {
		const full = Math.min(30_000, 1_000 * 2 ** (tries - 1));
		expect(backOff(tries, () => 0)).toBe(full / 2);
		expect(backOff(tries, () => 1)).toBe(full);
	}
	expect(backOff(3, () => 0.2)).not.toBe(backOff(3, () => 0.7));
});

it('gives half of the rate back within ten seconds after a 429, and never stops altogether', () => {
	expect([-500, 0, 5_000, 10_000].map((ms) => recovering(7.5, ms))).toEqual([7.5, 7.5, 11.25, 15]);
	expect(recovering(0.01, 0)).toBe(0.5);
});
