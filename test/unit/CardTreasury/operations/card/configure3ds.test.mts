import { hintsOf } from '../../../../../nodes/CardTreasury/batch/report.ts';
import { answered, Execution } from '../../batch/batches.mts';

it.each([
	[{ type: 'sms' }, 0],
	[{ type: 'webhook' }, 1],
	[{}, 1],
	[undefined, 1],
])('the reply %j to Configure 3DS by sms has %d hints', async (json, count) => {
	const execution = new Execution('card: configure3ds', () => answered(json));
	const { rows, batch } = await execution.run([
		{ parameters: { cardId: 'c', type: 'sms', options: {} } },
	]);
	const hints = hintsOf(rows, batch);
	expect(hints).toHaveLength(count);
	for (const { message } of hints) expect(message).toContain('did not confirm the delivery');
});
