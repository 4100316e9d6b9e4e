import { upTo } from '../harness/fixtures.mts';
import { until } from '../simulator/until.mts';
import { amounts, simulator, useSimulator } from '../simulator/useSimulator.mts';
import { itemsOf, jsonOf, outcomes, run, transfers } from './payments.mts';

useSimulator();

const stopWhen = async (count: number, condition: () => unknown) =>
	await run(transfers, {
		items: itemsOf(...upTo(count).map(String)),
		onStart: (stop) => void until(condition).then(stop),
	});

it('after Stop nothing more leaves, and the output shows all that was sent', async () => {
	const stopped = await stopWhen(100, () => simulator.requests.length >= 20);
	expect(stopped.run.status).toBe('canceled');
	const shown = jsonOf(stopped).map(({ amount }) => amount);
	expect(new Set(outcomes(stopped))).toEqual(new Set(['done']));
	expect(shown.length).toBeLessThan(60);
	expect(shown).toEqual(amounts().sort((one, other) => Number(one) - Number(other)));
	expect(stopped.hints).toEqual([`${shown.length} done, ${100 - shown.length} not reached.`]);
});

it('what Stop left is sent by running it again', async () => {
	await stopWhen(30, () => simulator.requests.length >= 5);
	const again = await run(transfers, { items: itemsOf(...upTo(30).map(String)) });
	expect(new Set(outcomes(again))).toEqual(new Set(['already_sent', 'done']));
	expect(amounts()).toHaveLength(30);
});
