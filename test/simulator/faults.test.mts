import lodash from 'lodash';

import { call, freeze, keyedTransfer, transfer } from './client.mts';
import { IDS, type Fault } from './index.mts';
import { until } from './until.mts';
import { simulator, useSimulator } from './useSimulator.mts';

useSimulator({ requestsPerSecond: 0 });

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
		[{ kind: 'proxy', status: 404 }, 404, false, /^<html>/],
		[{ kind: 'cut-headers' }, 'reset', true, /./],
		[{ kind: 'cut-body' }, 'reset', true, /./],
		[{ kind: 'warning' }, 302, true, /^\{"code":"WARNING","message"/],
		[{ kind: 'body', body: '[1]' }, 200, true, /^\[1\]$/],
		[{ kind: 'body' }, 200, true, /^$/],
	])('%j gives %s and effect %s, once', async (fault, seen, effect, body) => {
		simulator.faults.add(fault);
		const answer = await freeze().catch((thrown: { code: string }) => thrown);
		if ('code' in answer) {
			expect(seen).toBe('reset');
			expect(answer.code).toMatch(/UND_ERR_SOCKET|ECONNRESET/);
		} else {
			expect(answer.status).toBe(seen);
			expect(answer.text).toMatch(body);
			// Only a proxy omits the trace ID.
			expect('x-trace-id' in answer.headers).toBe(fault.kind !== 'proxy');
		}
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
			expect(simulator.requests[0]!.status).toBeUndefined();
			expect(simulator.ledger).toHaveLength(kind === 'slow-before' ? 0 : 1);
		},
	);

	it.each(['cut-headers', 'cut-body'] as const)('%s breaks off after the headers', async (kind) => {
		simulator.faults.add({ kind });
		const headers = { 'x-api-key': 'test-api-key-level-1' };
		const answer = await fetch(`${simulator.url}/mpc/tokens/list`, { headers });
		expect([answer.status, answer.headers.get('x-trace-id')]).toEqual([200, 'simulator-trace-1']);
		await expect(answer.text()).rejects.toThrow();
	});

	/** Answers to as many requests, one after the other. */
	const answers = async (count: number) => {
		const seen: Array<Awaited<ReturnType<typeof freeze>>> = [];
		for (let n = 0; n < count; n++) seen.push(await freeze());
		return seen;
	};

	const SUCCESS = { transaction_hash: expect.any(String), status: 'SUCCESS' };

	it.each<[Fault, number, object | unknown[]]>([
		[{ kind: 'warning' }, 302, { code: 'WARNING', message: expect.any(String) }],
		[{ kind: 'body', body: '["done"]' }, 200, ['done']],
		[{ kind: 'reset-after' }, 200, SUCCESS],
	])('a repetition after %j gets %d %j', async (fault, status, body) => {
		simulator.faults.add(fault);
		await keyedTransfer().catch(() => undefined);
		const answer = await keyedTransfer();
		expect([answer.status, answer.json]).toEqual([status, body]);
		expect(simulator.ledger).toHaveLength(1);
	});

	it('an answer is changed only if it is a success', async () => {
		simulator.faults.add({ kind: 'warning' });
		expect((await call('GET /nowhere')).json.code).toBe('NOT_FOUND');
	});

	it('a fault hits only matching requests, up to its number of times, in the order added', async () => {
		simulator.faults.add(
			{ kind: 'status', status: 500, match: { method: 'GET' } },
			{ kind: 'status', status: 501, match: { path: '/frozen$' }, times: 2 },
			{ kind: 'status', status: 502, match: { method: 'patch', path: 'individual-cards' } },
		);
		expect(lodash.map(await answers(4), 'status')).toEqual([501, 501, 502, 200]);
		expect(simulator.faults.list().map(({ struck }) => struck)).toEqual([0, 2, 1]);
	});

	it('a probability hits the same requests for the same seed', async () => {
		const run = async (seed: number) => {
			simulator.reset();
			simulator.faults.add({ kind: 'status', probability: 0.3, seed });
			return lodash.map(await answers(100), 'status');
		};
		const first = await run(7);
		expect(await run(7)).toEqual(first);
		expect(await run(8)).not.toEqual(first);
		const struck = first.filter((status) => status === 500).length;
		expect(Math.abs(struck - 30)).toBeLessThan(15);
	});

	it('Retry-After is sent in seconds, or not at all', async () => {
		simulator.faults.add(
			{ kind: '429' },
			{ kind: '429', retryAfter: 3 },
			{ kind: 'status', status: 503, retryAfter: 2 },
		);
		expect(lodash.map(await answers(3), 'headers.retry-after')).toEqual([undefined, '3', '2']);
	});
});

describe('Idempotency-Key (1.6)', () => {
	it('concurrent requests execute once', async () => {
		const answers = await Promise.all(Array.from({ length: 20 }, () => keyedTransfer()));
		expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
		expect(new Set(answers.map(({ headers }) => headers['x-trace-id'])).size).toBe(20);
		expect(simulator.ledger).toMatchObject([{ idempotencyKey: 'key-1' }]);
	});

	it('a repetition while the first request is in flight gets its result', async () => {
		simulator.faults.add({ kind: 'slow-after', delayMs: 600_000 });
		void keyedTransfer().catch(() => undefined);
		await until(() => simulator.ledger.length === 1);
		expect((await keyedTransfer({ to: '0x2', amount: 2 })).status).toBe(200);
		expect(simulator.requests.map(({ status }) => status)).toEqual([undefined, 200]);
		expect(simulator.ledger).toHaveLength(1);
	});

	it('a rejection is not remembered', async () => {
		expect((await keyedTransfer({ to: '', amount: 1 })).status).toBe(400);
		expect((await keyedTransfer(undefined, { key: 1 })).status).toBe(401);
		expect((await keyedTransfer()).status).toBe(200);
	});

	it('a reset cancels requests in flight, and forgets keys, changes and records', async () => {
		await keyedTransfer();
		simulator.settings.latencyMs = 1;
		simulator.faults.add({ kind: 'slow-before', delayMs: 600_000 });
		const cut = freeze().catch((thrown: { code: string }) => thrown.code);
		await until(() => simulator.requests[1]?.fault);
		simulator.reset();
		expect(await cut).toBe('UND_ERR_SOCKET');
		expect([simulator.settings.latencyMs, simulator.requests]).toEqual([0, []]);
		await keyedTransfer();
		expect(simulator.ledger).toHaveLength(1);
	});
});
