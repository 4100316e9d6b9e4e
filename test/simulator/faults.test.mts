import lodash from 'lodash';

import { call, control, freeze } from './client.mts';
import { IDS, type Fault } from './index.mts';
import { simulator, useSimulator } from './useSimulator.mts';

useSimulator({ requestsPerSecond: 0 });

// The faults of the connection and of whole replies are judged in test/engine, by what the node makes of them.
it.each<[fault: Fault, status: number, body: RegExp]>([
	[{ kind: 'empty' }, 200, /^$/],
	[{ kind: 'body', body: '[1]' }, 200, /^\[1\]$/],
	[{ kind: 'differ', status: 201, set: { 'a.b': 1 } }, 201, /^\{"a":\{"b":1\}\}$/],
])('%j is answered with %d, once, and the request is executed', async (fault, status, body) => {
	simulator.faults.add(fault);
	const answer = await freeze();
	expect([answer.status, answer.text]).toEqual([status, expect.stringMatching(body)]);
	expect(simulator.state.card(IDS.activeCard).frozen).toBe(true);
	expect((await freeze()).status).toBe(200);
});

it('a fault hits only matching requests, up to its number of times, in the order added', async () => {
	simulator.faults.add(
		{ kind: 'status', status: 500, match: { method: 'GET' } },
		{ kind: 'status', status: 501, match: { path: '/frozen$' }, times: 2 },
		{ kind: 'status', status: 502, match: { method: 'patch', path: 'individual-cards' } },
		{ kind: 'status', status: 503, every: 2, times: 1 },
	);
	const seen = [];
	for (let n = 0; n < 6; n++) seen.push((await freeze()).status);
	expect(seen).toEqual([501, 501, 502, 200, 503, 200]);
});

it('the request limit is answered with 429 without a body (8)', async () => {
	simulator.settings.requestsPerSecond = 15;
	const all = await Promise.all(Array.from({ length: 20 }, async () => await freeze()));
	const rejected = all.filter(({ status }) => status === 429);
	expect(rejected.map(({ text }) => text)).toEqual(Array(5).fill(''));
});

describe('control API', () => {
	it('faults are switched on and off, and a mistake is explained', async () => {
		const faults = [{ kind: 'status', status: 503, times: 5 }];
		expect((await control('POST faults', faults)).json).toMatchObject(faults);
		expect((await freeze()).status).toBe(503);
		await control('DELETE faults');
		expect((await freeze()).status).toBe(200);
		const { status, json } = await control('POST faults', { kind: 'earthquake' });
		expect([status, json]).toEqual([400, { code: 'VAL', message: expect.stringMatching(/kind/) }]);
	});

	it.each([
		[200, 'localhost:PORT', undefined],
		[403, 'console.example.com:PORT', undefined],
		[200, undefined, 'http://127.0.0.1:PORT'],
		[403, undefined, 'https://example.com'],
		[403, undefined, 'null'],
	])('answers %d to the host %s and the origin %s', async (status, host, origin) => {
		const { port } = new URL(simulator.url);
		const headers = lodash.mapValues({ host, origin }, (name) => name?.replace('PORT', port));
		for (const path of ['GET /', 'GET /_console/console.js', 'POST /_simulator/reset'])
			expect((await call(path, { key: 'none', headers })).status).toBe(status);
	});
});
