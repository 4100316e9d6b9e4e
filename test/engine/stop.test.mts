import { setTimeout as wait } from 'node:timers/promises';

import { transferOf } from '../harness/fixtures.mts';
import { until } from '../simulator/until.mts';
import { simulator, useSimulator } from '../simulator/useSimulator.mts';
import { runInCore } from './core.mts';

useSimulator();

/** In the body of the first item. */
const FIRST = '"amount":1}';
const parameters = transferOf('={{ $json.amount }}');

/** Returns the active timers that would keep the process alive, whoever set them. */
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

it('Stop leaves no timer of a wait for the limit, a wait before an attempt, or an attempt in flight', async () => {
	const alive = watchTimers();
	const stopWhen = async (count: number, condition: () => Promise<void>) =>
		await runInCore({
			baseUrl: simulator.url,
			parameters,
			items: Array.from({ length: count }, (_, index) => ({ json: { amount: `${index + 1}` } })),
			onStart: (stop) => void condition().then(stop),
		});
	await stopWhen(100, async () => await until(() => simulator.requests.length >= 5));
	simulator.reset();
	simulator.faults.add({ kind: 'status', status: 503, times: 5, retryAfter: 60 });
	await stopWhen(1, async () => {
		await until(() =>
			simulator.requests.some(({ bodyText, status }) => bodyText.includes(FIRST) && status === 503),
		);
		// The answer is in transit to the node, which then waits for a minute.
		await wait(300);
	});
	// One attempt. Late requests of the batch before have other amounts.
	expect(simulator.requests.filter(({ bodyText }) => bodyText.includes(FIRST))).toHaveLength(1);
	simulator.reset();
	simulator.faults.add({ kind: 'slow-before', delayMs: 500 });
	await stopWhen(1, async () => await until(() => simulator.requests.length >= 1));
	await until(() => alive().length === 0);
	expect(setTimeout).toHaveBeenCalled();
	jest.restoreAllMocks();
}, 60_000);
