import {
	acknowledging,
	makeWay,
} from '../../../nodes/CardTreasuryTrigger/delivery/acknowledgements.ts';
import { sampleEvent } from '../../simulator/index.mts';
import { until } from '../../simulator/until.mts';
import { door } from './door.mts';
import { useHosts } from './hosts.mts';
import { post } from './post.mts';

/** Runs that make way, by the time at which they went on. */
function runs(count: number) {
	const began = performance.now();
	const wentOn: number[] = [];
	for (let run = 0; run < count; run++)
		void makeWay().then(() => wentOn.push(performance.now() - began));
	return wentOn;
}

const pass = async (ms: number) => await jest.advanceTimersByTimeAsync(ms);

describe('what runs behind the trigger', () => {
	beforeEach(() => jest.useFakeTimers());
	afterEach(async () => {
		await pass(20_000);
		jest.useRealTimers();
	});

	it('goes on at once while no delivery waits for its acknowledgement', async () => {
		const wentOn = runs(1);
		await pass(0);
		expect(wentOn).toEqual([0]);
	});

	it('makes way until the last delivery that waits is acknowledged, then one goes on after the other', async () => {
		const deliveries = [acknowledging(), acknowledging()];
		const wentOn = runs(3);
		await pass(30);
		deliveries[0]!();
		deliveries[0]!();
		await pass(30);
		expect(wentOn).toEqual([]);
		deliveries[1]!();
		await pass(0);
		expect(wentOn).toEqual([60]);
		await pass(20);
		expect(wentOn).toEqual([60, 70, 80]);
	});

	it('makes way for a second at most, though one delivery follows the other', async () => {
		const wentOn = runs(3);
		await pass(0);
		expect(wentOn).toEqual([0]);
		let last = acknowledging();
		for (let ms = 0; ms < 1_100; ms += 20) {
			await pass(20);
			const next = acknowledging();
			last();
			last = next;
		}
		expect(wentOn).toEqual([0, expect.any(Number), expect.any(Number)]);
		for (const at of wentOn.slice(1)) expect(at).toBeGreaterThanOrEqual(1_000);
		for (const at of wentOn.slice(1)) expect(at).toBeLessThan(1_050);
		last();
	});

	it('does not wait where n8n takes no delivery on meanwhile, as with a limit of executions, and for 10 seconds none does', async () => {
		const stuck = [acknowledging(), acknowledging()];
		const wentOn = runs(2);
		await pass(300);
		expect(wentOn).toEqual([250, 260]);
		const later = acknowledging();
		expect(await Promise.race([makeWay().then(() => 'went on'), pass(11)])).toBe('went on');
		for (const end of [...stuck, later]) end();
		await pass(10_000);
		const again = acknowledging();
		const madeWay = runs(1);
		await pass(100);
		expect(madeWay).toEqual([]);
		again();
	});

	it('makes way for none that n8n has been storing for more than a second', async () => {
		const hangs = acknowledging();
		await pass(1_000);
		const wentOn = runs(1);
		await pass(0);
		expect(wentOn).toEqual([0]);
		hangs();
	});
});

describe('deliveries', () => {
	const { listening } = useHosts();

	it('are acknowledged before the runs of others go on, which an authorization does not wait for', async () => {
		// Making way ends by no timer, however slow the machine.
		const real = setTimeout;
		const timers = jest.spyOn(globalThis, 'setTimeout');
		timers.mockImplementation(((run: () => void, ms: number) =>
			real(ms === 50 ? () => undefined : run, ms)) as never);
		// Later than the clocks of the tests before.
		const time = jest.spyOn(performance, 'now').mockReturnValue(performance.now() + 3_600_000);
		try {
			const storing = door();
			const busy = await listening(['cards.refund'], { store: storing.pass });
			const host = await listening(['cards.cleared', 'cards.authorization']);
			const waiting = post(busy.url, sampleEvent('cards.refund'));
			await until(storing.knocked);
			await post(host.url, sampleEvent('cards.cleared'));
			await post(host.url, sampleEvent('cards.authorization'));
			await until(() => host.executions[1]?.outputs);
			expect(host.executions[0]!.outputs).toBeUndefined();
			storing.open();
			await waiting;
			await until(() => host.executions[0]!.outputs);
		} finally {
			timers.mockRestore();
			time.mockRestore();
		}
	});
});
