import fc from 'fast-check';

import { memberTexts } from './body.mts';
import { control, transfer } from './client.mts';
import { MAGIC_RECIPIENTS } from './index.mts';
import { simulator, useSimulator } from './useSimulator.mts';

useSimulator({ requestsPerSecond: 0 });

describe('transfer amounts (4.5)', () => {
	it.each(['0.000001', '999999999.999999', '0.10', '1', '1.000000'])(
		'%s is recorded unchanged',
		async (amount) => {
			expect((await transfer(`{"amount": ${amount} ,"to":"0x1"}`)).status).toBe(200);
			expect(simulator.ledger).toMatchObject([
				{ n: 1, operation: 'wallet.transfer', amountText: amount },
			]);
		},
	);

	it.each([
		...['0', '0.000000', '-1', '1.0000000', '1000000000', '1e3', '1E-3'],
		...['"1"', 'null', 'true', '[1]', '{"amount":1}'],
	])('the amount %s is rejected', async (amount) => {
		const answer = await transfer(`{"to":"0x1","amount":${amount}}`);
		expect([answer.status, answer.json.code]).toEqual([400, 'VAL']);
		expect(simulator.ledger).toEqual([]);
	});

	it.each([
		{ to: '0x1' },
		{ amount: 1 },
		{ to: '', amount: 1 },
		{ to: '0x1 2', amount: 1 },
		{ to: '0x12\n', amount: 1 },
		{ to: 12, amount: 1 },
		{ to: '0x1', amount: 1, token_address: 5 },
	])('the transfer %j is rejected', async (body) => {
		expect((await transfer(body)).status).toBe(400);
		expect(simulator.ledger).toEqual([]);
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

	it('queued outcomes are used in order before transfers succeed again, each with its own hash', async () => {
		await control('POST transfer-outcomes', { next: ['MANUAL_CHECK', 'WARNING'] });
		const answers = [await transfer(), await transfer(), await transfer()];
		expect(answers.map(({ status }) => status)).toEqual([200, 302, 200]);
		const [first, , third] = answers.map(({ json }) => json.transaction_hash as string);
		expect(first).not.toBe(third);
	});
});
