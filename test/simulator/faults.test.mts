import lodash from 'lodash';

import { call, control, freeze, keyedTransfer, transfer } from './client.mts';
import { IDS, startSimulator, type Fault } from './index.mts';
import { until } from './until.mts';
import { simulator, useSimulator } from './useSimulator.mts';

useSimulator({ requestsPerSecond: 0 });

/** Answers to as many requests, one after the other. */
const answers = async (count: number) => {
	const seen: Array<Awaited<ReturnType<typeof freeze>>> = [];
	for (let n = 0; n < count; n++) seen.push(await freeze());
	return seen;
};

describe('faults', () => {
	it.each<[fault: Fault, seen: number | 'reset', effect: boolean, body: RegExp]>([
		[{ kind: '429' }, 429, false, /^$/],
		[{ kind: '401' }, 401, false, /"AUTH"/],
		[{ kind: 'status', status: 503 }, 503, false, /"message"/],
		[{ kind: 'status', status: 503, effect: true }, 503, true, /./],
		[{ kind: 'html502' }, 502, false, /^<html>/],
		[{ kind: 'html200' }, 200, false, /^<html>/],
		[{ kind: 'empty' }, 200, true, /^$/],
		[{ kind: 'reset-before' }, 'reset', false, /./],
		[{ kind: 'reset-after' }, 'reset', true, /./],
		[{ kind: 'slow-before', delayMs: 5 }, 200, true, /^\{\}$/],
		[{ kind: 'slow-after', delayMs: 5 }, 200, true, /^\{\}$/],
		[{ kind: 'proxy' }, 502, false, /^<html>/],
		[{ kind: 'cut-headers' }, 'reset', true, /./],
		[{ kind: 'cut-body' }, 'reset', true, /./],
		[{ kind: 'warning' }, 302, true, /^\{"code":"WARNING","message"/],
		[{ kind: 'body', body: '[1]' }, 200, true, /^\[1\]$/],
		[{ kind: 'differ', status: 201, set: { 'a.b': 1 } }, 201, true, /^\{"a":\{"b":1\}\}$/],
	])('%j gives %s and effect %s, once', async (fault, seen, effect, body) => {
		simulator.faults.add(fault);
		const answer = await freeze().catch((thrown: { code: string }) => thrown);
		if ('code' in answer) expect(seen).toBe('reset');
		else expect([answer.status, answer.text]).toEqual([seen, expect.stringMatching(body)]);
		expect(simulator.state.card(IDS.activeCard).frozen).toBe(effect);
		expect(simulator.ledger).toHaveLength(effect ? 1 : 0);
		expect(simulator.requests.map((request) => request.fault)).toEqual([fault.kind]);
		expect((await freeze()).status).toBe(200);
	});

	it.each(['slow-before', 'slow-after'] as const)(
		'%s notices a client that gives up',
		async (kind) => {
			// Long enough that a busy machine notices the closed connection in time.
			simulator.faults.add({ kind, delayMs: 1_500 });
			const client = new AbortController();
			const outcome = transfer(undefined, { signal: client.signal }).catch(String);
			await until(() => simulator.requests[0]?.fault === kind);
			client.abort();
			expect(await outcome).toContain('AbortError');
			await until(() => simulator.requests[0]!.abandoned);
			expect(simulator.ledger).toHaveLength(kind === 'slow-before' ? 0 : 1);
		},
	);

	it('a fault hits only matching requests, up to its number of times, in the order added', async () => {
		simulator.faults.add(
			{ kind: 'status', status: 500, match: { method: 'GET' } },
			{ kind: 'status', status: 501, match: { path: '/frozen$' }, times: 2 },
			{ kind: 'status', status: 502, match: { method: 'patch', path: 'individual-cards' } },
		);
		expect(lodash.map(await answers(4), 'status')).toEqual([501, 501, 502, 200]);
	});
});

describe('Idempotency-Key (1.6)', () => {
	it.each<[Fault, number, unknown]>([
		[{ kind: 'warning' }, 302, { code: 'WARNING', message: expect.any(String) }],
		[{ kind: 'body', body: '["done"]' }, 200, ['done']],
		[{ kind: 'reset-after' }, 200, { transaction_hash: expect.any(String), status: 'SUCCESS' }],
	])('a repetition after %j gets %d %j', async (fault, status, body) => {
		simulator.faults.add(fault);
		await keyedTransfer().catch(() => undefined);
		const answer = await keyedTransfer({ to: '0x2', amount: 2 });
		expect([answer.status, answer.json]).toEqual([status, body]);
		expect(simulator.ledger).toMatchObject([{ idempotencyKey: 'key-1', amountText: '1' }]);
	});

	it('a rejection is not remembered, and a reset forgets keys', async () => {
		expect((await keyedTransfer({ to: '', amount: 1 })).status).toBe(400);
		expect((await keyedTransfer()).status).toBe(200);
		simulator.reset();
		await keyedTransfer();
		expect(simulator.ledger).toHaveLength(1);
	});
});

it('the request limit is answered with 429 without a body (8)', async () => {
	simulator.settings.requestsPerSecond = 15;
	const all = await Promise.all(Array.from({ length: 20 }, () => freeze()));
	const rejected = all.filter(({ status }) => status === 429);
	expect(rejected.map(({ text }) => text)).toEqual(Array(5).fill(''));
});

describe('control API', () => {
	it('faults are switched on and off, and those of the start come back with a reset', async () => {
		const faults = [{ kind: 'status', status: 503, times: 5 }];
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
		['trouble', { name: 'none', on: true }, /trouble/],
		['send', { event: 'none', overrides: {}, target: 'none' }, /Unknown event/],
	])('%s explains the mistake in %j', async (name, body, message) => {
		const { status, json } = await control(`POST ${name}`, body);
		expect([status, json]).toEqual([400, { code: 'VAL', message: expect.stringMatching(message) }]);
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
