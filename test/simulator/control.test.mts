import { request as send } from 'undici';

import { call, control, freeze, keyedTransfer } from './client.mts';
import { API_KEYS, IDS, startSimulator } from './index.mts';
import { simulator, useSimulator } from './useSimulator.mts';

useSimulator({ requestsPerSecond: 0 });

describe('control API', () => {
	it('settings are shown, changed and restored by a reset', async () => {
		const before = (await control('GET settings')).json;
		expect(before).toMatchObject({ requestsPerSecond: 0, pendingTransferMs: 3_000 });
		const after = { ...before, pendingTransferMs: 5 };
		expect((await control('POST settings', { pendingTransferMs: 5 })).json).toEqual(after);
		expect(simulator.settings).toEqual(after);
		await control('POST reset');
		expect((await control('GET settings')).json).toEqual(before);
	});

	it('faults are switched on and off, and those of the start come back with a reset', async () => {
		await control('POST faults', [{ kind: 'status', status: 503, times: 5 }, { kind: '429' }]);
		expect((await freeze()).status).toBe(503);
		expect((await control('GET faults')).json).toMatchObject([{ struck: 1 }, { struck: 0 }]);
		await control('DELETE faults');
		expect((await freeze()).status).toBe(200);
		const other = await startSimulator({ faults: [{ kind: '429' }] });
		for (const status of [429, 200, 429]) {
			if (status === 429) other.reset();
			expect((await freeze(other)).status).toBe(status);
		}
		await other.close();
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

	it('queued outcomes are used in order', async () => {
		await control('POST transfer-outcomes', { next: ['MANUAL_CHECK', 'WARNING'] });
		const answers = [];
		for (const idempotencyKey of ['1', '2', '3'])
			answers.push(await keyedTransfer(undefined, { idempotencyKey }));
		expect(answers.map(({ status, json }) => json.status ?? status)).toEqual([
			...['MANUAL_CHECK', 302, 'SUCCESS'],
		]);
	});

	it.each([
		['POST settings', { keepRefusal: true }, /keepRefusal/],
		['POST settings', { latencyMs: -1 }, /latencyMs/],
		['POST settings', '', /[Bb]ody/],
		['POST faults', { kind: 'earthquake' }, /kind/],
		['POST faults', { kind: '429', match: { path: '(' } }, /path: not a regular expression/],
		['POST faults', '{', /JSON/],
		['POST events', { event: 'cards.nothing', to: { url: 'http://127.0.0.1:1' } }, /Unknown event/],
		['POST events', { event: 'cards.refund' }, /URL is needed/],
		['POST velocity', {}, /cardId/],
		['POST transfer-outcomes', { next: ['LOST'] }, /next\.0/],
		['POST trouble', { name: 'none', on: true }, /trouble/],
		['POST step', { name: 'block' }, /step/],
		['POST press', { ts: '1', label: 'Yes', person: 'U1' }, /person/],
		['POST send', { event: 'cards.authorization', target: 'none' }, /target/],
		['POST send', { event: 'none', target: 'none' }, /Unknown event/],
	])('%s explains the mistake in %j and changes nothing', async (request, body, message) => {
		const before = { ...simulator.settings };
		const { status, json } = await control(request, body);
		expect([status, json]).toEqual([400, { code: 'VAL', message: expect.stringMatching(message) }]);
		expect([simulator.settings, simulator.faults.list()]).toEqual([before, []]);
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
	const statusOf = async (path: string, headers: Record<string, string>, method = 'GET') =>
		(await send(simulator.url + path, { method: method as 'GET', headers })).statusCode;
	const at = (name: string) => `${name}:${new URL(simulator.url).port}`;

	it.each(['/', '/_console/console.js', '/_simulator/console'])(
		'%s is shown to this machine only',
		async (path) => {
			expect(await statusOf(path, {})).toBe(200);
			expect(await statusOf(path, { host: at('localhost') })).toBe(200);
			expect(await statusOf(path, { host: at('console.example.com') })).toBe(403);
			expect(await statusOf(path, { host: '127.0.0.1' })).toBe(403);
		},
	);

	it.each(['https://example.com', 'http://127.0.0.1:1', 'null'])(
		'a page from %s presses no button',
		async (origin) => {
			expect(await statusOf('/_simulator/reset', { origin }, 'POST')).toBe(403);
			const own = { origin: `http://${at('127.0.0.1')}` };
			expect(await statusOf('/_simulator/reset', own, 'POST')).toBe(200);
		},
	);

	it('is shown in no frame, and loads nothing from elsewhere', async () => {
		const { headers } = await send(`${simulator.url}/`);
		expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
		expect(headers['content-security-policy']).toContain("default-src 'self'");
	});

	it('shows a payment once, with how often it was asked for and executed', async () => {
		await control('POST trouble', { name: 'timeout', on: true });
		for (let tries = 1; tries <= 5; tries++) expect((await keyedTransfer()).status).toBe(504);
		expect((await keyedTransfer()).status).toBe(200);
		const { payments, troubles } = (await control('GET console')).json;
		expect(payments).toMatchObject([
			{ asked: 6, executed: 1, result: 'SUCCESS', answer: 200, key: 'key-1', amount: '1' },
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
		expect((await call(`GET ${TOKENS}`, { to: next })).status).toBe(200);
		await next.close();
	});
});

const TOKENS = '/mpc/tokens/list';
