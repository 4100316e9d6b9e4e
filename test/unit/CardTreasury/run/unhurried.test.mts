import { unhurried } from '../../../../nodes/CardTreasury/run/unhurried.ts';

it('other work of the process has its turn after 5 ms of a run', async () => {
	let now = 0;
	jest.spyOn(performance, 'now').mockImplementation(() => now);
	const turns = new Set<number>();
	const other = setInterval(() => turns.add(now), 0);
	for await (const ms of unhurried([4, 4, 1, 4, 4])) now += ms;
	clearInterval(other);
	expect([...turns]).toEqual([8, 13]);
});
