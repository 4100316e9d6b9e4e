import { call } from './client.mts';
import { IDS } from './index.mts';
import { simulator, useSimulator } from './useSimulator.mts';

useSimulator({ requestsPerSecond: 0 });

const ramp = `/virtual-wallets/ramps/transfer/${IDS.pendingRamp}`;

it.each<[string, number, string, string, object | undefined]>([
	[
		'a statement without one of its dates',
		400,
		'GET',
		`/cards/transactions/${IDS.activeCard}/pdf`,
		undefined,
	],
	['a ramp amount of 0 or less', 400, 'PATCH', ramp, { amount: 0 }],
	[
		'an enterprise card where §4.6 and §4.7 say individual card',
		404,
		'GET',
		`/cards/individual-cards/${IDS.enterpriseCard}`,
		undefined,
	],
])('rejects %s with %i', async (_, status, method, path, body) => {
	expect((await call(simulator, method, path, { body })).status).toBe(status);
});

it('changes the origin amount of a ramp transfer', async () => {
	const { json } = await call(simulator, 'PATCH', ramp, { body: { amount: 12.5 } });
	expect(json.origin_amount).toBe(12.5);
});
