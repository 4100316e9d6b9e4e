import fc from 'fast-check';

import { hintsOf } from '../../../../nodes/CardTreasury/batch/report.ts';
import { totalOf } from '../../../../nodes/CardTreasury/batch/total.ts';
import { RECIPIENT, TOKEN } from '../operations/guarded.mts';
import { Execution, transferOf } from './batches.mts';

type Payment = [amount: string, token?: string, options?: object, walletId?: string];

const dry = { dryRun: true };

/** Dry run of transfers, with a list of tokens. */
async function dryRun(payments: Payment[], tokens: object[] = []) {
	const execution = new Execution('wallet: transfer');
	execution.tokens = tokens;
	const items = payments.map(([amount, token = 'native', options = dry, walletId], index) => {
		const item = transferOf(amount, { reference: `INV-${index}`, ...options });
		Object.assign(item.parameters, { tokenAddress: token, ...(walletId && { walletId }) });
		return item;
	});
	const { rows, batch } = await execution.run(items, { continueOnFail: true });
	const total = totalOf(rows, batch);
	const [hint] = hintsOf(rows, batch, total);
	return { total, hint: hint?.message };
}

describe('Total of a dry run', () => {
	it.each<[string, Payment[], string | undefined]>([
		['one payment', [['5']], '5 of the native coin in wal-1'],
		['decimals, exactly', [['0.1'], ['0.2']], '0.3 of the native coin in wal-1'],
		[
			'each token for itself, in any letter case',
			[['1500', TOKEN], ['0.000001'], ['20.5', TOKEN.toLowerCase()], ['3', RECIPIENT]],
			'1520.5 USDC (0x2791…4174), 0.000001 of the native coin in wal-1 and 3 of 0x5aAe…eAed (not in your token list) in wal-1',
		],
		['what can be paid alone', [['5'], ['x'], ['1e3']], '5 of the native coin in wal-1'],
		['nothing, if all are refused', [['x'], ['y']], 'nothing'],
		[
			'nothing, if all are above a limit',
			[['5', 'native', { ...dry, maximumTotal: '4' }]],
			'nothing',
		],
	])('has %s', async (_, payments, expected) => {
		const { total } = await dryRun(payments, [{ address: TOKEN, symbol: 'USDC' }]);
		expect(total).toBe(expected);
	});

	it('is missing unless all are dry runs', async () => {
		expect((await dryRun([['5', TOKEN, {}]])).total).toBeUndefined();
		expect((await dryRun([['x', TOKEN, {}]])).total).toBeUndefined();
		// It would stand on the item that was sent.
		expect((await dryRun([['5', 'native', {}], ['6']])).total).toBeUndefined();
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

	it.each<[string, object[], string, string]>([
		[
			'native coins',
			[],
			'native',
			'1 of the native coin in wal-1 and 2 of the native coin in wal-2',
		],
		[
			'contracts with two symbols',
			[{ symbol: 'USDC' }, { symbol: 'BUSD' }],
			TOKEN,
			'1 of 0x2791…4174 in wal-1 and 2 of 0x2791…4174 in wal-2',
		],
		['a token with one symbol', [{ symbol: 'USDC' }], TOKEN, '3 USDC (0x2791…4174)'],
	])(
		'takes %s in two wallets for what they may be on two chains',
		async (_, tokens, token, sum) => {
			const list = tokens.map((entry) => ({ address: TOKEN, ...entry }));
			const payments: Payment[] = [
				['1', token],
				['2', token, dry, 'wal-2'],
			];
			expect((await dryRun(payments, list)).total).toBe(sum);
		},
	);

	it('names ten tokens, and counts the others', async () => {
		const payments = Array.from({ length: 12 }, (_, index): Payment => {
			return ['1', `0x${String(index + 10).padStart(40, '1')}`];
		});
		const { total } = await dryRun(payments);
		expect(total!.split(/, | and /)).toEqual([
			...Array<unknown>(10).fill(expect.stringMatching(/^1 of 0x1111…\S+ \(/)),
			'2 more amounts',
		]);
	});

	it('is in the hint, if there is something to add up', async () => {
		const said = 'Dry run: the requests are shown and nothing was sent.';
		expect((await dryRun([['1'], ['2']])).hint).toBe(
			`${said} Together: 3 of the native coin in wal-1.`,
		);
		expect((await dryRun([['1']])).hint).toBe(said);
	});

	it('is the sum of the amounts, whatever they are', async () => {
		const micros = fc.array(fc.bigInt({ min: 1n, max: 99_999_999_999n }), {
			minLength: 1,
			maxLength: 20,
		});
		const decimal = (micro: bigint) => {
			const digits = String(micro).padStart(7, '0');
			return `${digits.slice(0, -6)}.${digits.slice(-6)}`;
		};
		await fc.assert(
			fc.asyncProperty(micros, async (amounts) => {
				const { total } = await dryRun(amounts.map((micro) => [decimal(micro)]));
				const [sum, ...unit] = total!.split(' ');
				const [whole, fraction = ''] = sum!.split('.');
				expect(BigInt(whole + fraction.padEnd(6, '0'))).toBe(amounts.reduce((a, b) => a + b));
				expect(unit.join(' ')).toBe('of the native coin in wal-1');
			}),
			{ numRuns: 30 },
		);
	});
});
