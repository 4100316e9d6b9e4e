import fc from 'fast-check';

import { memberTexts } from './body.mts';
import { call } from './client.mts';
import { IDS, MAGIC_RECIPIENTS } from './index.mts';
import { simulator, useSimulator } from './useSimulator.mts';

useSimulator({ requestsPerSecond: 0 });

const path = `/mpc/accounts/${IDS.account}/wallets/${IDS.wallet}/transfer`;
const transfer = (body: unknown, key?: string) =>
	call(simulator, 'POST', path, {
		key: 2,
		body,
		headers: key === undefined ? {} : { 'Idempotency-Key': key },
	});

describe('transfer amounts (4.5)', () => {
	it.each(['0.000001', '999999999.999999', '0.1', '0.10', '1', '123456789', '1.000000'])(
		'%s is recorded unchanged',
		async (amount) => {
			const answer = await transfer(`{"amount": ${amount} ,"to":"0x1"}`);
			expect(answer.status).toBe(200);
			expect(simulator.ledger).toMatchObject([
				{ n: 1, operation: 'wallet.transfer', path, amountText: amount },
			]);
		},
	);

	it.each([
		'0',
		'0.000000',
		'-1',
		'1.0000000',
		'1000000000',
		'1e3',
		'1E-3',
		'"1"',
		'null',
		'true',
		'[1]',
		'{"amount":1}',
	])('%s is rejected', async (amount) => {
		const answer = await transfer(`{"to":"0x1","amount":${amount}}`);
		expect([answer.status, answer.json.code]).toEqual([400, 'VAL']);
		expect(simulator.ledger).toEqual([]);
	});

	it.each([
		['no amount', { to: '0x1' }],
		['no recipient', { amount: 1 }],
		['an empty recipient', { to: '', amount: 1 }],
		['a recipient with a blank inside', { to: '0x1 2', amount: 1 }],
		['a recipient with a line break at the end', { to: '0x12\n', amount: 1 }],
		['a number as recipient', { to: 12, amount: 1 }],
		['a number as token address', { to: '0x1', amount: 1, token_address: 5 }],
	])('a transfer with %s is rejected', async (_what, body) => {
		expect((await transfer(body)).status).toBe(400);
		expect(simulator.ledger).toEqual([]);
	});

	it('an omitted or empty token address means the native coin', async () => {
		expect((await transfer({ to: '0x1', amount: 1 })).status).toBe(200);
		expect((await transfer({ to: '0x1', amount: 1, token_address: '' })).status).toBe(200);
	});

	it('memberTexts returns the text of each member of any JSON object', () => {
		fc.assert(
			fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.nat(2), (object, indent) => {
				const texts = memberTexts(JSON.stringify(object, null, indent));
				const found = [...texts].map(([name, text]): [string, unknown] => [name, JSON.parse(text)]);
				expect(new Map(found)).toEqual(
					new Map(Object.entries(JSON.parse(JSON.stringify(object)) as object)),
				);
			}),
		);
	});
});

describe('transfer outcomes (2.6, 4.5)', () => {
	it.each(['PENDING', 'FAILED', 'MANUAL_CHECK'] as const)(
		'%s follows from the recipient',
		async (outcome) => {
			const answer = await transfer({ to: MAGIC_RECIPIENTS[outcome], amount: 1 });
			expect(answer.json).toEqual({
				transaction_hash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
				status: outcome,
			});
		},
	);

	it('302 WARNING has a Location and executes once', async () => {
		const answer = await transfer({ to: MAGIC_RECIPIENTS.WARNING, amount: 1 });
		expect([answer.status, answer.json]).toEqual([
			302,
			{ code: 'WARNING', message: expect.any(String) },
		]);
		expect(answer.headers.location).toMatch(/^\/mpc\/transfers\/0x/);
		expect(simulator.ledger).toHaveLength(1);
	});

	it('queued outcomes are used in order before transfers succeed again', async () => {
		await call(simulator, 'POST', '/_simulator/transfer-outcomes', {
			body: { next: ['MANUAL_CHECK', 'WARNING'] },
		});
		const seen: number[] = [];
		for (let n = 0; n < 3; n++) seen.push((await transfer({ to: '0x1', amount: 1 })).status);
		expect(seen).toEqual([200, 302, 200]);
	});

	it('each transfer has its own hash', async () => {
		const hashes = new Set<string>();
		for (let n = 0; n < 5; n++)
			hashes.add((await transfer({ to: '0x1', amount: 1 })).json.transaction_hash as string);
		expect(hashes.size).toBe(5);
	});
});

describe('Idempotency-Key (1.6)', () => {
	it('returns the original result without executing again, 302 included', async () => {
		for (const to of ['0x1', MAGIC_RECIPIENTS.WARNING]) {
			simulator.reset();
			const first = await transfer({ to, amount: 1 }, 'key-1');
			const again = await transfer({ to, amount: 1 }, 'key-1');
			expect([again.status, again.text, again.headers.location]).toEqual([
				first.status,
				first.text,
				first.headers.location,
			]);
			expect(again.headers['x-trace-id']).not.toBe(first.headers['x-trace-id']);
			expect(simulator.ledger).toMatchObject([{ idempotencyKey: 'key-1' }]);
			expect(simulator.requests.map(({ replayed }) => replayed)).toEqual([undefined, true]);
		}
	});

	it('executes once for concurrent requests', async () => {
		const answers = await Promise.all(
			Array.from({ length: 20 }, () => transfer({ to: '0x1', amount: 1 }, 'key-1')),
		);
		expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
		expect(simulator.ledger).toHaveLength(1);
	});

	it('returns the first result for another request (§1.6), or 409 by setting', async () => {
		const first = await transfer({ to: '0x1', amount: 1 }, 'key-1');
		expect((await transfer({ to: '0x1', amount: 2 }, 'key-1')).text).toBe(first.text);
		simulator.settings.refuseKeyReuse = true;
		const answer = await transfer({ to: '0x1', amount: 2 }, 'key-1');
		expect([answer.status, answer.json.code]).toEqual([409, 'VAL']);
		expect(simulator.ledger).toHaveLength(1);
	});

	it('stores no rejection; requests without a key always execute', async () => {
		expect((await transfer({ to: '', amount: 1 }, 'key-1')).status).toBe(400);
		expect((await transfer({ to: '0x1', amount: 1 }, 'key-1')).status).toBe(200);
		await transfer({ to: '0x1', amount: 1 });
		await transfer({ to: '0x1', amount: 1 });
		expect(simulator.ledger.map(({ idempotencyKey }) => idempotencyKey)).toEqual([
			'key-1',
			undefined,
			undefined,
		]);
	});

	it.each([
		['PATCH', `/virtual-wallets/ramps/transfer/${IDS.pendingRamp}`, { amount: 5 }],
		['PATCH', `/cards/individual-cards/${IDS.activeCard}/frozen`, { freeze: true }],
		['POST', `/cards/virtual-cards/${IDS.activeCard}/3ds-configuration`, { type: 'sms' }],
		['PATCH', `/api/cards/${IDS.blockedCard}/unblock`, undefined],
	])('applies to %s %s', async (method, writePath, body) => {
		const write = () =>
			call(simulator, method, writePath, { body, headers: { 'Idempotency-Key': 'key-1' } });
		expect((await write()).text).toBe((await write()).text);
		expect(simulator.ledger).toHaveLength(1);
	});
});
