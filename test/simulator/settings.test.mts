import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { call } from './client.mts';
import {
	FAULT_KINDS,
	IDS,
	OTHER_COMPANY_API_KEY,
	SETTINGS,
	startSimulator,
	type Fault,
	type Simulator,
} from './index.mts';
import { RateLimit } from './rateLimit.mts';
import { until } from './until.mts';

let clock = 0;
let simulator: Simulator;
beforeAll(async () => {
	simulator = await startSimulator({ requestsPerSecond: 0, now: () => clock });
});
beforeEach(() => simulator.reset());
afterAll(() => simulator.close());

const path = `/mpc/accounts/${IDS.account}/wallets/${IDS.wallet}/transfer`;
const transfer = (body: unknown = { to: '0x1', amount: 1 }, key: string | number = 3) =>
	call(simulator, 'POST', path, { key: key as 3, body, headers: { 'Idempotency-Key': 'key-1' } });
const ramp = () =>
	call(simulator, 'PATCH', `/virtual-wallets/ramps/transfer/${IDS.processingRamp}`, {
		body: { amount: 5 },
		headers: { 'Idempotency-Key': 'key-1' },
	});

describe('idempotencyWindowMs', () => {
	it('ends: the same key executes again, and is remembered anew', async () => {
		simulator.settings.idempotencyWindowMs = 1_000;
		const first = await transfer();
		clock += 999;
		expect((await transfer()).text).toBe(first.text);
		clock += 1;
		const second = await transfer();
		expect(second.text).not.toBe(first.text);
		expect((await transfer()).text).toBe(second.text);
		expect(simulator.ledger).toHaveLength(2);
	});

	it('allows another request with a key that is forgotten', async () => {
		simulator.settings.idempotencyWindowMs = 1_000;
		await transfer();
		clock += 1_000;
		expect((await transfer({ to: '0x2', amount: 2 })).status).toBe(200);
	});

	it('has no end by default', async () => {
		await transfer();
		clock += 10 * 365 * 86_400_000;
		await transfer();
		expect(simulator.ledger).toHaveLength(1);
	});

	it.each([
		['forgetKeys()', async () => simulator.forgetKeys()],
		[
			'DELETE keys',
			async () => void (await call(simulator, 'DELETE', '/_simulator/keys', { key: 'none' })),
		],
	])('ends at once by %s', async (_name, forget) => {
		await transfer();
		await forget();
		await transfer();
		expect(simulator.ledger).toHaveLength(2);
	});
});

describe('repetitionUnderWay', () => {
	/** Sends the first request, which is still under way when this comes back. */
	async function begin(fault: Fault, body?: unknown) {
		simulator.faults.add(fault);
		const answer = transfer(body).catch(() => undefined);
		await until(() => simulator.requests[0]?.fault);
		return { answer };
	}

	it('answer: gives the result as soon as there is one', async () => {
		await begin({ kind: 'slow-after', delayMs: 600_000 });
		await until(() => simulator.ledger.length === 1);
		expect((await transfer()).status).toBe(200);
		expect(simulator.requests.map(({ status }) => status)).toEqual([undefined, 200]);
		expect(simulator.ledger).toHaveLength(1);
	});

	it('reject: answers 409 while the first request is under way', async () => {
		simulator.settings.repetitionUnderWay = 'reject';
		await begin({ kind: 'slow-after', delayMs: 600_000 });
		await until(() => simulator.ledger.length === 1);
		const repetition = await transfer();
		expect([repetition.status, repetition.json.code]).toEqual([409, 'VAL']);
		// Another key is not concerned.
		const other = { body: { to: '0x1', amount: 1 }, headers: { 'Idempotency-Key': 'key-2' } };
		expect((await call(simulator, 'POST', path, other)).status).toBe(200);
	});

	it('reject: gives the result once the first request has been answered', async () => {
		simulator.settings.repetitionUnderWay = 'reject';
		const first = await transfer();
		expect((await transfer()).text).toBe(first.text);
	});

	it('wait: the repetition executes nothing and gets the first result', async () => {
		simulator.settings.repetitionUnderWay = 'wait';
		const { answer } = await begin({ kind: 'late-effect', delayMs: 100 });
		const second = await transfer();
		expect((await answer)!.text).toBe(second.text);
		expect(simulator.requests.map(({ replayed }) => replayed)).toEqual([undefined, true]);
	});

	it('wait: a repetition is judged only when the first request has been rejected', async () => {
		simulator.settings.repetitionUnderWay = 'wait';
		await begin({ kind: 'late-effect', delayMs: 100 }, { to: '', amount: 1 });
		expect((await transfer()).status).toBe(200);
		expect(simulator.requests.map(({ status }) => status)).toEqual([400, 200]);
	});

	it('wait: several repetitions that wait together execute once', async () => {
		simulator.settings.repetitionUnderWay = 'wait';
		await begin({ kind: 'late-effect', delayMs: 100 }, { to: '', amount: 1 });
		const answers = await Promise.all(Array.from({ length: 10 }, () => transfer()));
		expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
		expect(simulator.ledger).toHaveLength(1);
	});
});

