import { call } from './client.mts';
import { IDS, OTHER_COMPANY_API_KEY, startSimulator } from './index.mts';
import { keyedTransfer, TRANSFER_PATH } from './keyedTransfer.mts';
import { until } from './until.mts';
import { simulator, useSimulator } from './useSimulator.mts';

useSimulator({ requestsPerSecond: 0 });

it('companies have separate records and keys', async () => {
	const [first, other] = [
		await keyedTransfer(simulator),
		await keyedTransfer(simulator, undefined, OTHER_COMPANY_API_KEY),
	];
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
	] as const)('%s answers %s with %d', async (form, query, status) => {
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
	])('%s answers %s with %d', async (requireContentType, type, status) => {
		simulator.settings.requireContentType = requireContentType;
		const body = { to: '0x1', amount: 1 };
		const answer = await call(simulator, 'POST', TRANSFER_PATH, {
			body,
			headers: { 'content-type': type },
		});
		expect(answer.status).toBe(status);
		expect(simulator.ledger).toHaveLength(status === 200 ? 1 : 0);
	});

	it('does not apply to a request without a body', async () => {
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
] as const)('unblockAnswer %s unblocks the card and answers %s', async (unblockAnswer, text) => {
	simulator.settings.unblockAnswer = unblockAnswer;
	const answer = await call(simulator, 'PATCH', `/api/cards/${IDS.blockedCard}/unblock`);
	expect([answer.status, answer.text]).toEqual([200, text]);
	expect(simulator.state.card(IDS.blockedCard).blocked).toBe(false);
});

it('a client without product requests gets an empty list', async () => {
	const products = `/management/clients/individuals/${IDS.newClient}/products`;
	const answer = await call(simulator, 'GET', products);
	expect([answer.status, answer.json]).toEqual([200, []]);
});

describe('settings', () => {
	const control = (method: string, body?: unknown) =>
		call(simulator, method, '/_simulator/settings', { key: 'none', body });

	it('are read and changed over HTTP and restored by a reset', async () => {
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
	])('reject %j with an explanation and change nothing', async (body, message) => {
		const before = { ...simulator.settings };
		const answer = await control('POST', body);
		expect([answer.status, answer.json.message]).toEqual([400, expect.stringMatching(message)]);
		expect(simulator.settings).toEqual(before);
	});

	it('a reset cancels requests in flight and releases their keys', async () => {
		simulator.settings.repetitionUnderWay = 'wait';
		simulator.faults.add({ kind: 'late-effect', delayMs: 600_000 });
		const late = keyedTransfer(simulator);
		await until(() => simulator.requests[0]?.fault);
		simulator.reset();
		await expect(late).rejects.toThrow();
		simulator.settings.repetitionUnderWay = 'wait';
		expect((await keyedTransfer(simulator)).status).toBe(200);
		expect(simulator.ledger).toHaveLength(1);
	});

	it('reject an unknown value at the start', async () => {
		const mistaken = { repetitionUnderWay: 'often' } as object;
		await expect(startSimulator(mistaken)).rejects.toThrow(/repetitionUnderWay|answer, wait/);
	});

	it('apply from the start and after each reset, as do faults', async () => {
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
});
