import { RequestGroup } from '../../../../nodes/CardTreasury/request/rateLimiter.ts';
import { CountingGroup } from './countingGroup.mts';
import { FakeClock } from './fakeClock.mts';

it('a halt ends all waits, and later ones at once', async () => {
	const clock = new FakeClock();
	const group = new RequestGroup();
	const waits = [group.wait(clock, 5_000), group.wait(clock, 9_000)];
	await clock.runUntil(100);
	group.halt();
	await Promise.all([...waits, group.wait(clock, 5_000)]);
	expect(clock.now()).toBe(100);
	expect(group.stopped).toBe(true);
});

it("the execution's signal stops the group", () => {
	const stop = new AbortController();
	const group = new RequestGroup(stop.signal);
	const ended = jest.fn();
	group.onStop(ended);
	expect(group.stopped).toBe(false);
	stop.abort();
	expect(group.stopped).toBe(true);
	expect(ended).toHaveBeenCalledTimes(1);
	expect(new RequestGroup(stop.signal).stopped).toBe(true);
});

it('a finished wait stops listening', async () => {
	const clock = new FakeClock();
	const group = new CountingGroup();
	const waited = group.wait(clock, 500);
	expect(group.listening).toBe(1);
	await clock.runUntil();
	await waited;
	expect(group.listening).toBe(0);
});

it('closing removes the listener from the signal', () => {
	const stop = new AbortController();
	const group = new RequestGroup(stop.signal);
	const ended = jest.fn();
	group.onStop(ended);
	group.close();
	stop.abort();
	expect(ended).not.toHaveBeenCalled();
	expect(() => new RequestGroup().close()).not.toThrow();
});

it('many waits add one listener to the signal', async () => {
	const stop = new AbortController();
	const listen = jest.spyOn(stop.signal, 'addEventListener');
	const clock = new FakeClock();
	const group = new RequestGroup(stop.signal);
	const waits = Array.from({ length: 50 }, async () => await group.wait(clock, 10));
	await clock.runUntil();
	await Promise.all(waits);
	expect(listen).toHaveBeenCalledTimes(1);
});
