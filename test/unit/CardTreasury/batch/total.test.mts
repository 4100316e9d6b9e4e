import fc from 'fast-check';

import { hintsOf } from '../../../../nodes/CardTreasury/batch/report.ts';
import { totalOf } from '../../../../nodes/CardTreasury/batch/total.ts';
import { addDecimals } from '../../../../nodes/shared/decimal.ts';
import { RECIPIENT, TOKEN } from '../operations/guarded.mts';
import { Execution, transferOf } from './batches.mts';

type Payment = [amount: string, token?: string, options?: object];

const dry = { dryRun: true };

/** Dry run of transfers, with a list of tokens. */
async function dryRun(payments: Payment[], tokens: object[] = []) {
	const execution = new Execution('wallet: transfer');
	execution.tokens = tokens;
	const items = payments.map(([amount, token = 'native', options = dry], index) => {
		const item = transferOf(amount, { reference: `INV-${index}`, ...options });
		Object.assign(item.parameters, { tokenAddress: token });
		return item;
	});
	const { rows, batch } = await execution.run(items, { continueOnFail: true });
	const [hint] = hintsOf(rows, batch);
	return { total: totalOf(rows, batch), hint: hint?.message };
}

describe('Total of a dry run', () => {
	it.each<[string, Payment[], string | undefined]>([
		['one payment', [['5']], '5 of the native coin'],
		['decimals, exactly', [['0.1'], ['0.2']], '0.3 of the native coin'],
		[
			'each token for itself, in any letter case',
			[['1500', TOKEN], ['0.000001'], ['20.5', TOKEN.toLowerCase()], ['3', RECIPIENT]],
			'1520.5 USDC (0x2791…4174), 0.000001 of the native coin and 3 of 0x5aAe…eAed (not in your token list)',
		],
		['what can be paid alone', [['5'], ['x'], ['1e3']], '5 of the native coin'],
		['nothing, if all are refused', [['x'], ['y']], 'nothing'],
		[
			'nothing, if all are above a limit',
			[['5', 'native', { ...dry, maximumTotal: '4' }]],
			'nothing',
		],
		['dry runs alone', [['5', 'native', {}], ['6']], '6 of the native coin'],
	])('has %s', async (_, payments, expected) => {
		const { total } = await dryRun(payments, [{ address: TOKEN, symbol: 'USDC' }]);
		expect(total).toBe(expected);
	});

	it('is missing without a dry run', async () => {
		expect((await dryRun([['5', TOKEN, {}]])).total).toBeUndefined();
		expect((await dryRun([['x', TOKEN, {}]])).total).toBeUndefined();
	});

	it('keeps tokens apart that have the same symbol', async () => {
		const tokens = [TOKEN, RECIPIENT].map((address) => ({ address, symbol: 'USDC' }));
		const { total } = await dryRun(
			[
				['1', TOKEN],
				['2', RECIPIENT],
			],
			tokens,
		);
		expect(total).toBe('1 USDC (0x2791…4174) and 2 USDC (0x5aAe…eAed)');
	});

	it('names ten tokens, and counts the others', async () => {
		const payments = Array.from({ length: 12 }, (_, index): Payment => {
			return ['1', `0x${String(index + 10).padStart(40, '1')}`];
		});
		const { total } = await dryRun(payments);
		expect(total!.split(/, | and /)).toEqual([
			...Array<unknown>(10).fill(expect.stringMatching(/^1 of 0x1111…\S+ \(/)),
			'amounts of 2 more tokens',
		]);
	});

	it('is in the hint, if there is something to add up', async () => {
		const said = 'Dry run: the requests are shown and nothing was sent.';
		expect((await dryRun([['1'], ['2']])).hint).toBe(`${said} Together: 3 of the native coin.`);
		expect((await dryRun([['1']])).hint).toBe(said);
	});

	it('is the sum of the amounts, whatever they are', async () => {
		const amount = fc
			.tuple(fc.integer({ min: 0, max: 99_999 }), fc.integer({ min: 1, max: 999_999 }))
			.map(([whole, rest]) => `${whole}.${String(rest).padStart(6, '0')}`);
		await fc.assert(
			fc.asyncProperty(fc.array(amount, { minLength: 1, maxLength: 20 }), async (amounts) => {
				const { total } = await dryRun(amounts.map((each) => [each]));
				expect(total).toBe(`${amounts.reduce(addDecimals, '0')} of the native coin`);
			}),
			{ numRuns: 30 },
		);
	});
});
