import lodash from 'lodash';

import { call, control, freeze, keyedTransfer } from './client.mts';
import { startSimulator } from './index.mts';
import { simulator, useSimulator } from './useSimulator.mts';

useSimulator({ requestsPerSecond: 0 });

describe('control API', () => {
	it('faults are switched on and off, and those of the start come back with a reset', async () => {
		const faults = [{ kind: 'status', status: 503, times: 5 }, { kind: '429' }];
		expect((await control('POST faults', faults)).json).toMatchObject(faults);
		expect((await freeze()).status).toBe(503);
		await control('DELETE faults');
		expect((await freeze()).status).toBe(200);
		const other = await startSimulator({ faults: [{ kind: '429' }] });
		for (const status of [429, 200, 429]) {
			if (status === 429) other.reset();
			expect((await freeze(other)).status).toBe(status);
		}
		await other.close();
	});

	it.each([
		['faults', { kind: 'earthquake' }, /kind/],
		['faults', { kind: '429', match: { path: '(' } }, /path: not a regular expression/],
		['faults', '{', /JSON/],
		['faults', '', /[Bb]ody/],
		['trouble', { name: 'none', on: true }, /trouble/],
		['step', { name: 'block' }, /step/],
		['press', { ts: '1', label: 'Yes', person: 'U1' }, /person/],
		['send', { event: 'cards.authorization', overrides: {}, target: 'none' }, /target/],
		['send', { event: 'none', overrides: {}, target: 'none' }, /Unknown event/],
	])('%s explains the mistake in %j and changes nothing', async (name, body, message) => {
		const { status, json } = await control(`POST ${name}`, body);
		expect([status, json]).toEqual([400, { code: 'VAL', message: expect.stringMatching(message) }]);
		expect(simulator.faults.list()).toEqual([]);
	});

	it('takes the body of `curl -d`, and answers an unknown control with the list', async () => {
		const headers = { 'content-type': 'application/x-www-form-urlencoded' };
		const options = { key: 'none', body: '{"kind":"429"}', headers };
		expect((await call('POST /_simulator/faults', options)).json).toMatchObject([{ kind: '429' }]);
		const { status, json } = await control('GET secrets');
		expect([status, json.message]).toEqual([404, expect.stringContaining('POST faults')]);
	});
});

describe('page', () => {
	it.each([
		[200, undefined, undefined],
		[200, 'localhost:PORT', undefined],
		[403, 'console.example.com:PORT', undefined],
		[403, '127.0.0.1', undefined],
		[200, undefined, 'http://127.0.0.1:PORT'],
		[403, undefined, 'https://example.com'],
		[403, undefined, 'http://127.0.0.1:1'],
		[403, undefined, 'null'],
	])('answers %d to the host %s and the origin %s', async (status, host, origin) => {
		const { port } = new URL(simulator.url);
		const headers = lodash.mapValues({ host, origin }, (name) => name?.replace('PORT', port));
		for (const path of ['GET /', 'GET /_console/console.js', 'POST /_simulator/reset'])
			expect((await call(path, { key: 'none', headers })).status).toBe(status);
	});

	it('is shown in no frame, and loads nothing from elsewhere', async () => {
		const { headers } = await call('GET /', { key: 'none' });
		expect(headers['content-security-policy']).toMatch(
			/default-src 'self';.*frame-ancestors 'none'/,
		);
	});

	it('shows a payment once, with how often it was asked for and executed', async () => {
		await control('POST trouble', { name: 'timeout', on: true });
		for (const status of [408, 200]) expect((await keyedTransfer()).status).toBe(status);
		const { payments, troubles } = (await control('GET console')).json;
		expect(payments).toMatchObject([
			{ asked: 2, executed: 1, result: 'SUCCESS', answer: 200, key: 'key-1', amount: '1' },
		]);
		expect(troubles[0]).toMatchObject({ name: 'timeout', on: false });
	});

	it.each(['down', 'limit', 'key'])('the trouble %s lasts until switched off', async (name) => {
		await control('POST trouble', { name, on: true });
		for (let n = 0; n < 2; n++) expect((await keyedTransfer()).status).toBeGreaterThan(400);
		await control('POST trouble', { name, on: false });
		expect((await keyedTransfer()).status).toBe(200);
	});
});

describe('books', () => {
	it('another simulator continues them: payments, records, deliveries and keys', async () => {
		await keyedTransfer();
		await freeze();
		await simulator.events.emit(
			'cards.refund',
			{},
			{ url: 'http://127.0.0.1:1', webhookKey: 'k', attempts: 1 },
		);
		const before = (await control('GET console')).json;
		const books = JSON.parse(JSON.stringify(simulator.books()));
		const next = await startSimulator({ books });
		expect((await keyedTransfer({ to: '0x2', amount: 2 }, { to: next })).status).toBe(200);
		expect(next.requests.at(-1)).toMatchObject({ n: 3, replayed: true });
		const { json } = await call('GET /_simulator/console', { key: 'none', to: next });
		expect(json.payments).toMatchObject([{ asked: 2, executed: 1, at: before.payments[0].at }]);
		expect([json.cards, json.deliveries]).toEqual([before.cards, before.deliveries]);
		await next.close();
	});
});