describe('keepRejections', () => {
	it.each([
		[false, 200],
		[true, 400],
	])('%s: the repetition of a rejected request gets %d', async (keepRejections, status) => {
		simulator.settings.keepRejections = keepRejections;
		expect((await ramp()).status).toBe(400);
		simulator.state.records.rampTransfers.find(({ id }) => id === IDS.processingRamp)!.status =
			'PENDING';
		expect((await ramp()).status).toBe(status);
	});

	it('keeps no rejection of the API key', async () => {
		simulator.settings.keepRejections = true;
		expect((await transfer(undefined, 1)).status).toBe(401);
		expect((await transfer(undefined, 2)).status).toBe(200);
	});
});

describe('the request limit', () => {
	it.each([
		[false, 'are forgotten', 0],
		[true, 'keep the caller out', 1],
	])('countRejected %s: rejected requests %s', (countRejected, _what, rejected) => {
		const limit = new RateLimit({ requestsPerSecond: 2, countRejected });
		for (const at of [0, 0, 500, 500]) limit.admit(at, ['a']);
		limit.rejected = 0;
		limit.admit(1_000, ['a']);
		expect(limit.rejected).toBe(rejected);
	});

	it('says how long to wait', () => {
		const limit = new RateLimit({ requestsPerSecond: 2, countRejected: false });
		expect([0, 300, 700, 1_000, 1_100].map((at) => limit.admit(at, ['a']))).toEqual([
			0, 0, 300, 0, 200,
		]);
	});

	it('holds for each IP address and for the company', async () => {
		simulator.settings.requestsPerSecond = 2;
		const status = async (ip: string, key: string) =>
			(await call(simulator, 'GET', '/mpc/tokens/list', { key, headers: { 'x-simulated-ip': ip } }))
				.status;
		const own = 'test-api-key-level-1';
		const seen = [
			await status('10.0.0.1', own),
			await status('10.0.0.1', OTHER_COMPANY_API_KEY),
			// The address has used up its two, the company one of its two.
			await status('10.0.0.1', own),
			await status('10.0.0.2', own),
			await status('10.0.0.2', own),
			await status('10.0.0.2', OTHER_COMPANY_API_KEY),
			await status('10.0.0.3', OTHER_COMPANY_API_KEY),
		];
		expect(seen).toEqual([200, 200, 429, 200, 429, 200, 429]);
		expect(simulator.rateLimit.rejected).toBe(3);
		clock += 1_000;
		expect(await status('10.0.0.1', own)).toBe(200);
	});

	it('gives the address 127.0.0.1 to whoever names none', async () => {
		simulator.settings.requestsPerSecond = 1;
		const ask = (headers = {}) =>
			call(simulator, 'GET', '/mpc/tokens/list', { key: 'none', headers });
		expect((await ask()).status).toBe(401);
		expect((await ask({ 'x-simulated-ip': '127.0.0.1' })).status).toBe(429);
		expect((await ask({ 'x-simulated-ip': '10.0.0.1' })).status).toBe(401);
	});
});

it('keeps records and keys of companies apart', async () => {
	const [first, other] = [await transfer(), await transfer(undefined, OTHER_COMPANY_API_KEY)];
	expect([first.status, other.status]).toEqual([200, 200]);
	expect(simulator.ledger).toHaveLength(2);
	await call(simulator, 'PATCH', `/cards/individual-cards/${IDS.activeCard}/frozen`, {
		key: OTHER_COMPANY_API_KEY,
		body: { freeze: true },
	});
	expect(simulator.state.card(IDS.activeCard).frozen).toBe(false);
});

describe('operationsForm', () => {
	const COMMA = 'operations=WALLET_DEPOSIT,WALLET_WITHDRAWAL';
	const REPEATED = 'operations=WALLET_DEPOSIT&operations=WALLET_WITHDRAWAL';

	it.each([
		['any', COMMA, 200],
		['any', REPEATED, 200],
		['comma', COMMA, 200],
		['comma', REPEATED, 412],
		['repeated', COMMA, 412],
		['repeated', REPEATED, 200],
		['comma', 'operations=PURCHASE', 200],
		['repeated', 'operations=PURCHASE', 200],
	] as const)('%s: %s gives %d', async (form, query, status) => {
		simulator.settings.operationsForm = form;
		const search = `/cards/transactions/${IDS.enterpriseCard}/search?${query}`;
		const answer = await call(simulator, 'GET', search);
		expect(answer.status).toBe(status);
		if (status === 200) expect(answer.json.total_elements).toBeGreaterThan(0);
		else expect(answer.json).toEqual({ code: 'VAL', message: expect.stringContaining('PURCHASE') });
	});
});

