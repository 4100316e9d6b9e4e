import { call } from './client.mts';
import { IDS, startSimulator, type Fault } from './index.mts';
import { until } from './until.mts';
import { simulator, useSimulator } from './useSimulator.mts';

useSimulator({ requestsPerSecond: 0 });

const freeze = () =>
	call(simulator, 'PATCH', `/cards/individual-cards/${IDS.activeCard}/frozen`, {
		body: { freeze: true },
	});
const isFrozen = () => simulator.state.card(IDS.activeCard).frozen;

describe('faults', () => {
	/** Client's view (a status, or a reset socket), and whether the effect happened. */
	const CASES: Array<
		[name: string, fault: Fault, seen: number | 'reset', effect: boolean, body: RegExp]
	> = [
		['429', { kind: '429' }, 429, false, /^$/],
		['401', { kind: '401' }, 401, false, /"AUTH"/],
		['status 503', { kind: 'status', status: 503 }, 503, false, /"message"/],
		['status 503 after the effect', { kind: 'status', status: 503, effect: true }, 503, true, /./],
		['html502', { kind: 'html502' }, 502, false, /^<html>/],
		['html502 after the effect', { kind: 'html502', effect: true }, 502, true, /./],
		['html200', { kind: 'html200' }, 200, false, /^<html>/],
		['empty', { kind: 'empty' }, 200, true, /^$/],
		['not-json', { kind: 'not-json' }, 200, true, /^\{"[^}]*$/],
		['reset-before', { kind: 'reset-before' }, 'reset', false, /./],
		['reset-after', { kind: 'reset-after' }, 'reset', true, /./],
		['slow-before', { kind: 'slow-before', delayMs: 5 }, 200, true, /^\{\}$/],
		['slow-after', { kind: 'slow-after', delayMs: 5 }, 200, true, /^\{\}$/],
		['late-effect', { kind: 'late-effect', delayMs: 5 }, 200, true, /^\{\}$/],
		['proxy', { kind: 'proxy' }, 502, false, /^<html>/],
		['proxy 404', { kind: 'proxy', status: 404 }, 404, false, /^<html>/],
		['proxy 200 after the effect', { kind: 'proxy', status: 200, effect: true }, 200, true, /^</],
		['cut-headers', { kind: 'cut-headers' }, 'reset', true, /./],
		['cut-body', { kind: 'cut-body' }, 'reset', true, /./],
		['half-body', { kind: 'half-body' }, 200, true, /^\{$/],
		['warning', { kind: 'warning' }, 302, true, /^\{"code":"WARNING","message"/],
		['no-status', { kind: 'no-status' }, 200, true, /^\{\}$/],
		['body', { kind: 'body', body: '[1]' }, 200, true, /^\[1\]$/],
		['no body', { kind: 'body' }, 200, true, /^$/],
	];

	it.each(CASES)('%s has its answer and effect', async (_name, fault, seen, effect, body) => {
		simulator.faults.add(fault);
		const answer = await freeze().catch((thrown: { code: string }) => thrown);
		if ('code' in answer)
			expect([seen, answer.code]).toEqual([
				'reset',
				expect.stringMatching(/UND_ERR_SOCKET|ECONNRESET/),
			]);
		else expect(answer.status).toBe(seen);
		if ('text' in answer) expect(answer.text).toMatch(body);
		expect([isFrozen(), simulator.ledger.length]).toEqual([effect, effect ? 1 : 0]);
		expect(simulator.requests).toHaveLength(1);
		expect(simulator.requests[0]!.fault).toBe(fault.kind);
		// The fault hit once, so the next request is served.
		expect((await freeze()).status).toBe(200);
	});

	it('slow-before, slow-after and late-effect notice a client that gives up', async () => {
		const KINDS = ['slow-before', 'slow-after', 'late-effect'] as const;
		// In parallel, because each one waits.
		await Promise.all(KINDS.map(giveUp));
	});

	async function giveUp(kind: 'slow-before' | 'slow-after' | 'late-effect') {
		const slow = await startSimulator({ requestsPerSecond: 0 });
		// Long enough that a busy machine notices the closed connection in time.
		slow.faults.add({ kind, delayMs: 1_500 });
		const client = new AbortController();
		const outcome = fetch(`${slow.url}/cards/individual-cards/${IDS.activeCard}/frozen`, {
			method: 'PATCH',
			headers: { 'x-api-key': 'test-api-key-level-3' },
			body: '{"freeze":true}',
			signal: client.signal,
		}).catch((thrown: Error) => thrown.name);
		await until(() => slow.requests[0]?.fault === kind);
		client.abort();
		expect(await outcome).toBe('AbortError');
		await until(() => slow.requests[0]!.abandoned);
		expect(slow.requests[0]!.status).toBeUndefined();
		expect([kind, slow.ledger.length]).toEqual([kind, kind === 'slow-before' ? 0 : 1]);
		await slow.close();
	}

	it('a reset after the effect leaves the result to be replayed', async () => {
		const keyed = () =>
			call(simulator, 'PATCH', `/cards/individual-cards/${IDS.activeCard}/frozen`, {
				body: { freeze: true },
				headers: { 'Idempotency-Key': 'k' },
			});
		simulator.faults.add({ kind: 'reset-after', times: 2 });
		await expect(keyed()).rejects.toThrow();
		await expect(keyed()).rejects.toThrow();
		expect((await keyed()).json).toEqual({});
		expect(simulator.ledger).toHaveLength(1);
	});

	it('only a proxy omits X-Trace-Id', async () => {
		const withTrace: string[] = [];
		for (const [name, fault, seen] of CASES) {
			simulator.faults.add(fault);
			const answer = await freeze().catch(() => undefined);
			expect(answer === undefined).toBe(seen === 'reset');
			if (answer?.headers['x-trace-id']) withTrace.push(name);
		}
		const answered = CASES.filter(([, , seen]) => seen !== 'reset').map(([name]) => name);
		expect(withTrace).toEqual(answered.filter((name) => !name.startsWith('proxy')));
	});

	it.each([
		['cut-headers', 0],
		['cut-body', 1],
	] as const)('%s sends status and headers, but not the body', async (kind, part) => {
		simulator.faults.add({ kind });
		const answer = await fetch(`${simulator.url}/mpc/tokens/list`, {
			headers: { 'x-api-key': 'test-api-key-level-1' },
		});
		expect([answer.status, answer.headers.get('x-trace-id')]).toEqual([200, 'simulator-trace-1']);
		const whole = Number(answer.headers.get('content-length'));
		const reader = answer.body!.getReader();
		let received = 0;
		const readAll = async () => {
			for (let next = await reader.read(); !next.done; next = await reader.read())
				received += next.value.length;
		};
		await expect(readAll()).rejects.toThrow();
		expect(received).toBeLessThanOrEqual(part * (whole >> 1));
	});

	it('half-body sends half a PDF as if it were complete', async () => {
		const path = `/cards/transactions/${IDS.enterpriseCard}/pdf?from_date=2026-11-18&to_date=2026-11-20`;
		const whole = await call(simulator, 'GET', path);
		simulator.faults.add({ kind: 'half-body' });
		const part = await call(simulator, 'GET', path);
		expect([part.status, part.headers['content-type']]).toEqual([200, 'application/pdf']);
		expect(part.bytes).toEqual(whole.bytes.subarray(0, whole.bytes.length >> 1));
	});

	const transfer = () =>
		call(simulator, 'POST', `/mpc/accounts/${IDS.account}/wallets/${IDS.wallet}/transfer`, {
			body: { to: '0x1', amount: 1 },
			headers: { 'Idempotency-Key': 'k' },
		});

	it.each<[Fault, number, object | unknown[]]>([
		[{ kind: 'warning' }, 302, { code: 'WARNING', message: expect.any(String) }],
		[{ kind: 'no-status' }, 200, { transaction_hash: expect.any(String) }],
		[{ kind: 'body', body: '["done"]' }, 200, ['done']],
	])('%j is replayed to a repetition with the same key', async (fault, status, body) => {
		simulator.faults.add(fault);
		for (let n = 0; n < 2; n++) {
			const answer = await transfer();
			expect([answer.status, answer.json]).toEqual([status, body]);
		}
		expect(simulator.ledger).toHaveLength(1);
	});

	it.each<Fault['kind']>(['half-body', 'not-json', 'empty'])(
		'%s applies once, so a repetition gets the true answer',
		async (kind) => {
			simulator.faults.add({ kind });
			await transfer();
			expect((await transfer()).json).toMatchObject({ status: 'SUCCESS' });
			expect(simulator.ledger).toHaveLength(1);
		},
	);

	it('warning answers any path, even a rejected request', async () => {
		simulator.faults.add({ kind: 'warning', times: 2 });
		for (const path of ['/mpc/tokens/list', '/unknown/path']) {
			const answer = await call(simulator, 'GET', path);
			expect([answer.status, answer.json.code]).toEqual([302, 'WARNING']);
		}
	});

	it('no-status and body do not change a rejection', async () => {
		simulator.faults.add({ kind: 'no-status' }, { kind: 'body', body: '[]' });
		for (let n = 0; n < 2; n++)
			expect((await call(simulator, 'GET', '/nowhere')).json.code).toBe('NOT_FOUND');
	});

	it('a fault hits only matching requests, up to its number of times, in the order added', async () => {
		simulator.faults.add(
			{ kind: 'status', status: 500, match: { method: 'GET' } },
			{ kind: 'status', status: 501, match: { path: '/frozen$' }, times: 2 },
			{ kind: 'status', status: 502, match: { method: 'patch', path: 'individual-cards' } },
		);
		const seen: number[] = [];
		for (let n = 0; n < 4; n++) seen.push((await freeze()).status);
		expect(seen).toEqual([501, 501, 502, 200]);
		expect(simulator.faults.list().map(({ struck }) => struck)).toEqual([0, 2, 1]);
	});

	it('a probability hits the same requests for the same seed', async () => {
		const run = async (seed: number) => {
			simulator.reset();
			simulator.faults.add({ kind: 'status', probability: 0.3, seed });
			const seen: number[] = [];
			for (let n = 0; n < 100; n++) seen.push((await freeze()).status);
			return seen;
		};
		const first = await run(7);
		expect(await run(7)).toEqual(first);
		expect(await run(8)).not.toEqual(first);
		const struck = first.filter((status) => status === 500).length;
		expect(struck).toBeGreaterThan(15);
		expect(struck).toBeLessThan(45);
	});

	it('Retry-After is sent in seconds, as a date, or not at all', async () => {
		simulator.faults.add(
			{ kind: '429' },
			{ kind: '429', retryAfter: 3 },
			{ kind: 'status', status: 503, retryAfter: 2, retryAfterForm: 'date' },
		);
		expect((await freeze()).headers['retry-after']).toBeUndefined();
		expect((await freeze()).headers['retry-after']).toBe('3');
		const sent = Date.now();
		const date = Date.parse((await freeze()).headers['retry-after']!);
		expect(date).toBeGreaterThanOrEqual(sent + 2_000);
		expect(date).toBeLessThan(sent + 10_000);
	});
});

describe('control API', () => {
	const control = (method: string, name: string, body?: unknown) =>
		call(simulator, method, `/_simulator/${name}`, { key: 'none', body });

	it('switches faults on and off', async () => {
		await control('POST', 'faults', [{ kind: 'status', status: 503, times: 5 }, { kind: '429' }]);
		expect((await freeze()).status).toBe(503);
		expect((await control('GET', 'faults')).json).toMatchObject([
			{ kind: 'status', struck: 1 },
			{ kind: '429', struck: 0 },
		]);
		await control('DELETE', 'faults');
		expect((await freeze()).status).toBe(200);
	});

	it('shows ledger and requests, and resets', async () => {
		await freeze();
		expect((await control('GET', 'ledger')).json).toMatchObject([
			{ n: 1, operation: 'card.freeze', body: '{"freeze":true}' },
		]);
		expect((await control('GET', 'requests')).json).toMatchObject([{ n: 1, status: 200 }]);
		await control('POST', 'reset');
		expect((await control('GET', 'ledger')).json).toEqual([]);
		expect(isFrozen()).toBe(false);
	});

	it.each([
		['POST', 'faults', { kind: 'earthquake' }, /kind/],
		['POST', 'faults', { kind: '429', match: { path: '(' } }, /path: not a regular expression/],
		['POST', 'faults', { kind: '429', often: 3 }, /often/],
		['POST', 'faults', '{', /JSON/],
		[
			'POST',
			'events',
			{ event: 'cards.nothing', to: { url: 'http://127.0.0.1:1' } },
			/Unknown event/,
		],
		['POST', 'events', { event: 'cards.refund' }, /URL is needed/],
		['POST', 'events', { event: 'cards.refund', wait: false }, /URL is needed/],
		['POST', 'velocity', {}, /cardId/],
		['POST', 'transfer-outcomes', { next: ['LOST'] }, /next\.0/],
	])('explains the mistake in %s %s %j', async (method, name, body, message) => {
		const answer = await control(method, name, body);
		expect([answer.status, answer.json.code]).toEqual([400, 'VAL']);
		expect(answer.json.message).toMatch(message);
	});

	it('lists the controls for an unknown name', async () => {
		const answer = await control('GET', 'secrets');
		expect(answer.status).toBe(404);
		expect(answer.json.message).toContain('POST faults');
	});
});
