import type { Effect } from '../../../../nodes/CardTreasury/request/request.ts';
import {
	backOff,
	retryAfterMs,
	shouldRetry,
} from '../../../../nodes/CardTreasury/request/retryPolicy.ts';
import type { Meaning } from '../../../../nodes/shared/statuses.ts';

const NOW = Date.parse('2026-11-21T10:00:00Z');

it.each([
	['0', 0],
	['2', 2_000],
	[' 120 ', 120_000],
	['Sat, 21 Nov 2026 10:00:05 GMT', 5_000],
	['Sat, 21 Nov 2026 09:00:00 GMT', 0],
	[undefined, undefined],
	['', undefined],
	['1.5', undefined],
	['2x', undefined],
	['99999999999', undefined],
	['2026-11-21T10:00:05Z', undefined],
])('retryAfterMs reads %j as %p ms', (header, ms) => {
	expect(retryAfterMs(header, NOW)).toBe(ms);
});

it('backOff doubles each wait up to half a minute, with jitter in its upper half', () => {
	for (let attempt = 1; attempt <= 40; attempt++) {
		const full = Math.min(30_000, 1_000 * 2 ** (attempt - 1));
		expect(backOff(attempt, () => 0)).toBe(full / 2);
		expect(backOff(attempt, () => 0.5)).toBe(full * 0.75);
		expect(backOff(attempt, () => 1)).toBe(full);
	}
});

const EFFECTS: Effect[] = ['read', 'keyed write', 'unkeyed write'];
const POLICY = { maxAttempts: 3, maxTotalMs: 10_000, requestsPerSecond: 15, timeoutMs: 1_000 };

/** Effects that are repeated after such a failure. */
function repeats(
	meaning: Pick<Meaning, 'again' | 'outcome'>,
	spent = { attempts: 1, elapsedMs: 0 },
	waitMs = 0,
): Effect[] {
	return EFFECTS.filter((effect) =>
		shouldRetry({ message: '', fix: '', ...meaning }, effect, spent, waitMs, POLICY),
	);
}

it.each<[Meaning['again'], Meaning['outcome'], Effect[]]>([
	['rate limited', 'rejected', EFFECTS],
	['later', 'not_sent', EFFECTS],
	['later', 'rejected', EFFECTS],
	['later', 'unknown', ['read', 'keyed write']],
	['never', 'not_sent', []],
	['never', 'rejected', []],
	['never', 'unknown', []],
])('"%s" with outcome "%s" repeats %j', (again, outcome, effects) => {
	expect(repeats({ again, outcome })).toEqual(effects);
});

it('the last attempt ends repetition, except after a 429', () => {
	const at = (attempts: number) => ({ attempts, elapsedMs: 0 });
	expect(repeats({ again: 'later', outcome: 'not_sent' }, at(2))).toEqual(EFFECTS);
	expect(repeats({ again: 'later', outcome: 'not_sent' }, at(3))).toEqual([]);
	expect(repeats({ again: 'rate limited', outcome: 'rejected' }, at(300))).toEqual(EFFECTS);
});

it('nothing starts after the total time, even after a 429', () => {
	const at = (elapsedMs: number) => ({ attempts: 0, elapsedMs });
	for (const again of ['later', 'rate limited'] as const) {
		expect(repeats({ again, outcome: 'rejected' }, at(9_000), 1_000)).toEqual(EFFECTS);
		expect(repeats({ again, outcome: 'rejected' }, at(9_000), 1_001)).toEqual([]);
		expect(repeats({ again, outcome: 'rejected' }, at(10_001))).toEqual([]);
	}
});
