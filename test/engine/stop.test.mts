import { setTimeout as wait } from 'node:timers/promises';

import { IDS, startSimulator, type Simulator } from '../simulator/index.mts';
import { until } from '../simulator/until.mts';
import { runInCore } from './core.mts';

let simulator: Simulator;

beforeAll(async () => {
	simulator = await startSimulator();
});
afterAll(async () => await simulator.close());

const parameters = {
	resource: 'wallet',
	operation: 'transfer',
	accountId: IDS.account,
	tokenAddress: { __rl: true, mode: 'list', value: 'native' },
	walletId: IDS.wallet,
	to: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
	amount: '={{ $json.amount }}',
	options: {},
};

/** Gives the timers that have neither rung nor been cleared and would keep the process alive, whoever has set them. */
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

it('Stop leaves no timer behind: of a wait for the limit, of one before an attempt, or of one under way', async () => {
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
		await until(() => simulator.requests[0]?.status === 503);
		// The answer is on its way to the node, which then waits for a minute.
		await wait(300);
	});
	expect(simulator.requests).toHaveLength(1);
	simulator.reset();
	simulator.faults.add({ kind: 'slow-before', delayMs: 500 });
	await stopWhen(1, async () => await until(() => simulator.requests.length >= 1));
	await until(() => alive().length === 0);
	expect(setTimeout).toHaveBeenCalled();
	jest.restoreAllMocks();
}, 60_000);