describe('requireContentType', () => {
	it.each([
		[true, 'application/json', 200],
		[true, 'Application/JSON; charset=utf-8', 200],
		[true, 'text/plain', 415],
		[true, 'application/json-patch+json', 415],
		[false, 'text/plain', 200],
	])('%s: %s gives %d', async (requireContentType, type, status) => {
		simulator.settings.requireContentType = requireContentType;
		const body = { to: '0x1', amount: 1 };
		const answer = await call(simulator, 'POST', path, { body, headers: { 'content-type': type } });
		expect(answer.status).toBe(status);
		expect(simulator.ledger).toHaveLength(status === 200 ? 1 : 0);
	});

	it('asks nothing of a request without a body', async () => {
		simulator.settings.requireContentType = true;
		expect((await call(simulator, 'PATCH', `/api/cards/${IDS.blockedCard}/unblock`)).status).toBe(
			200,
		);
	});
});

it.each([
	['object', `{"id":"${IDS.blockedCard}","status":"ACTIVE"}`],
	['array', `[{"id":"${IDS.blockedCard}","status":"ACTIVE"}]`],
	['string', '"The card is unblocked"'],
	['empty', ''],
] as const)('unblockAnswer %s: unblocks and answers %s', async (unblockAnswer, text) => {
	simulator.settings.unblockAnswer = unblockAnswer;
	const answer = await call(simulator, 'PATCH', `/api/cards/${IDS.blockedCard}/unblock`);
	expect([answer.status, answer.text]).toEqual([200, text]);
	expect(simulator.state.card(IDS.blockedCard).blocked).toBe(false);
});

it('lists nothing for a client without product requests', async () => {
	const products = `/management/clients/individuals/${IDS.newClient}/products`;
	const answer = await call(simulator, 'GET', products);
	expect([answer.status, answer.json]).toEqual([200, []]);
});

describe('settings', () => {
	const control = (method: string, body?: unknown) =>
		call(simulator, method, '/_simulator/settings', { key: 'none', body });

	it('are shown and changed over HTTP, and a reset restores them', async () => {
		const before = (await control('GET')).json;
		expect(before).toMatchObject({ requestsPerSecond: 0, keepRejections: false });
		expect((await control('POST', { keepRejections: true })).json).toEqual({
			...before,
			keepRejections: true,
		});
		expect(simulator.settings.keepRejections).toBe(true);
		simulator.reset();
		expect((await control('GET')).json).toEqual(before);
	});

	it.each([
		[{ keepRefusal: true }, /keepRefusal/],
		[{ unblockAnswer: 'html' }, /unblockAnswer: must be one of object, array, string, empty/],
		[{ latencyMs: -1 }, /latencyMs/],
		['', /body/],
	])('says what is wrong with %j and changes nothing', async (body, message) => {
		const before = { ...simulator.settings };
		const answer = await control('POST', body);
		expect([answer.status, answer.json.message]).toEqual([400, expect.stringMatching(message)]);
		expect(simulator.settings).toEqual(before);
	});

	it('reset: what was under way before has no effect, and holds no key', async () => {
		simulator.settings.repetitionUnderWay = 'wait';
		simulator.faults.add({ kind: 'late-effect', delayMs: 600_000 });
		const late = transfer();
		await until(() => simulator.requests[0]?.fault);
		simulator.reset();
		await expect(late).rejects.toThrow();
		simulator.settings.repetitionUnderWay = 'wait';
		expect((await transfer()).status).toBe(200);
		expect(simulator.ledger).toHaveLength(1);
	});

	it('stop a start when they do not exist', async () => {
		const mistaken = { repetitionUnderWay: 'often' } as object;
		await expect(startSimulator(mistaken)).rejects.toThrow(/repetitionUnderWay|answer, wait/);
	});

	it('hold from the start, as do faults, and again after a reset', async () => {
		const hard = await startSimulator({ unblockAnswer: 'empty', faults: [{ kind: '429' }] });
		try {
			const unblock = () => call(hard, 'PATCH', `/api/cards/${IDS.blockedCard}/unblock`);
			for (let round = 0; round < 2; round++) {
				expect((await unblock()).status).toBe(429);
				expect((await unblock()).text).toBe('');
				hard.settings.unblockAnswer = 'object';
				hard.reset();
			}
		} finally {
			await hard.close();
		}
	});

	it.each(['docs/simulator.md', 'test/simulator/README.md'])('are all named in %s', (page) => {
		const text = readFileSync(join(__dirname, '../..', page), 'utf8');
		for (const [name, { flag }] of Object.entries(SETTINGS)) {
			expect(text).toContain(`\`${name}\``);
			expect(text).toContain(`--${flag}`);
		}
		for (const kind of FAULT_KINDS) expect(text).toContain(`\`${kind}\``);
	});
});
