import { sleep } from 'n8n-workflow';
import {
	awaitDecision,
	dueAfter,
} from '../../../../nodes/CardTreasuryTrigger/authorization/deadline.ts';

jest.mock('n8n-workflow', () => ({
	...jest.requireActual('n8n-workflow'),
	sleep: jest.fn(async () => undefined),
}));

const NOW = 1_800_000_000_000;

describe('an authorization is due', () => {
	it.each([
		['without a timestamp', undefined, 1_000, 1_000],
		['sent this very moment', 0, 1_000, 1_000],
		['sent 100 ms ago', 100, 1_000, 1_000],
		['sent 300 ms ago', 300, 1_000, 800],
		['sent 300 ms ago, with a shorter deadline', 300, 500, 500],
		['sent 900 ms ago', 900, 1_000, 200],
		['sent so long ago that no time is left', 901, 1_000, 1_000],
		['sent longer ago than the service waits', 1_201, 1_000, 1_000],
		['sent by a clock that is ahead', -1, 1_000, 1_000],
		['with the longest deadline', 0, 1_150, 1_100],
		['with the longest deadline, by a clock that is ahead', -1, 1_150, 1_150],
		['with the longest deadline, without a timestamp', undefined, 1_150, 1_150],
	])('counts from the sending too, where it is plausible: %s', (_, age, deadlineMs, due) => {
		const { dueMs } = dueAfter(deadlineMs, age === undefined ? undefined : NOW - age, NOW);
		expect(dueMs).toBe(due);
	});
});

describe('a pending decision', () => {
	/** Time passes only in `sleep`. */
	const arrival = () => {
		let now = 0;
		jest.mocked(sleep).mockImplementation(async (ms) => {
			now += ms;
		});
		return { at: NOW, elapsed: () => now };
	};

	it('is the fallback when it is due', async () => {
		const pending = awaitDecision(arrival(), 800, '91');
		expect(await pending.reply).toEqual({ status: 200, body: { response_code: '91' } });
		expect(sleep).toHaveBeenCalledWith(800);
	});

	it('is what was decided first', async () => {
		const pending = awaitDecision(arrival(), 800, '91');
		pending.decide('00');
		pending.decide('05');
		expect(await pending.decided).toBe('00');
		expect(await pending.reply).toEqual({ status: 200, body: { response_code: '00' } });
	});

	it('is no answer at all when there is no fallback, and the connection ends when the network has gone', async () => {
		const clock = arrival();
		const pending = awaitDecision(clock, 800, '');
		expect(await pending.reply).toBe('hang up');
		expect(clock.elapsed()).toBe(1_500);
	});
});
