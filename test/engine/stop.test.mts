import { upTo } from '../harness/fixtures.mts';
import { IDS } from '../simulator/index.mts';
import { until } from '../simulator/until.mts';
import { amounts, simulator, useSimulator } from '../simulator/useSimulator.mts';
import { itemsOf, jsonOf, run, transfers } from './payments.mts';

// Without a limit, because on a busy machine a request may be rejected and repeated.
useSimulator({ requestsPerSecond: 0 });

let alive: () => NodeJS.Timeout[];
beforeEach(() => (alive = watchTimers()));
afterEach(() => jest.restoreAllMocks());

/** Returns the active timers that would keep the process alive. */
function watchTimers(): () => NodeJS.Timeout[] {
	const { setTimeout: set, clearTimeout: clear } = globalThis;
	const waiting = new Set<NodeJS.Timeout>();
	const watchedSet = (ring: (...given: unknown[]) => void, ms?: number, ...given: unknown[]) => {
		const timer = set(() => {
			waiting.delete(timer);
			ring(...given);
		}, ms);
		waiting.add(timer);
		return timer;
	};
	jest.spyOn(globalThis, 'setTimeout').mockImplementation(Object.assign(watchedSet, set));
	jest.spyOn(globalThis, 'clearTimeout').mockImplementation((timer) => {
		if (typeof timer === 'object') waiting.delete(timer);
		clear(timer);
	});
	return () => [...waiting].filter((timer) => timer.hasRef());
}

const stopWhen = async (count: number, condition: () => unknown, walletId: string = IDS.wallet) =>
	await run(
		{ ...transfers, walletId },
		{
			items: itemsOf(...upTo(count).map(String)),
			onStart: (stop) => void until(condition).then(stop),
		},
	);
/** Excludes requests of the previous batch, which may still be in flight. */
const ofOtherWallet = { path: IDS.secondWallet };
const fromOtherWallet = () =>
	simulator.requests.filter(({ path }) => path.includes(IDS.secondWallet)).length;
const leavesNoTimer = async () => {
	expect(setTimeout).toHaveBeenCalled();
	await until(() => alive().length === 0);
};

it('Stop ends the wait for the limit: nothing more is sent, and the output shows what was', async () => {
	const stopped = await stopWhen(100, () => simulator.requests.length >= 20);
	expect(stopped.run.status).toBe('canceled');
	const accepted = jsonOf(stopped).filter(({ status }) => status === 'SUCCESS');
	const others = jsonOf(stopped).filter(({ outcome }) => outcome === 'unknown');
	const sent = accepted.length + others.length;
	expect(jsonOf(stopped)).toHaveLength(sent);
	expect(sent).toBeLessThan(50);
	expect(amounts()).toEqual(expect.arrayContaining(accepted.map(({ amount }) => amount)));
	expect(amounts().length).toBeLessThanOrEqual(sent);
	expect(stopped.hints.join('\n')).toContain(`${100 - sent} of 100 were not sent: `);
	await leavesNoTimer();
});

it('Stop ends the wait before the next attempt, and the outcome is unknown', async () => {
	const waits = jest.spyOn(AbortSignal, 'timeout');
	simulator.faults.add({ kind: 'status', status: 503, retryAfter: 60, match: ofOtherWallet });
	const waitsAMinute = () => waits.mock.calls.some(([ms]) => ms === 60_000);
	const stopped = await stopWhen(1, waitsAMinute, IDS.secondWallet);
	expect(jsonOf(stopped)).toMatchObject([
		{ description: expect.stringContaining('The money may have left.'), outcome: 'unknown' },
	]);
	expect(fromOtherWallet()).toBe(1);
	await leavesNoTimer();
});

it('Stop ends an attempt in flight, and the outcome is unknown', async () => {
	simulator.faults.add({ kind: 'slow-before', delayMs: 500, match: ofOtherWallet });
	const stopped = await stopWhen(1, fromOtherWallet, IDS.secondWallet);
	expect(jsonOf(stopped)).toMatchObject([{ outcome: 'unknown' }]);
	await leavesNoTimer();
});
