import { control, freeze } from './client.mts';
import { API_KEYS, IDS, startSimulator } from './index.mts';
import { simulator, useSimulator } from './useSimulator.mts';

useSimulator({ requestsPerSecond: 0 });

describe('settings', () => {
	it('an unknown value is rejected at the start', async () => {
		const mistaken = { repetitionUnderWay: 'often' } as object;
		await expect(startSimulator(mistaken)).rejects.toThrow(/repetitionUnderWay|answer, wait/);
	});

	it('settings and faults apply from the start and after each reset', async () => {
		const hard = await startSimulator({
			retryAfter: 'seconds',
			requestsPerSecond: 1,
			faults: [{ kind: '429' }],
		});
		for (let round = 0; round < 2; round++) {
			expect((await freeze(hard)).headers['retry-after']).toBeUndefined();
			expect((await freeze(hard)).headers['retry-after']).toBe('1');
			hard.settings.retryAfter = 'none';
			hard.reset();
		}
		await hard.close();
	});
});

describe('control API', () => {
	it('settings are shown, changed and restored by a reset', async () => {
		const before = (await control('GET settings')).json;
		expect(before).toMatchObject({ requestsPerSecond: 0, keepRejections: false });
		const after = { ...before, keepRejections: true };
		expect((await control('POST settings', { keepRejections: true })).json).toEqual(after);
		expect(simulator.settings).toEqual(after);
		simulator.reset();
		expect((await control('GET settings')).json).toEqual(before);
	});

	it('faults are switched on and off', async () => {
		await control('POST faults', [{ kind: 'status', status: 503, times: 5 }, { kind: '429' }]);
		expect((await freeze()).status).toBe(503);
		expect((await control('GET faults')).json).toMatchObject([
			{ kind: 'status', struck: 1 },
			{ kind: '429', struck: 0 },
		]);
		await control('DELETE faults');
		expect((await freeze()).status).toBe(200);
	});

	it('ledger and requests are shown without the API key, and emptied by a reset', async () => {
		await freeze();
		const requests = await control('GET requests');
		expect((await control('GET ledger')).json).toMatchObject([
			{ n: 1, operation: 'card.freeze', body: '{"freeze":true}' },
		]);
		expect(requests.json).toMatchObject([{ n: 1, method: 'PATCH', status: 200, apiKeyLevel: 3 }]);
		expect(requests.text).not.toContain(API_KEYS[3]);
		await control('POST reset');
		expect([simulator.requests, simulator.ledger]).toEqual([[], []]);
		expect(simulator.state.card(IDS.activeCard).frozen).toBe(false);
	});

	it.each([
		['POST settings', { keepRefusal: true }, /keepRefusal/],
		['POST settings', { retryAfter: 'html' }, /retryAfter: must be one of none, seconds, date/],
		['POST settings', { latencyMs: -1 }, /latencyMs/],
		['POST settings', '', /body/],
		['POST faults', { kind: 'earthquake' }, /kind/],
		['POST faults', { kind: '429', match: { path: '(' } }, /path: not a regular expression/],
		['POST faults', { kind: '429', often: 3 }, /often/],
		['POST faults', '{', /JSON/],
		['POST events', { event: 'cards.nothing', to: { url: 'http://127.0.0.1:1' } }, /Unknown event/],
		['POST events', { event: 'cards.refund' }, /URL is needed/],
		['POST velocity', {}, /cardId/],
		['POST transfer-outcomes', { next: ['LOST'] }, /next\.0/],
	])('%s explains the mistake in %j and changes nothing', async (request, body, message) => {
		const before = { ...simulator.settings };
		const answer = await control(request, body);
		expect([answer.status, answer.json]).toEqual([
			400,
			{ code: 'VAL', message: expect.stringMatching(message) },
		]);
		expect([simulator.settings, simulator.faults.list()]).toEqual([before, []]);
	});

	it('an unknown control is answered with the list of controls', async () => {
		const answer = await control('GET secrets');
		expect([answer.status, answer.json.message]).toEqual([
			404,
			expect.stringContaining('POST faults'),
		]);
	});
});
